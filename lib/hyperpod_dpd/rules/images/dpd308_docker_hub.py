"""
What it checks
--------------
Whether a disaggregated endpoint pulls its worker image from Docker Hub: a warning in production, else a note.

Why it matters
--------------
Docker Hub limits anonymous pulls by source address, and all nodes of a VPC usually share one. A scale-out or a
replaced node then waits for its image at the worst time, and a closed network cannot reach it at all.

When this is fine
-----------------
In development, and where a pull-through cache rewrites the name on the node.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD308",
    name="docker-hub-image",
    severity=Severity.INFO,
    title="The worker image comes from Docker Hub",
    fix="mirror the image into ECR, or name it through an ECR pull-through cache",
    sources=("our own judgement, from Docker Hub's published pull limits",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R57",),
    tags=("image",),
    example=Example(
        before="spec: {worker: {image: lmcache/vllm-openai:v0.4.3}}",
        after="spec: {worker: {image: '111122223333.dkr.ecr.us-west-2.amazonaws.com/lmcache/vllm-openai:v0.4.3'}}",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    reference = endpoint.image.reference
    if reference is None or not reference.is_docker_hub:
        return
    severity = Severity.WARNING if endpoint.context.production else None
    yield Hit(
        ("spec", "worker", "image"),
        f"'{endpoint.image.text}' is pulled from Docker Hub, which limits pulls",
        severity,
    )
