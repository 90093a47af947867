"""What a cluster refuses of one object that is no endpoint: its shape, its metadata, and parts that contradict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.iec.outside_schema import metadata_problems
from hyperpod_dpd.iec.placeholders import find_placeholders
from hyperpod_dpd.iec.traversal import Traversal
from hyperpod_dpd.kinds.builtin import tree_of
from hyperpod_dpd.kinds.coherence import contradictions

if TYPE_CHECKING:
    from hyperpod_dpd.catalog.manifest_fields import Field
    from hyperpod_dpd.iec.problem import SchemaProblem


def object_problems(value: Mapping[str, Any], version: str | None = None) -> list[SchemaProblem] | None:
    """Faults of one of Kubernetes' own kinds in a version of it; None for a kind that is none of them."""
    api_version, kind = value.get("apiVersion"), value.get("kind")
    if not isinstance(api_version, str) or not isinstance(kind, str):
        return None
    tree = tree_of(api_version, kind, version)
    return None if tree is None else list(_judged(tree, value))


def problems_by(tree: Field, value: Mapping[str, Any]) -> list[SchemaProblem]:
    """Faults of an object by any field tree, such as that of a definition that lies in the same folder."""
    return list(_judged(tree, value))


def _judged(tree: Field, value: Mapping[str, Any]) -> Iterator[SchemaProblem]:
    skip = frozenset(
        path for found in find_placeholders(value) for path in (found.path, *found.also) if found.path
    )
    traversal = Traversal(tree, None, skip)
    traversal.visit(tree, value, ())
    yield from traversal.problems
    yield from metadata_problems(value)
    yield from contradictions(value)
