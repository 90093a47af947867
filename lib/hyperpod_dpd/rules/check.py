"""From inputs to a report: every environment, manifest and template judged, all findings at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.document import Document
from hyperpod_dpd.rules import acknowledge
from hyperpod_dpd.rules.engine import Subject
from hyperpod_dpd.rules.finding import Report, ordered
from hyperpod_dpd.rules.judging import FileView, Judged, Options, Run, endpoint_kinds
from hyperpod_dpd.rules.rule import AppliesTo, Match, Severity
from hyperpod_dpd.view.context import Context
from hyperpod_dpd.view.origin import Location

if TYPE_CHECKING:
    from hyperpod_dpd.document import Path
    from hyperpod_dpd.view.endpoint import EndpointView
    from hyperpod_dpd.view.folders import Skipped
    from hyperpod_dpd.view.inputs import Inputs, KubernetesObject

__all__ = ["Options", "check"]


def check(inputs: Inputs, options: Options | None = None) -> Report:
    """Findings of all rules over everything that was read."""
    run = Run(options or Options())
    for skipped in inputs.skipped:
        add_skipped(run, skipped)
    endpoints: list[Judged] = []
    if inputs.environments:
        from hyperpod_dpd.rules.check_environment import check_environment

        for document, path in inputs.environments:
            endpoints += check_environment(run, document, path)
    manifests = check_objects(run, inputs.objects, inputs.roots)
    if any(item.value.get("kind") == "Kustomization" for item in inputs.objects):
        from hyperpod_dpd.rules.check_rendered import check_rendered

        check_rendered(run, inputs)
    run.judge_together(manifests)
    endpoints += manifests
    if run.options.crd is not None:
        run.judge(Subject(run.options.crd, (AppliesTo.CRD,)))
    if run.options.previous is not None:
        from hyperpod_dpd.rules.check_change import check_change

        run.unjudged += inputs.unreadable
        check_change(run, endpoints, run.options.previous)
    if inputs.templates:
        from hyperpod_dpd.rules.check_templates import check_templates

        check_templates(run, inputs, manifests)
    return Report(
        findings=ordered(run.findings), files=inputs.files, templates=len(inputs.templates), impact=run.impact
    )


def check_objects(run: Run, objects: Sequence[KubernetesObject], roots: Sequence[str]) -> list[Judged]:
    """Judges every Kubernetes object by itself; returns its endpoints."""
    from hyperpod_dpd.iec.identity import Kind, identify
    from hyperpod_dpd.kinds.definitions import Definitions
    from hyperpod_dpd.view.build import manifest_endpoint
    from hyperpod_dpd.view.configured import configured
    from hyperpod_dpd.view.inputs import scope_of
    from hyperpod_dpd.view.object import ObjectView

    options = run.options
    context = Context(
        operator=options.operator,
        geometry=options.geometry,
        crd=options.crd,
        configured=configured(item.value for item in objects),
    )
    endpoints: list[Judged] = []
    seen: set[int] = set()
    definitions = Definitions.of(item.value for item in objects)
    for item in objects:
        if id(item.document) not in seen:
            seen.add(id(item.document))
            add_repeated_keys(run, item.document, item.title)
        identity = identify(item.value)
        if identity.kind is not Kind.ENDPOINT:
            run.judge(Subject(ObjectView(item, definitions), (AppliesTo.OBJECT,)))
        if not identity.is_endpoint:
            continue
        view = manifest_endpoint(item.document, item.base, item.value, context)
        subject = Subject(view, endpoint_kinds(view), _annotated(view))
        run.judge(subject)
        run.add_faults(view, acknowledge.faults(subject.acknowledgements, subject.effect, annotation=True))
        endpoints.append(Judged(scope_of(item.document.file, roots), view, subject.acknowledgements))
    return endpoints


def _annotated(view: EndpointView) -> list[acknowledge.Acknowledgement]:
    path: Path = ("metadata", "annotations", names.ACKNOWLEDGE_ANNOTATION)
    return acknowledge.from_annotation(view.acknowledgement_text, path)


def add_repeated_keys(run: Run, document: Document, title: str) -> None:
    """Faults of the text itself, such as a key written twice."""
    for problem in document.problems:
        run.add("DPD008", FileView(document, title), Match(problem.path, problem.message, fix=problem.fix))


def add_skipped(run: Run, skipped: Skipped) -> None:
    """What a walked folder holds and nobody judged."""
    place = Location(skipped.file, skipped.line, skipped.column, "")
    match = Match((), skipped.message, Severity.WARNING if skipped.notable else Severity.INFO, skipped.fix)
    run.add("DPD009", FileView(Document(None, skipped.file), skipped.file), match, place=place)
