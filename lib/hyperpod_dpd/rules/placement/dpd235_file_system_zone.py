"""
What it checks
--------------
That the environment's file system is in the zone of every endpoint that loads its weights from it.

Why it matters
--------------
Reading across zones works, slower, and every gigabyte is billed as transfer between zones. A cold start reads
the whole model on every node.

When this is fine
-----------------
Where one file system serves endpoints in two zones and the second loads rarely.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.environment import EnvironmentView

RULE = Rule(
    id="DPD235",
    name="file-system-zone",
    severity=Severity.WARNING,
    title="The file system stands in another zone than the nodes that load from it",
    fix="place the file system in the zone of the endpoint's instance groups",
    sources=(
        "SageMaker developer guide, HyperPod on EKS with FSx for Lustre",
        "FSx for Lustre user guide: access from the same zone",
    ),
    applies_to=AppliesTo.ENVIRONMENT,
    covers=("HI-1.1c",),
    tags=("storage",),
    example=Example(
        of="environment",
        before="""
network: {accelerator_zones: [usw2-az2, usw2-az3]}
cluster: {instance_groups: {system: {zone: usw2-az2}, prefill: {zone: usw2-az2}, decode: {zone: usw2-az2}}}
storage: {file_system: {zone: usw2-az3}}
endpoints: {llama-70b: {model: {weights: {s3: null, fsx: {path: models/llama}}}}}
""",
        after="""
network: {accelerator_zones: [usw2-az2, usw2-az3]}
cluster: {instance_groups: {system: {zone: usw2-az2}, prefill: {zone: usw2-az2}, decode: {zone: usw2-az2}}}
storage: {file_system: {zone: usw2-az2}}
endpoints: {llama-70b: {model: {weights: {s3: null, fsx: {path: models/llama}}}}}
""",
    ),
)


def check(environment: EnvironmentView) -> Iterator[Hit]:
    system = environment.document.storage.file_system
    if system is None:
        return
    zone = system.zone or environment.document.network.accelerator_zones[0].id
    for endpoint in environment.blueprint.endpoints:
        source = environment.document.endpoints[endpoint.name].model.weights.fsx
        if source is not None and source.file_system_id is None and endpoint.zone_id != zone:
            yield Hit(
                ("storage", "file_system", "zone"),
                f"the file system is in {zone}, endpoint '{endpoint.name}', which loads from it, in {endpoint.zone_id}",
            )
