"""Leave out what an operator release would drop, so that nothing is rendered in vain."""

from __future__ import annotations

from typing import Any

from hyperpod_dpd.catalog import operator_releases
from hyperpod_dpd.catalog.versions import OperatorRelease


def prune(manifest: dict[str, Any], release: str) -> dict[str, Any]:
    """``manifest`` without the fields that are newer than ``release``; the argument is left as it is."""
    result = manifest
    for field in operator_releases.fields_newer_than(OperatorRelease.parse(release)):
        result = _without(result, tuple(field.path.split(".")))
    return result


def _without(value: Any, path: tuple[str, ...]) -> Any:
    head, rest = path[0].removesuffix("[]"), path[1:]
    if isinstance(value, list):
        return [_without(item, path) for item in value]
    if not isinstance(value, dict) or head not in value:
        return value
    if not rest:
        return {k: v for k, v in value.items() if k != head}
    return {k: _without(v, rest) if k == head else v for k, v in value.items()}
