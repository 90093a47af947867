"""
What it checks
--------------
That a Hugging Face source names the commit it loads.

Why it matters
--------------
Each pod downloads by itself. Without a commit the two roles, or a prefiller that is added later, may load
different revisions: the KV cache of one is then wrong for the other.

When this is fine
-----------------
Never on purpose.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD934",
    name="weights-without-commit",
    severity=Severity.WARNING,
    title="Weights from Hugging Face are not pinned to a commit",
    fix="set huggingFaceModel.commitSHA",
    sources=("SageMaker developer guide, deploying models from Hugging Face",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R188",),
    tags=(
        "operations",
        "reproducibility",
    ),
    example=Example(
        before="""
spec:
  modelSourceConfig:
    modelSourceType: huggingface
    huggingFaceModel: {modelId: Qwen/Qwen2.5-72B-Instruct}
""",
        after="""
spec:
  modelSourceConfig:
    modelSourceType: huggingface
    huggingFaceModel:
      modelId: Qwen/Qwen2.5-72B-Instruct
      commitSHA: 0123456789abcdef0123456789abcdef01234567
""",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    source = endpoint.get("modelSourceConfig", "huggingFaceModel")
    if isinstance(source, dict) and not source.get("commitSHA"):
        yield Hit(
            ("spec", "modelSourceConfig", "huggingFaceModel"),
            f"{source.get('modelId')} is loaded without a commit, so two pods may hold different weights",
        )
