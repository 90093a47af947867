"""
What it checks
--------------
That at least one instance group has nodes without accelerators and of the architecture that the operator's
image is built for.

Why it matters
--------------
The add-ons become active only when their pods run. With GPU nodes alone the system pods share the decoder's
node; with none, or only arm64 ones, they stay Pending and the deployment ends after hours.

When this is fine
-----------------
Where system pods are meant to share the GPU nodes, in an experiment.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import instance_types, requirements
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.document import Path
    from hyperpod_dpd.view.environment import EnvironmentView

RULE = Rule(
    id="DPD219",
    name="system-group",
    severity=Severity.ERROR,
    title="No instance group can run the operator and the other system pods",
    fix=(
        "add an instance group of amd64 nodes without GPUs, such as {instance_type: ml.m5.4xlarge, count: 2}"
    ),
    sources=(
        "HyperPod CLI repository, inference operator chart: affinity to amd64",
        "SageMaker developer guide, troubleshooting of the inference add-on's installation",
    ),
    applies_to=AppliesTo.ENVIRONMENT,
    covers=(
        "R32",
        "A-13",
        "A-19",
        "HI-0.9",
    ),
    waivable=True,
    tags=(
        "placement",
        "addons",
    ),
    example=Example(
        of="environment",
        before="cluster: {instance_groups: {system: {instance_type: ml.m7g.4xlarge}}}",
        after="cluster: {instance_groups: {system: {instance_type: ml.m5.4xlarge}}}",
    ),
)

_PATH: Path = ("cluster", "instance_groups")


def check(environment: EnvironmentView) -> Iterator[Hit]:
    wanted = str(requirements.requirement("operator_architecture").value)
    groups = [(g, instance_types.get(g.instance_type)) for g in environment.blueprint.cluster.groups]
    plain = [(g, t) for g, t in groups if t is not None and not t.gpus and t.accelerator is None]
    fitting = [g for g, t in plain if t is not None and t.architecture == wanted]
    if any(g.count for g in fitting) or any(t is None for _, t in groups):
        return
    if fitting:
        group = fitting[0]
        yield Hit(
            (*_PATH, group.name, "count"), f"group '{group.name}' could run the system pods, but has no nodes"
        )
    elif plain:
        for group, known in plain:
            architecture = known.architecture if known is not None else "another architecture"
            yield Hit(
                (*_PATH, group.name, "instance_type"),
                f"{group.instance_type} is {architecture}, and the operator runs on {wanted} only; no other group "
                "is without GPUs",
            )
    else:
        yield Hit(
            _PATH, "every instance group has accelerators; the operator and the router need plain nodes"
        )
