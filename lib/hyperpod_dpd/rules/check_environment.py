"""One environment judged: the document's shape, the whole, and each endpoint that it leads to."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint.resolve import resolve
from hyperpod_dpd.config import InvalidEnvironment, load_document
from hyperpod_dpd.document import Document, Path, UnreadableInput, dotted
from hyperpod_dpd.rules import acknowledge
from hyperpod_dpd.rules.check_instance_types import with_listed_types
from hyperpod_dpd.rules.engine import Subject
from hyperpod_dpd.rules.judging import FileView, Judged, Run, endpoint_kinds
from hyperpod_dpd.rules.rule import AppliesTo, Match
from hyperpod_dpd.view.build import environment_endpoints
from hyperpod_dpd.view.environment import EnvironmentView
from hyperpod_dpd.view.origin import Location

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.model import Blueprint
    from hyperpod_dpd.config import LoadedEnvironment
    from hyperpod_dpd.view.endpoint import EndpointView


def scope_of(path: FilePath) -> str:
    """How endpoints of this environment are told from those of another."""
    return f"environment {path.stem}"


def check_environment(run: Run, document: Document, path: FilePath) -> list[Judged]:
    """Judges one environment document; returns its endpoints."""
    scope = scope_of(path)
    found = _load(run, document, path, scope)
    if found is None:
        run.unjudged.append(document.file)
        return []
    loaded, blueprint = with_listed_types(run, *found)
    run.digests.setdefault(loaded.name, set()).add(blueprint.source_digest)
    accepted = loaded.environment.acknowledge
    whole = Subject(
        EnvironmentView(loaded, blueprint),
        (AppliesTo.ENVIRONMENT,),
        acknowledge.from_mapping(accepted, ("acknowledge",)),
    )
    run.judge(whole)
    run.environments[scope] = EnvironmentView(loaded, blueprint)
    for note in blueprint.notes:
        # What the blueprint leaves out is judged by no rule below: say so.
        what, _, remedy = note.message.partition("; ")
        place: Path = tuple(note.subject.split("."))
        run.add("DPD003", whole.view, Match(place, f"{note.subject}: {what}", fix=remedy or None))
    effect = whole.effect
    endpoints: list[Judged] = []
    # Not by the name in the manifest: an override may have written another there.
    names = [plan.name for plan in blueprint.endpoints if plan.manifest is not None]
    views = environment_endpoints(loaded, blueprint, crd=run.options.crd)
    for name, view in zip(names, views, strict=True):
        subject = _check_endpoint(run, loaded, name, view)
        effect.add(subject.effect)
        endpoints.append(Judged(scope, view, subject.acknowledgements))
    run.add_faults(whole.view, acknowledge.faults(whole.acknowledgements, effect, annotation=False))
    run.judge_together(endpoints)
    return endpoints


def _load(
    run: Run, document: Document, path: FilePath, title: str
) -> tuple[LoadedEnvironment, Blueprint] | None:
    view = FileView(document, title)
    try:
        loaded = load_document(document, path)
        return loaded, resolve(loaded)
    except InvalidEnvironment as error:
        for fault in error.faults:
            place = Location(fault.file, fault.position.line, fault.position.column, dotted(fault.path))
            run.add(fault.kind, view, Match(fault.path, fault.message, fix=fault.fix), place=place)
        return _in_spite_of(error)
    except UnreadableInput as error:
        run.add("DPD014", view, Match((), f"a file it names cannot be used: {error}"))
    return None


def _in_spite_of(error: InvalidEnvironment) -> tuple[LoadedEnvironment, Blueprint] | None:
    """What a document with faults leads to all the same, so that the rules speak in the same run; often nothing."""
    if error.loaded is None:
        return None
    try:
        return error.loaded, resolve(error.loaded)
    except Exception:  # its faults are told already, and a name that points nowhere may break anything
        return None


def _check_endpoint(run: Run, loaded: LoadedEnvironment, name: str, view: EndpointView) -> Subject:
    """Judges one endpoint, by its own acknowledgements first and then by the environment's."""
    endpoint = loaded.environment.endpoints[name]
    own = acknowledge.from_mapping(endpoint.acknowledge, ("acknowledge",))
    shared = [
        a
        for a in acknowledge.from_mapping(loaded.environment.acknowledge, ())
        if a.rule not in endpoint.acknowledge
    ]
    subject = Subject(view, endpoint_kinds(view), [*own, *shared])
    run.judge(subject)
    section = _EndpointSection(loaded, name, view.title)
    run.add_faults(section, acknowledge.faults(own, subject.effect, annotation=False))
    return subject


@dataclass(frozen=True, slots=True)
class _EndpointSection:
    """An endpoint's own section of the environment document, in that document's paths."""

    loaded: LoadedEnvironment
    name: str
    title: str

    def locate(self, path: Path) -> Location:
        full = ("endpoints", self.name, *path)
        position = self.loaded.document.where_key(full)
        return Location(self.loaded.document.file, position.line, position.column, dotted(full))
