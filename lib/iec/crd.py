"""Judge by the CRD that a user's own cluster has: validate against it, and show where it differs from our fields."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from lib.iec.field import QUANTITY_PATTERN, Field, release_number
from lib.iec.fields_spec import root
from lib.iec.fields_v1alpha1 import root_v1alpha1
from lib.iec.identity import GROUP, OLD_API_VERSION, identify
from lib.iec.problem import SchemaProblem, place, shown
from lib.iec.schema import field_from_schema
from lib.iec.validation import check_tree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lib.document import Path

_COMPARED = (
    "type",
    "enum",
    "pattern",
    "minimum",
    "maximum",
    "min_length",
    "max_length",
    "min_items",
    "max_items",
    "default",
    "keys",
    "unique",
    "bits",
    "nullable",
)


class NotThisCrd(ValueError):
    """The document is not the CustomResourceDefinition of the InferenceEndpointConfig; ``str()`` says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """One difference between a CRD and our fields.

    ``kind`` is only-in-crd, only-ours, required, not-evaluated (a rule of the CRD that we cannot run) or the name of
    what differs (type, enum, pattern, minimum, ...). ``path`` has "[]" for list items and "{}" for map values.
    """

    kind: str
    path: Path
    ours: Any
    theirs: Any
    message: str


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
    return [*check_tree(tree, manifest), *_remaining(tree, manifest)]


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
    """Schema words that the field language does not have (oneOf and the like), left to the jsonschema library."""
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


def drift(crd: Any, *, version: str = "v1", release: str | None = None) -> list[Drift]:
    """Where the CRD and our fields differ. Raises NotThisCrd.

    ``release`` limits ours to the fields that this operator release has; without it, fields that the CRD lacks
    because it is older are listed too, with the release that brings them.
    """
    ours = root_v1alpha1() if f"{GROUP}/{version}" == OLD_API_VERSION else root()
    theirs = crd_tree(crd, version)
    return list(_compare(ours, theirs, (), release))


def _compare(ours: Field, theirs: Field, path: Path, release: str | None) -> Iterator[Drift]:
    for word, rule in theirs.other.items():
        yield Drift(
            kind="not-evaluated",
            path=path,
            ours=None,
            theirs={word: rule},
            message=f"{place(path)} has a rule '{word}' in the CRD that is not evaluated here.",
        )
    if ours.type == "opaque":
        return
    for name in _COMPARED:
        mine, other = getattr(ours, name), getattr(theirs, name)
        if _plain(name, mine) != _plain(name, other):
            yield Drift(
                kind=name,
                path=path,
                ours=mine,
                theirs=other,
                message=f"{place(path)}: {name} is {other!r} in the CRD and {mine!r} in our fields.",
            )
    if set(ours.required) != set(theirs.required):
        yield Drift(
            kind="required",
            path=path,
            ours=ours.required,
            theirs=theirs.required,
            message=f"{place(path)} requires {sorted(theirs.required)} in the CRD, {sorted(ours.required)} by us.",
        )
    if ours.item and theirs.item:
        step = "[]" if ours.type == "list" else "{}"
        yield from _compare(ours.item, theirs.item, (*path, step), release)
    yield from _compare_fields(ours, theirs, path, release)


def _compare_fields(ours: Field, theirs: Field, path: Path, release: str | None) -> Iterator[Drift]:
    for name, child in theirs.fields.items():
        at = (*path, name)
        if name not in ours.fields:
            yield Drift(
                kind="only-in-crd",
                path=at,
                ours=None,
                theirs=child.type,
                message=f"{place(at)} exists in the CRD and is unknown to us.",
            )
        else:
            yield from _compare(ours.fields[name], child, at, release)
    for name, child in ours.fields.items():
        if name in theirs.fields or theirs.type != "object" or _came_later(child, release):
            continue
        at = (*path, name)
        when = f", which operator release {child.since} brought" if child.since and child.certain else ""
        yield Drift(
            kind="only-ours",
            path=at,
            ours=child.since or True,
            theirs=None,
            message=f"{place(at)} is known to us{when} and missing from the CRD.",
        )


def _came_later(node: Field, release: str | None) -> bool:
    return bool(release and node.since and release_number(node.since) > release_number(release))


def _plain(name: str, value: Any) -> Any:
    """Two ways to write one thing compared as equal."""
    if name == "pattern" and value == QUANTITY_PATTERN:
        return "quantity"
    if name in ("enum", "keys"):
        return tuple(value)
    return value


def least_release(crd: Any) -> str | None:
    """The newest documented operator release of which the CRD has every field; None when it has not even the oldest.

    A CRD carries no operator version, so this is a lower bound read from its fields. Raises NotThisCrd.
    """
    missing = {problem.path for problem in drift(crd) if problem.kind == "only-ours"}
    releases = sorted({node.since for _, node in _documented(root(), ())}, key=release_number)
    reached = None
    for release in releases:
        if any(node.since == release and path in missing for path, node in _documented(root(), ())):
            break
        reached = release
    return reached


def _documented(node: Field, path: Path) -> Iterator[tuple[Path, Field]]:
    for name, child in node.fields.items():
        if child.since and child.certain:
            yield (*path, name), child
        yield from _documented(child, (*path, name))
