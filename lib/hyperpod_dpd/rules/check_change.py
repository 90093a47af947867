"""Environments and endpoints beside what they were before: rules about changes and removals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hyperpod_dpd.rules import acknowledge
from hyperpod_dpd.rules.check_environment import scope_of
from hyperpod_dpd.rules.engine import Subject
from hyperpod_dpd.rules.impact import impact
from hyperpod_dpd.rules.judging import FileView, Judged, Run
from hyperpod_dpd.rules.rule import AppliesTo, Match, Severity
from hyperpod_dpd.view.change import pair
from hyperpod_dpd.view.context import Context
from hyperpod_dpd.view.environment_change import EnvironmentChangeView

if TYPE_CHECKING:
    from pathlib import Path

    from hyperpod_dpd.blueprint.model import Blueprint
    from hyperpod_dpd.document import Document
    from hyperpod_dpd.view.change import RemovalView
    from hyperpod_dpd.view.endpoint import EndpointView
    from hyperpod_dpd.view.inputs import Inputs

_REFUSED = {"DPD951"}
"""What the operator rejects on an endpoint that exists."""
_MOVED = "DPD958"
"""A role moves: where its environment tells why, that is told there."""
_HOW = "compare with a state whose document is valid"


def check_change(run: Run, endpoints: Sequence[Judged], previous: Inputs) -> None:
    """Judges every endpoint and every environment that was there before, and those that are gone."""
    before = [*_manifests(run, previous)]
    unusable = False
    environments: list[EnvironmentChangeView] = []
    for document, path in previous.environments:
        found = _environment(run, document, path)
        if found is None:
            unusable = True
            continue
        blueprint, views = found
        before += views
        now = run.environments.get(scope_of(path))
        if now is not None:
            environments.append(EnvironmentChangeView(blueprint, now))
    for each in environments:
        accepted = acknowledge.from_mapping(each.after.document.acknowledge, ("acknowledge",))
        run.judge(Subject(each, (AppliesTo.ENVIRONMENT_CHANGE,), accepted))
    pairing = pair(before, [(each.scope, each.view) for each in endpoints])
    accepted_of = {id(each.view): each.acknowledgements for each in endpoints}
    told = len(run.findings)
    for change in pairing.changes:
        run.judge(Subject(change, (AppliesTo.CHANGE,), accepted_of[id(change.after)]))
    explained = {each.locate(()).file for each in environments if each.moves}
    run.findings[told:] = [f for f in run.findings[told:] if f.id != _MOVED or f.file not in explained]
    refused = [f.path for f in run.findings[told:] if f.id in _REFUSED and f.severity is Severity.ERROR]
    removed = pairing.removed if run.options.removals and not unusable else ()
    if removed and run.unjudged:
        _removals_unknown(run, removed)
        removed = ()
    for removal in removed:
        run.judge(Subject(removal, (AppliesTo.REMOVAL,)))
    unknown = dict.fromkeys(line.partition(":")[0] for line in run.unjudged)
    run.impact = impact(pairing.changes, removed, environments, refused, unknown)


def _removals_unknown(run: Run, missing: Sequence[RemovalView]) -> None:
    """A document that cannot be read removes nothing."""
    names = ", ".join(sorted(removal.before.name for removal in missing))
    message = (
        f"whether {names} goes is not checked, because {run.unjudged[0].partition(':')[0]} cannot be used"
    )
    run.add("DPD003", missing[0], Match((), message, fix="correct its errors first"))


def _manifests(run: Run, previous: Inputs) -> list[tuple[str, EndpointView]]:
    from hyperpod_dpd.iec.identity import identify
    from hyperpod_dpd.view.build import manifest_endpoint
    from hyperpod_dpd.view.inputs import scope_of

    context = Context(operator=run.options.operator, geometry=run.options.geometry)
    return [
        (
            scope_of(item.document.file, previous.roots),
            manifest_endpoint(item.document, item.base, item.value, context),
        )
        for item in previous.objects
        if identify(item.value).is_endpoint
    ]


def _environment(
    run: Run, document: Document, path: Path
) -> tuple[Blueprint, list[tuple[str, EndpointView]]] | None:
    """What an earlier environment was, and its endpoints; None, with a note, where its document cannot be used."""
    from hyperpod_dpd.blueprint.resolve import resolve
    from hyperpod_dpd.config import InvalidEnvironment, load_document
    from hyperpod_dpd.document import UnreadableInput
    from hyperpod_dpd.view.build import environment_endpoints

    scope = scope_of(path)
    try:
        loaded = load_document(document, path)
        blueprint = resolve(loaded)
    except (InvalidEnvironment, UnreadableInput) as error:
        first = str(error).partition("\n")[0]
        message = f"changes are not checked, because the earlier document cannot be used: {first}"
        run.add("DPD003", FileView(document, scope), Match((), message, fix=_HOW))
        return None
    return blueprint, [(scope, view) for view in environment_endpoints(loaded, blueprint)]
