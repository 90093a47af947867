"""CloudFormation templates judged one by one, and beside the manifests of the same environment."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.engine import Subject
from hyperpod_dpd.rules.judging import Judged, Run
from hyperpod_dpd.rules.rule import AppliesTo, Match
from hyperpod_dpd.view.folders import ASSEMBLY_PREFIX
from hyperpod_dpd.view.pair_view import PairView
from hyperpod_dpd.view.template import TemplateView

if TYPE_CHECKING:
    from hyperpod_dpd.document import Document
    from hyperpod_dpd.view.inputs import Inputs, KubernetesObject


def check_templates(run: Run, inputs: Inputs, endpoints: Sequence[Judged]) -> None:
    """Judges every template, and every environment of which templates and endpoints were given."""
    assemblies: dict[str, list[Document]] = defaultdict(list)
    for document in inputs.templates:
        assemblies[str(PurePath(document.file).parent)].append(document)
    for beside in assemblies.values():
        for view in TemplateView(beside[0], beside).together:
            for problem in view.document.problems:
                run.add("DPD008", view, Match(problem.path, problem.message, fix=problem.fix))
            run.judge(Subject(view, (AppliesTo.TEMPLATE,)))
    accepted = [entry for endpoint in endpoints for entry in endpoint.acknowledgements]
    for name, templates, objects in _pairs(assemblies, inputs.objects):
        run.judge(Subject(PairView(name, templates, objects), (AppliesTo.PAIR,), accepted))


def _pairs(
    assemblies: Mapping[str, Sequence[Document]], objects: Sequence[KubernetesObject]
) -> list[tuple[str, Sequence[Document], list[KubernetesObject]]]:
    """Each assembly with the objects below a folder of its environment's name.

    Where one assembly alone is given, and no folder bears its name, all objects are taken for its own.
    """
    found = []
    for folder, templates in assemblies.items():
        name = PurePath(folder).name.removeprefix(ASSEMBLY_PREFIX)
        mine = [item for item in objects if name in PurePath(item.document.file).parent.parts]
        if not mine and len(assemblies) == 1:
            mine = list(objects)
        if any(item.value.get("kind") == "InferenceEndpointConfig" for item in mine):
            found.append((name, templates, mine))
    return found
