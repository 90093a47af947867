"""
What it checks
--------------
That an endpoint in a closed network does not load its weights from Hugging Face.

Why it matters
--------------
The download, by the operator's init container or by vLLM itself, never reaches the hub. The pod restarts until
the deployment times out.

When this is fine
-----------------
Never; a proxy is not a closed network.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD916",
    name="weights-out-of-reach",
    severity=Severity.ERROR,
    title="The weights are on Hugging Face, outside a network that has no way out",
    fix="copy the weights to an S3 bucket of the Region and load them from there",
    sources=("SageMaker developer guide, deploying models from Hugging Face: egress it needs",),
    applies_to=AppliesTo.ENDPOINT,
    covers=(
        "R189",
        "HI-1.2c",
    ),
    tags=(
        "network",
        "storage",
    ),
    example=Example(
        of="environment",
        before="""
network: {closed: true}
endpoints: {llama-70b: {model: {weights: {s3: null, hugging_face: {model_id: meta-llama/Llama-3.3-70B-Instruct}}}}}
""",
        after="""
network: {closed: true}
endpoints: {llama-70b: {model: {weights: {s3: {prefix: models/llama}}}}}
""",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    source = endpoint.get("modelSourceConfig", "modelSourceType")
    if source != "huggingface" and not endpoint.has("modelSourceConfig", "huggingFaceModel"):
        return
    if endpoint.network.closed:
        model = endpoint.get("modelSourceConfig", "huggingFaceModel", "modelId") or "the model"
        yield Hit(
            ("spec", "modelSourceConfig"),
            f"{model} is downloaded from Hugging Face, and the network is closed",
        )
