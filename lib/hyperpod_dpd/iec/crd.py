"""Judge a manifest by the CRD that a user's own cluster has, with unknown fields closed."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.catalog.manifest_fields import Field, root
from hyperpod_dpd.iec.identity import GROUP, identify
from hyperpod_dpd.iec.problem import SchemaProblem, place, shown
from hyperpod_dpd.iec.schema import field_from_schema
from hyperpod_dpd.iec.validation import check_tree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hyperpod_dpd.document import Path


class NotThisCrd(ValueError):
    """The document is not the CustomResourceDefinition of the InferenceEndpointConfig; ``str()`` says why."""


def crd_versions(crd: Any) -> dict[str, dict[str, Any]]:
    """The schemas of the served versions by name. Raises NotThisCrd."""
    if not isinstance(crd, dict) or crd.get("kind") != "CustomResourceDefinition":
        raise NotThisCrd(
            "This file is no CustomResourceDefinition. Save one with: kubectl get crd"
            f" inferenceendpointconfigs.{GROUP} -o yaml"
        )
    body = _mapping(crd.get("spec"))
    names = _mapping(body.get("names"))
    if body.get("group") != GROUP or names.get("kind") != "InferenceEndpointConfig":
        raise NotThisCrd(
            f"This CRD defines {names.get('kind')} of {body.get('group')}, not InferenceEndpointConfig."
        )
    found = {}
    versions = body.get("versions")
    for version in versions if isinstance(versions, list) else []:
        schema = _mapping(_mapping(version).get("schema")).get("openAPIV3Schema")
        if isinstance(schema, dict) and version.get("served", True):
            found[str(version.get("name"))] = schema
    if not found:
        raise NotThisCrd("This CRD serves no version with a schema.")
    return found


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def crd_tree(crd: Any, version: str = "v1") -> Field:
    """A version of the CRD as a field tree, unknown fields closed. Raises NotThisCrd."""
    schemas = crd_versions(crd)
    if version not in schemas:
        raise NotThisCrd(
            f"This CRD does not serve version {version}; it serves {', '.join(sorted(schemas))}."
        )
    return _with_object_fields(field_from_schema(schemas[version]))


def _with_object_fields(tree: Field) -> Field:
    """The schema of a CRD leaves apiVersion, kind and metadata to the API server; take ours for them."""
    ours = root().fields
    fields = {**tree.fields, **{name: ours[name] for name in ("apiVersion", "kind", "metadata")}}
    return replace(tree, type="object", fields=fields)


def validate_against_crd(crd: Any, manifest: Any) -> list[SchemaProblem]:
    """All faults of ``manifest`` by the user's own CRD, as a strict API server would see them.

    Reads the schema of the version that the manifest names. Rules in CEL are not run; ``drift`` names them.
    Raises NotThisCrd when ``crd`` is something else.
    """
    schemas = crd_versions(crd)
    version = manifest.get("apiVersion") if isinstance(manifest, dict) else None
    group, _, name = version.partition("/") if isinstance(version, str) else ("", "", "")
    if not identify(manifest).is_endpoint:
        return [
            _refusal(
                "wrong-kind",
                "kind",
                manifest,
                "This object is no InferenceEndpointConfig.",
                "Give the CRD of this object's kind, or another file.",
            )
        ]
    if group != GROUP or name not in schemas:
        served = ", ".join(f"{GROUP}/{served}" for served in sorted(schemas))
        return [
            _refusal(
                "wrong-api-version",
                "apiVersion",
                manifest,
                f"apiVersion {shown(version)} is not served by this CRD; it serves {served}.",
                f"Write one of: {served}.",
            )
        ]
    tree = _cached_tree(_Handle(crd), name)
    return [*check_tree(tree, manifest, newest=root()), *_remaining(tree, manifest)]


class _Handle:
    """A CRD as a cache key: the same object in memory is the same CRD."""

    def __init__(self, crd: Any) -> None:
        self.crd = crd

    def __hash__(self) -> int:
        return id(self.crd)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Handle) and self.crd is other.crd


@lru_cache(maxsize=8)
def _cached_tree(handle: _Handle, version: str) -> Field:
    return crd_tree(handle.crd, version)


def _refusal(kind: str, field: str, manifest: Any, message: str, fix: str) -> SchemaProblem:
    present = isinstance(manifest, dict) and field in manifest
    value = manifest[field] if present else None
    return SchemaProblem(kind=kind, path=(field,) if present else (), value=value, message=message, fix=fix)


def _remaining(tree: Field, manifest: Any) -> Iterator[SchemaProblem]:
    """Schema words that the field language does not have (oneOf and the like), left to the jsonschema
    library.
    """
    for node, value, path in _meet(tree, manifest, ()):
        rules = {word: rule for word, rule in node.other.items() if not word.startswith("x-")}
        if not rules:
            continue
        from jsonschema import Draft4Validator  # type: ignore[import-untyped]

        for error in Draft4Validator(rules).iter_errors(value):
            at = (*path, *error.absolute_path)
            yield SchemaProblem(
                kind="schema",
                path=at,
                value=error.instance,
                message=f"{place(at)} breaks a rule of this CRD: {error.message.rstrip('.')}.",
                fix=f"Change {place(at)} so that it satisfies '{error.validator}' in the CRD.",
            )


def _meet(node: Field, value: Any, path: Path) -> Iterator[tuple[Field, Any, Path]]:
    """Every value of the manifest together with its field."""
    yield node, value, path
    if isinstance(value, dict):
        for key, child in value.items():
            known = node.fields.get(key) or (node.item if node.type == "map" else None)
            if known is not None and child is not None:
                yield from _meet(known, child, (*path, key))
    elif isinstance(value, list) and node.item is not None:
        for index, child in enumerate(value):
            yield from _meet(node.item, child, (*path, index))
