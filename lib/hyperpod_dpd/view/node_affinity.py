"""The instance types that a node affinity asks for, where an endpoint names its nodes by that alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.blueprint import names

if TYPE_CHECKING:
    from hyperpod_dpd.document import Path

_REQUIRED = ("requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms")
_PATH: Path = ("spec", "nodeAffinity", *_REQUIRED)


def required_types(affinity: Any) -> list[tuple[str, Path]]:
    """Instance types listed with operator In in any required term, each with its place; preferences do not count."""
    terms = affinity
    for key in _REQUIRED:
        terms = terms.get(key) if isinstance(terms, dict) else None
    return list(_listed(terms)) if isinstance(terms, list) else []


def _listed(terms: list[Any]) -> Iterator[tuple[str, Path]]:
    for number, term in enumerate(terms):
        expressions = term.get("matchExpressions") if isinstance(term, dict) else None
        for place, each in enumerate(expressions if isinstance(expressions, list) else []):
            if not isinstance(each, dict) or each.get("operator") != "In":
                continue
            values = each.get("values")
            if each.get("key") == names.INSTANCE_TYPE_LABEL and isinstance(values, list):
                path = (*_PATH, number, "matchExpressions", place, "values")
                yield from ((str(value), (*path, index)) for index, value in enumerate(values))
