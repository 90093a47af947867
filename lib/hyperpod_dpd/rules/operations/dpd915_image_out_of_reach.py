"""
What it checks
--------------
That in a closed network the worker image comes from a private ECR registry, which the interface endpoints
reach.

Why it matters
--------------
Public registries, AWS's public gallery among them, are on the internet. The pods stay in ContainerCreating with
a timeout in their events.

When this is fine
-----------------
Never.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import requirements
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD915",
    name="image-out-of-reach",
    severity=Severity.ERROR,
    title="The image is outside a network that has no way out",
    fix="set images.registry to mirror, or name the private ECR repository that holds your copy",
    sources=(
        "HyperPod EKS Terraform modules of awsome-distributed-ai, closed network: image mirror",
        "Amazon ECR user guide: public registries have no interface endpoint",
    ),
    applies_to=AppliesTo.ENDPOINT,
    covers=(
        "R57",
        "HI-1.2c",
    ),
    tags=(
        "network",
        "images",
    ),
    example=Example(
        of="environment",
        before="""
network: {closed: true}
images: {registry: public}
""",
        after="""
network: {closed: true}
images: {registry: mirror}
""",
    ),
)


@cache
def _private() -> re.Pattern[str]:
    return re.compile(str(requirements.requirement("private_registry_pattern").value))


def check(endpoint: EndpointView) -> Iterator[Hit]:
    reference = endpoint.image.reference
    if reference is None or (endpoint.context.network is None and not endpoint.disaggregated):
        return
    if not _private().fullmatch(reference.registry) and endpoint.network.closed:
        yield Hit(
            ("spec", "worker", "image"),
            f"the image comes from {reference.registry}, and the network is closed",
        )
