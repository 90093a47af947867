"""Endpoints beside what they were before: rules about changes and removals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.engine import Subject
from hyperpod_dpd.rules.judging import FileView, Judged, Run
from hyperpod_dpd.rules.rule import AppliesTo, Match
from hyperpod_dpd.view.change import pair
from hyperpod_dpd.view.context import Context

if TYPE_CHECKING:
    from pathlib import Path

    from hyperpod_dpd.document import Document
    from hyperpod_dpd.view.endpoint import EndpointView
    from hyperpod_dpd.view.inputs import Inputs

_HOW = "compare with a state whose document is valid"


def check_change(run: Run, endpoints: Sequence[Judged], previous: Inputs) -> None:
    """Judges every endpoint that was there before, and those that are gone."""
    before = [*_manifests(run, previous)]
    unusable = False
    for document, path in previous.environments:
        views = _environment(run, document, path)
        unusable |= views is None
        before += views or []
    pairing = pair(before, [(each.scope, each.view) for each in endpoints])
    accepted = {id(each.view): each.acknowledgements for each in endpoints}
    for change in pairing.changes:
        run.judge(Subject(change, (AppliesTo.CHANGE,), accepted[id(change.after)]))
    if run.options.removals and not unusable:
        for removal in pairing.removed:
            run.judge(Subject(removal, (AppliesTo.REMOVAL,)))


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


def _environment(run: Run, document: Document, path: Path) -> list[tuple[str, EndpointView]] | None:
    """Endpoints of an earlier environment; None, with a note, where its document cannot be used."""
    from hyperpod_dpd.blueprint.resolve import resolve
    from hyperpod_dpd.config import InvalidEnvironment, load_document
    from hyperpod_dpd.document import UnreadableInput
    from hyperpod_dpd.rules.check_environment import scope_of
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
    return [(scope, view) for view in environment_endpoints(loaded, blueprint)]
