"""Refuse a document that would replace what is locked, unless it says so with a reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.blueprint.changes import consequences
from hyperpod_dpd.blueprint.immutable import facts, gone
from hyperpod_dpd.config import Fault, InvalidEnvironment
from hyperpod_dpd.config.fault import FaultKind

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.model import Blueprint
    from hyperpod_dpd.config import LoadedEnvironment


def refuse_replacement(loaded: LoadedEnvironment, blueprint: Blueprint) -> None:
    """Raises InvalidEnvironment with every locked fact that this document would change without a reason."""
    faults = list(_faults(loaded, blueprint))
    if faults:
        raise InvalidEnvironment(loaded.document.file, faults)


def _faults(loaded: LoadedEnvironment, blueprint: Blueprint) -> Iterator[Fault]:
    allowed = loaded.environment.allow_replacement
    if not loaded.locks.immutable.facts:
        return
    lasting = [c for c in consequences(loaded.locks.immutable.facts, facts(blueprint)) if c.lasting]
    changes = {name for found in lasting for name in (found.fact, *found.with_it)}
    for found in lasting:
        if found.fact in allowed:
            continue
        becomes = f"becomes '{found.now}'" if found.now is not None else "would go"
        more = f" (with it: {', '.join(found.with_it)})" if found.with_it else ""
        yield Fault(
            loaded.document.file,
            loaded.document.where(found.place),
            found.place,
            f"'{found.fact}' is deployed as '{found.was}' and {becomes}; it cannot change in place: "
            f"{found.row.consequence}{more}",
            f"undo the change, or {found.way(loaded.name)}; if the loss is meant, write "
            f"`allow_replacement: {{'{found.fact}': reason}}`",
            FaultKind.LOCKED,
        )
    for name in allowed:
        if name not in changes and name not in loaded.locks.immutable.logical_ids:
            path = ("allow_replacement", name)
            yield Fault(
                loaded.document.file,
                loaded.document.where(path),
                path,
                f"nothing locked named '{name}' would be replaced",
                f"remove it; after a replacement `dpd lock {loaded.name}` writes the new facts",
                FaultKind.LOCKED,
            )


def lost_logical_ids(loaded: LoadedEnvironment, templates: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """A sentence for each stack and type of which a locked logical id is gone."""
    return [
        f"{loaded.document.file}: {key.replace(' ', ': ')} {', '.join(ids)} is locked and no more in the "
        "template: CloudFormation would delete what it names; keep the construct ids, or run "
        f"`dpd lock {loaded.name} --templates cdk.out` after the resource was moved on purpose"
        for key, ids in gone(loaded.locks.immutable, templates).items()
        if key not in loaded.environment.allow_replacement
    ]
