"""Check a manifest's shape against the fields we know: every fault at once, each with what to change."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.catalog.manifest_fields import Field, root
from hyperpod_dpd.iec.identity import Kind, identify
from hyperpod_dpd.iec.outside_schema import outside_schema
from hyperpod_dpd.iec.placeholders import find_placeholders
from hyperpod_dpd.iec.problem import SchemaProblem
from hyperpod_dpd.iec.releases import release_number
from hyperpod_dpd.iec.traversal import Traversal

if TYPE_CHECKING:
    from hyperpod_dpd.document import Path

__all__ = ["SchemaProblem", "tree_for", "validate"]


def validate(manifest: Any, *, release: str | None = None) -> list[SchemaProblem]:
    """All faults of one object's shape, in the order of the file. Never raises on the manifest's content.

    ``release`` is the operator release to judge by, such as "3.2": fields that came later are reported as
    newer-release. None accepts the fields of every release. An object that is no endpoint gives one problem;
    a fragment (a mapping without apiVersion and kind) is compared with the part of the resource it looks
    like. Raises ValueError for a release that is not one.
    """
    if release is not None:
        release_number(release)
    identity = identify(manifest)
    problems: list[SchemaProblem] = []
    if identity.kind not in (Kind.ENDPOINT, Kind.OLD_ENDPOINT):
        problems.append(_about_kind(identity.kind, manifest, identity.message, identity.fix))
    if identity.is_endpoint:
        tree = tree_for(identity.kind)
        return problems + check_tree(tree, manifest, release=release, newest=root())
    if identity.kind is Kind.NOT_KUBERNETES and isinstance(manifest, dict):
        problems += _fragment(manifest, release)
    return problems


def tree_for(kind: Kind) -> Field:
    """The field tree that an object of ``kind`` is compared with."""
    return root("v1alpha1") if kind is Kind.OLD_ENDPOINT else root()


def check_tree(
    tree: Field, manifest: Any, *, release: str | None = None, newest: Field | None = None
) -> list[SchemaProblem]:
    """Compare ``manifest`` with any tree; ``newest`` is searched for the place of an unknown field."""
    traversal, placeholders = _start(newest or tree, manifest, release)
    traversal.visit(tree, manifest, ())
    _check_frame(traversal, manifest)
    if isinstance(manifest, dict):
        traversal.problems += outside_schema(manifest)
    return _settled(placeholders, traversal)


def _start(tree: Field, manifest: Any, release: str | None) -> tuple[Traversal, list[SchemaProblem]]:
    placeholders = find_placeholders(manifest)
    skip = frozenset(path for problem in placeholders for path in (problem.path, *problem.also))
    return Traversal(tree, release, skip), placeholders


def _settled(placeholders: list[SchemaProblem], traversal: Traversal) -> list[SchemaProblem]:
    """Placeholders that say whether the API server minds them, then what the traversal found."""
    settled = [
        replace(problem, refused=any(_minds(path, traversal) for path in (problem.path, *problem.also)))
        for problem in placeholders
    ]
    return settled + traversal.problems


def _minds(path: Path, traversal: Traversal) -> bool:
    return path in traversal.refused or path in (("metadata", "name"), ("metadata", "namespace"))


def _check_frame(traversal: Traversal, manifest: Any) -> None:
    """What the API server asks of every object, and a spec, which the schema itself does not demand."""
    if isinstance(manifest, dict) and "spec" not in manifest:
        message = (
            "spec is missing: the API server takes such an endpoint, and the operator can do nothing with it."
        )
        traversal.problems.append(
            SchemaProblem(
                kind="missing", path=("spec",), value=None, message=message, fix="Add spec.", refused=False
            )
        )
    metadata = manifest.get("metadata") if isinstance(manifest, dict) else None
    if metadata is not None and not isinstance(metadata, dict):
        return
    if not metadata or not (metadata.get("name") or metadata.get("generateName")):
        traversal.report(
            "missing",
            ("metadata", "name"),
            None,
            "metadata.name is missing, and it is required.",
            "Add metadata.name.",
        )


def _about_kind(kind: Kind, manifest: Any, message: str, fix: str) -> SchemaProblem:
    if kind is Kind.NOT_KUBERNETES:
        return SchemaProblem(kind="not-kubernetes", path=(), value=manifest, message=message, fix=fix)
    field = "apiVersion" if kind is Kind.WRONG_API_VERSION else "kind"
    problem = "wrong-api-version" if kind is Kind.WRONG_API_VERSION else "wrong-kind"
    path: Path = (field,) if field in manifest else ()
    return SchemaProblem(kind=problem, path=path, value=manifest.get(field), message=message, fix=fix)


def _fragment(manifest: dict[Any, Any], release: str | None) -> list[SchemaProblem]:
    """Faults of a piece such as a lone ``resources:`` block, compared with where it would stand."""
    tree = root()
    spec = tree.fields["spec"]
    homes = (tree, spec, spec.fields["worker"], spec.fields["pdSpec"].fields["prefillSpec"])
    home = next((node for node in homes if manifest and all(key in node.fields for key in manifest)), None)
    if home is None:
        return []
    traversal, placeholders = _start(tree, manifest, release)
    for key, value in manifest.items():
        traversal.visit(home.fields[key], value, (key,))
    return _settled(placeholders, traversal)
