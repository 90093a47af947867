"""What an operator release has of the fields: which are newer than it, and a manifest without those."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.catalog import operator_releases
from hyperpod_dpd.catalog.versions import OperatorRelease

if TYPE_CHECKING:
    from hyperpod_dpd.catalog.manifest_fields import Field


def release_number(release: str) -> tuple[int, ...]:
    """An operator release ('3.2', 'v3.1.2') as a comparable tuple. Raises ValueError for another string."""
    if not re.fullmatch(r"v?[0-9]+(\.[0-9]+)*", release):
        raise ValueError(f"'{release}' is not an operator release. Write it like '3.2'.")
    parts = [int(part) for part in release.removeprefix("v").split(".")]
    while parts and parts[-1] == 0:
        parts.pop()
    return tuple(parts)


def is_newer(node: Field, release: str | None) -> bool:
    """Whether ``node`` came after ``release``; never when the release is not known."""
    return bool(release and node.since) and release_number(node.since) > release_number(release or "0")


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
