"""
What it checks
--------------
That a Hugging Face source of a model which the catalogue knows as gated names the Secret with a token.

Why it matters
--------------
Hugging Face hands out the files of gated models only to accounts that were granted access: every pod fails to
download.

When this is fine
-----------------
Where the token reaches the pod in another way.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import models
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD935",
    name="gated-model-without-token",
    severity=Severity.WARNING,
    title="A gated model is loaded without a token",
    fix="name the Secret in huggingFaceModel.tokenSecretRef",
    sources=(
        "SageMaker developer guide, deploying models from Hugging Face",
        "Hugging Face, gated models",
    ),
    applies_to=AppliesTo.ENDPOINT,
    covers=("R188",),
    tags=("operations",),
    example=Example(
        before="""
spec:
  modelSourceConfig:
    modelSourceType: huggingface
    huggingFaceModel:
      modelId: meta-llama/Llama-3.3-70B-Instruct
      commitSHA: 0123456789abcdef0123456789abcdef01234567
""",
        after="""
spec:
  modelSourceConfig:
    modelSourceType: huggingface
    huggingFaceModel:
      modelId: meta-llama/Llama-3.3-70B-Instruct
      commitSHA: 0123456789abcdef0123456789abcdef01234567
      tokenSecretRef: {name: hugging-face, key: token}
""",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    source = endpoint.get("modelSourceConfig", "huggingFaceModel")
    if not isinstance(source, dict) or source.get("tokenSecretRef"):
        return
    known = models.match(str(source.get("modelId")))
    if known is not None and known.gated:
        yield Hit(
            ("spec", "modelSourceConfig", "huggingFaceModel"),
            f"{known.hugging_face_id} is gated, and no tokenSecretRef is given",
        )
