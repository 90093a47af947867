"""
What it checks
--------------
Whether throughput per GPU is declared as an objective.

Why it matters
--------------
vLLM states that disaggregation does not improve throughput. AWS's higher figures compare an endpoint on two
nodes with one on a single node, and are not given per GPU.

When this is fine
-----------------
Never as the reason to disaggregate; compare throughput divided by GPUs, with a colocated endpoint on as many.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD806",
    name="throughput-per-gpu-goal",
    severity=Severity.WARNING,
    title="Disaggregation does not raise throughput per GPU",
    fix="serve colocated for throughput per GPU, or drop objectives.throughput_per_gpu if steady latency is the goal",
    sources=(
        "vLLM documentation, disaggregated prefilling",
        "AWS machine-learning blog on DPD, benchmark conditions",
    ),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=(
        "R173",
        "S7.8-7",
        "S8.2-6",
        "S10.2-5",
        "S11.2",
        "S12.2",
    ),
    tags=(
        "suitability",
        "objectives",
        "divergence",
    ),
    example=Example(
        before="endpoints: {llama-70b: {objectives: {throughput_per_gpu: true, inter_token_latency_p99_ms: 50}}}",
        after="endpoints: {llama-70b: {objectives: {inter_token_latency_p99_ms: 50}}}",
        of="environment",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    if endpoint.objectives.throughput_per_gpu:
        yield Hit(
            ("objectives", "throughput_per_gpu"),
            "throughput per GPU is an objective, which disaggregation does not improve",
        )
