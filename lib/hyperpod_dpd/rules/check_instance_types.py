"""One wrong instance type is one finding: what follows from it alone is not told as so many faults."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint.resolve import resolve
from hyperpod_dpd.catalog import instance_types
from hyperpod_dpd.catalog.instance_type_regions import absent
from hyperpod_dpd.config import InvalidEnvironment, load_document
from hyperpod_dpd.config.closeness import closest
from hyperpod_dpd.config.mending import Mend, mended
from hyperpod_dpd.document import Path
from hyperpod_dpd.rules.rule import Match
from hyperpod_dpd.view.environment import EnvironmentView

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.model import Blueprint
    from hyperpod_dpd.config import LoadedEnvironment
    from hyperpod_dpd.rules.judging import Run

_RULE = "DPD201"


def with_listed_types(
    run: Run, loaded: LoadedEnvironment, blueprint: Blueprint
) -> tuple[LoadedEnvironment, Blueprint]:
    """Tells every type of a disaggregated role's group that AWS does not list; the rest is judged as if it were one.

    A type that somebody accepts with a reason stays, with all that follows from it.
    """
    wrong = dict(_wrong(loaded, blueprint))
    if not wrong:
        return loaded, blueprint
    view = EnvironmentView(loaded, blueprint)
    for name in dict.fromkeys(wrong.values()):
        groups = [group for group, kind in wrong.items() if kind == name]
        close = closest(name, instance_types.dpd_types())
        run.add(
            _RULE,
            view,
            Match(
                _place(groups[0]),
                f"{name} (of {' and '.join(groups)}) is not supported for DPD: {instance_types.why_not_for_dpd(name)}",
                fix=f"did you mean {close}?" if close and instance_types.get(name) is None else None,
            ),
        )
    mends = [Mend("set", _place(group), _instead(name, loaded, blueprint)) for group, name in wrong.items()]
    return _judged_as(loaded, mends) or (loaded, blueprint)


def _place(group: str) -> Path:
    return ("cluster", "instance_groups", group, "instance_type")


def _wrong(loaded: LoadedEnvironment, blueprint: Blueprint) -> Iterator[tuple[str, str]]:
    """Group and type, of disaggregated endpoints that do not accept it."""
    if blueprint.cluster.existing is not None or loaded.environment.acknowledge.get(_RULE):
        return
    types = {group.name: group.instance_type for group in blueprint.cluster.groups}
    for plan in blueprint.endpoints:
        if plan.topology != "disaggregated" or loaded.environment.endpoints[plan.name].acknowledge.get(_RULE):
            continue
        for role in plan.roles:
            if types[role.group] not in instance_types.dpd_types():
                yield role.group, types[role.group]


def _instead(name: str, loaded: LoadedEnvironment, blueprint: Blueprint) -> str:
    """The listed type that the rest is judged by: the one meant, one that the cluster has, one that the Region has."""
    listed = [kind for kind in instance_types.dpd_types() if not absent(kind, blueprint.region)]
    used = [group.instance_type for group in blueprint.cluster.groups if group.instance_type in listed]
    misspelt = closest(name, listed) if instance_types.get(name) is None else None
    return misspelt or next(iter([*used, *listed, *instance_types.dpd_types()]))


def _judged_as(loaded: LoadedEnvironment, mends: list[Mend]) -> tuple[LoadedEnvironment, Blueprint] | None:
    path = loaded.folder / f"{loaded.name}.yaml"
    try:
        other = load_document(mended(loaded.document, mends), path)
    except InvalidEnvironment as error:
        if error.loaded is None:
            return None
        other = error.loaded
    try:
        return other, resolve(other)
    except InvalidEnvironment:  # a lock, say, whose fault is told already
        return None
