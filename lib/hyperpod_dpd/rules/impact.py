"""One line that says what a change does in all, before anybody reads the findings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hyperpod_dpd.view.change import ChangeView, RemovalView
    from hyperpod_dpd.view.environment_change import EnvironmentChangeView


def impact(
    changes: Iterable[ChangeView],
    removals: Sequence[RemovalView],
    environments: Sequence[EnvironmentChangeView],
    refused: Iterable[str],
    unknown: Iterable[str],
) -> str:
    """Pods and GPUs that a change touches, and what cannot be done in place.

    ``refused`` are places that the operator rejects, ``unknown`` files that could not be judged.
    """
    pods = sum(_restarting(change) for change in changes)
    removed = sum(role.replicas for removal in removals for role in removal.before.roles)
    found = [each for view in environments for each in view.consequences]
    gpus = sum(view.gpus_added for view in environments)
    parts = [
        _many(pods, "pod", "restarts", "restart"),
        _many(removed, "pod", "goes", "go"),
        f"{abs(gpus)} GPUs {'added' if gpus > 0 else 'given back'}" if gpus else "",
    ]
    lasting = list(dict.fromkeys([*(each.fact for each in found if each.lasting), *refused]))
    told = [*filter(None, parts), *([f"cannot be done in place: {', '.join(lasting)}"] if lasting else [])]
    told += [f"not known of {file}, which cannot be used" for file in unknown]
    return ", ".join(told) or "nothing that runs is touched"


def _many(number: int, what: str, one: str, more: str) -> str:
    if number == 0:
        return ""
    return f"1 {what} {one}" if number == 1 else f"{number} {what}s {more}"


def _restarting(change: ChangeView) -> int:
    """Pods of roles whose template differs; a renamed endpoint is another object, all its pods are new."""
    if change.renamed or change.switched:
        return sum(role.replicas for role in change.before.roles)
    shared = (("worker", "image"), ("modelName",), ("modelSourceConfig",))
    whole = bool(change.variables) or any(change.changed(*path) for path in shared)
    return sum(now.replicas for was, now in change.roles if whole or was.restarts_for(now))
