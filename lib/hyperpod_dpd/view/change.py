"""An endpoint beside what it was before, for what the operator rejects, replaces, or does to one side only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.view.origin import Location

if TYPE_CHECKING:
    from hyperpod_dpd.document import Path
    from hyperpod_dpd.view.endpoint import EndpointView
    from hyperpod_dpd.view.role import RoleView


class ChangeView:
    """``before`` and ``after`` of one endpoint; paths and facts are those of ``after``."""

    def __init__(self, before: EndpointView, after: EndpointView) -> None:
        self.before = before
        self.after = after

    @property
    def title(self) -> str:
        return self.after.title

    def locate(self, path: Path) -> Location:
        return self.after.locate(path)

    @property
    def renamed(self) -> bool:
        """Whether Kubernetes sees another object: other name or other namespace."""
        return identity(self.before) != identity(self.after)

    def changed(self, *path: str | int) -> bool:
        """Whether the value at ``path`` under ``spec`` differs."""
        return bool(self.before.get(*path) != self.after.get(*path))

    @cached_property
    def switched(self) -> bool:
        """Whether the endpoint went from colocated to disaggregated or back."""
        return self.before.disaggregated != self.after.disaggregated

    @cached_property
    def roles(self) -> tuple[tuple[RoleView, RoleView], ...]:
        """Each role that was there before and is there now."""
        old = {role.role: role for role in self.before.roles}
        return tuple((old[role.role], role) for role in self.after.roles if role.role in old)

    @cached_property
    def variables(self) -> Mapping[str, tuple[str | None, str | None]]:
        """Environment variables whose value differs: what it was and is, None where it is absent."""
        old, new = _variables(self.before), _variables(self.after)
        return {
            name: (old.get(name), new.get(name))
            for name in sorted({*old, *new})
            if old.get(name) != new.get(name)
        }


@dataclass(frozen=True, slots=True)
class RemovalView:
    """An endpoint that an earlier state has and the present one lacks; places are those of the earlier."""

    before: EndpointView

    @property
    def title(self) -> str:
        return self.before.title

    def locate(self, path: Path) -> Location:
        return self.before.locate(path)


def _variables(endpoint: EndpointView) -> dict[str, str]:
    listed = endpoint.get("worker", "environmentVariables")
    entries = listed if isinstance(listed, list) else []
    places = {variable.path[-1]: name for name, variable in endpoint.environment.items()}
    found: dict[str, str] = {}
    for index, name in places.items():
        variable = endpoint.environment[name]
        source = entries[index].get("valueFrom") if isinstance(index, int) else None
        found[name] = variable.value if variable.value is not None else f"from {source}"
    return found


def identity(endpoint: EndpointView) -> tuple[str, str]:
    """Namespace and name, by which Kubernetes knows an object."""
    return endpoint.namespace, endpoint.name


@dataclass(frozen=True, slots=True)
class Pairing:
    """Which endpoint became which. ``removed`` have no successor."""

    changes: tuple[ChangeView, ...]
    removed: tuple[RemovalView, ...]


def pair(before: list[tuple[str, EndpointView]], after: list[tuple[str, EndpointView]]) -> Pairing:
    """Pairs endpoints of two states, each given with the scope it was found in (an environment, a file).

    The same namespace and name in the same scope first, then in any scope if only one is left, then, as renamed,
    those whose specifications are alike.
    """
    old, new = list(before), list(after)
    changes: list[ChangeView] = []

    def take(matches: Iterator[tuple[tuple[str, EndpointView], tuple[str, EndpointView]]]) -> None:
        for was, now in matches:
            if was in old and now in new:
                old.remove(was)
                new.remove(now)
                changes.append(ChangeView(was[1], now[1]))

    take(_same(old, new, scoped=True))
    take(_same(old, new, scoped=False))
    take(_alike(old, new))
    order = {id(view): position for position, (_, view) in enumerate(after)}
    changes.sort(key=lambda change: order[id(change.after)])
    return Pairing(tuple(changes), tuple(RemovalView(view) for _, view in old))


_Scoped = tuple[str, "EndpointView"]


def _same(old: list[_Scoped], new: list[_Scoped], *, scoped: bool) -> Iterator[tuple[_Scoped, _Scoped]]:
    for now in list(new):
        found = [
            was for was in old if identity(was[1]) == identity(now[1]) and (not scoped or was[0] == now[0])
        ]
        rivals = [each for each in new if identity(each[1]) == identity(now[1])]
        if len(found) == 1 and (scoped or len(rivals) == 1):
            yield found[0], now


ALIKE = 0.6
"""Share of equal fields from which an endpoint of another name counts as the old one renamed."""


def _alike(old: list[_Scoped], new: list[_Scoped]) -> Iterator[tuple[_Scoped, _Scoped]]:
    scores = [
        (likeness(was[1], now[1]), was[0] == now[0], was, now) for was in list(old) for now in list(new)
    ]
    for score, _, was, now in sorted(scores, key=lambda entry: (-entry[0], not entry[1])):
        if score >= ALIKE and _name(was[1]) and _name(now[1]):
            yield was, now


def _name(endpoint: EndpointView) -> str:
    return endpoint.name


def likeness(one: EndpointView, other: EndpointView) -> float:
    """Share of the leaves of both specifications that are equal, endpointName aside."""
    left, right = dict(_leaves(one.spec, ())), dict(_leaves(other.spec, ()))
    keys = {key for key in {*left, *right} if key[:1] != ("endpointName",)}
    same = sum(left.get(key) == right.get(key) for key in keys if key in left and key in right)
    return same / len(keys) if keys else 0.0


def _leaves(value: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(value, Mapping):
        for key, child in value.items():
            yield from _leaves(child, (*path, str(key)))
    elif isinstance(value, list):
        for index, child in enumerate(value):
            yield from _leaves(child, (*path, str(index)))
    else:
        yield path, value
