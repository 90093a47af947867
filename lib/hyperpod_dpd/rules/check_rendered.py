"""Rendered trees beside the documents they came from: a tree that its document no longer leads to is a finding."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from hyperpod_dpd.document import Document
from hyperpod_dpd.rules.judging import FileView, Run
from hyperpod_dpd.rules.rule import Match
from hyperpod_dpd.view.origin import Location
from hyperpod_dpd.view.rendered import AppMark, app_marks

if TYPE_CHECKING:
    from hyperpod_dpd.view.inputs import Inputs

STALE, OTHER_VERSION, NOT_CHECKED = "DPD020", "DPD021", "DPD003"


def check_rendered(run: Run, inputs: Inputs) -> None:
    """One finding for each environment whose tree is stale, of another version, or cannot be compared."""
    trees: dict[str, list[AppMark]] = defaultdict(list)
    for mark in app_marks(inputs):
        trees[mark.environment].append(mark)
    for environment, apps in trees.items():
        view = FileView(Document(None, apps[0].file), f"rendered tree of {environment}")
        for rule_id, mark, message, fix in _faults(run, environment, apps):
            run.add(rule_id, view, Match((), message, fix=fix), place=Location(mark.file, 2, 1, ""))


def _faults(
    run: Run, environment: str, apps: Sequence[AppMark]
) -> Iterator[tuple[str, AppMark, str, str | None]]:
    from hyperpod_dpd.blueprint.source import version

    now, document = version(), f"environments/{environment}.yaml"
    others = [app for app in apps if app.version != now]
    if others:
        theirs = ", ".join(sorted({app.version or "one that wrote no version" for app in others}))
        yield OTHER_VERSION, others[0], f"rendered by version {theirs}; this is {now}", None
    known = run.digests.get(environment)
    told = [app for app in apps if app.digest is not None]
    if known is None:
        if told:
            message = (
                f"not checked, because {document} is not among the inputs: whether the tree is up to date"
            )
            yield NOT_CHECKED, told[0], message, f"check both: `dpd check {document} dist/`"
        return
    stale = [app for app in told if app.digest not in known]
    if stale:
        share = "" if len(stale) == len(apps) else f" ({len(stale)} of {len(apps)} apps)"
        message = f"{document}, its outputs or its locks changed since the tree was rendered{share}"
        yield STALE, stale[0], message, None
