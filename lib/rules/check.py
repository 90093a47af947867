"""From inputs to a report: every environment and every manifest judged, all findings at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from lib.blueprint import names
from lib.document import Document, Path, dotted
from lib.rules import acknowledge
from lib.rules.engine import Subject, engine_finding, judge
from lib.rules.finding import Finding, Report, ordered
from lib.rules.rule import AppliesTo, Hit
from lib.view.context import Context
from lib.view.origin import Location

if TYPE_CHECKING:
    from lib.catalog.versions import OperatorRelease
    from lib.config import LoadedEnvironment
    from lib.sizing.geometry import Geometry
    from lib.view.endpoint import EndpointView
    from lib.view.inputs import Inputs, KubernetesObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the command line adds to what the files say."""

    operator: OperatorRelease | None = None
    geometry: Geometry | None = None


@dataclass(slots=True)
class _Run:
    options: Options
    findings: list[Finding] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _FileView:
    """A document before anything is known of it but its text."""

    document: Document
    title: str

    def locate(self, path: Path) -> Location:
        position = self.document.where_key(path)
        return Location(self.document.file, position.line, position.column, dotted(path))


def check(inputs: Inputs, options: Options | None = None) -> Report:
    """Findings of all rules over everything that was read."""
    run = _Run(options or Options())
    for document, path in inputs.environments:
        _check_environment(run, document, path)
    endpoints = _check_objects(run, inputs.objects)
    run.findings += judge_together(endpoints)
    return Report(findings=ordered(run.findings), files=inputs.files)


def _check_environment(run: _Run, document: Document, path: FilePath) -> None:
    from lib.blueprint.resolve import resolve
    from lib.config import InvalidEnvironment, load_document
    from lib.document import UnreadableInput
    from lib.view.build import environment_endpoints
    from lib.view.environment import EnvironmentView

    title = f"environment {path.stem}"
    try:
        loaded = load_document(document, path)
        blueprint = resolve(loaded)
    except InvalidEnvironment as error:
        for fault in error.faults:
            place = Location(fault.file, fault.position.line, fault.position.column, dotted(fault.path))
            hit = Hit(fault.path, fault.message, fix=fault.fix)
            run.findings.append(engine_finding("DPD002", _FileView(document, title), hit, place=place))
        return
    except UnreadableInput as error:
        hit = Hit((), f"a file it names cannot be used: {error}")
        run.findings.append(engine_finding("DPD002", _FileView(document, title), hit))
        return
    whole = Subject(
        EnvironmentView(loaded, blueprint),
        (AppliesTo.ENVIRONMENT,),
        acknowledge.from_mapping(loaded.environment.acknowledge, ("acknowledge",)),
    )
    run.findings += judge(whole)
    views = environment_endpoints(loaded, blueprint)
    used = set(whole.used)
    for view in views:
        used |= _check_environment_endpoint(run, loaded, view)
    for rule_id, hit in acknowledge.faults(whole, elsewhere=frozenset(used), annotation=False):
        run.findings.append(engine_finding(rule_id, whole.view, hit))
    run.findings += judge_together(views)


def _check_environment_endpoint(run: _Run, loaded: LoadedEnvironment, view: EndpointView) -> set[str]:
    """Judges one endpoint; returns the rules of the environment's acknowledgements that matched here."""
    endpoint = loaded.environment.endpoints[view.name]
    own = acknowledge.from_mapping(endpoint.acknowledge, ("acknowledge",))
    shared = [
        a
        for a in acknowledge.from_mapping(loaded.environment.acknowledge, ())
        if a.rule not in endpoint.acknowledge
    ]
    subject = Subject(view, _endpoint_kinds(view), [*own, *shared])
    run.findings += judge(subject)
    mine = Subject(_EndpointSection(loaded, view), (), own, subject.used)
    for rule_id, hit in acknowledge.faults(mine, annotation=False):
        run.findings.append(engine_finding(rule_id, mine.view, hit))
    return subject.used


@dataclass(frozen=True, slots=True)
class _EndpointSection:
    """An endpoint's own section of the environment document, in that document's paths."""

    loaded: LoadedEnvironment
    endpoint: EndpointView

    @property
    def title(self) -> str:
        return self.endpoint.title

    def locate(self, path: Path) -> Location:
        full = ("endpoints", self.endpoint.name, *path)
        position = self.loaded.document.where_key(full)
        return Location(self.loaded.document.file, position.line, position.column, dotted(full))


def _check_objects(run: _Run, objects: Sequence[KubernetesObject]) -> list[EndpointView]:
    from lib.iec.identity import Kind, identify
    from lib.view.build import manifest_endpoint
    from lib.view.object import ObjectView

    context = Context(operator=run.options.operator, geometry=run.options.geometry)
    endpoints: list[EndpointView] = []
    seen: set[int] = set()
    for item in objects:
        if id(item.document) not in seen:
            seen.add(id(item.document))
            run.findings += repeated_keys(item.document, item.title)
        identity = identify(item.value)
        if identity.kind is not Kind.ENDPOINT:
            run.findings += judge(Subject(ObjectView(item), (AppliesTo.OBJECT,)))
        if not identity.is_endpoint:
            continue
        view = manifest_endpoint(item.document, item.base, item.value, context)
        endpoints.append(view)
        subject = Subject(view, _endpoint_kinds(view), _annotated(view))
        run.findings += judge(subject)
        for rule_id, hit in acknowledge.faults(subject, annotation=True):
            run.findings.append(engine_finding(rule_id, view, hit))
    return endpoints


def _annotated(view: EndpointView) -> list[acknowledge.Acknowledgement]:
    path: Path = ("metadata", "annotations", names.ACKNOWLEDGE_ANNOTATION)
    return acknowledge.from_annotation(view.acknowledgement_text, path)


def _endpoint_kinds(view: EndpointView) -> tuple[AppliesTo, ...]:
    kinds = (AppliesTo.MANIFEST, AppliesTo.ENDPOINT)
    return (*kinds, AppliesTo.DISAGGREGATED) if view.disaggregated else kinds


def repeated_keys(document: Document, title: str) -> list[Finding]:
    """Faults of the text itself, such as a key written twice."""
    return [
        engine_finding("DPD008", _FileView(document, title), Hit(p.path, p.message, fix=p.fix))
        for p in document.problems
    ]


def judge_together(views: Sequence[EndpointView]) -> list[Finding]:
    """Rules that need all endpoints of a run side by side, such as names that collide."""
    if len(views) < 2:
        return []
    from lib.view.together import EndpointsView

    return judge(Subject(EndpointsView(tuple(views)), (AppliesTo.INPUTS,)))
