from hyperpod_dpd.catalog import models
from hyperpod_dpd.rules.rule import ENDPOINT, WARNING, EndpointView, Match, Matches, rule


@rule(
    ("DPD935", "gated-model-without-token", WARNING, ENDPOINT),
    title="A gated model is loaded without a token",
    what="""That a Hugging Face source of a model which the catalogue knows as gated names the Secret with a
    token.""",
    why="""Hugging Face hands out the files of gated models only to accounts that were granted access: every
    pod fails to download.""",
    fine="Where the token reaches the pod in another way.",
    fix="name the Secret in huggingFaceModel.tokenSecretRef",
    sources="SageMaker developer guide, deploying models from Hugging Face | Hugging Face, gated models",
    covers=("R188",),
    tags=("operations",),
    before="""spec:
      modelSourceConfig:
        modelSourceType: huggingface
        huggingFaceModel:
          modelId: meta-llama/Llama-3.3-70B-Instruct
          commitSHA: 0123456789abcdef0123456789abcdef01234567""",
    after="""spec:
      modelSourceConfig:
        modelSourceType: huggingface
        huggingFaceModel:
          modelId: meta-llama/Llama-3.3-70B-Instruct
          commitSHA: 0123456789abcdef0123456789abcdef01234567
          tokenSecretRef: {name: hugging-face, key: token}""",
)
def check(endpoint: EndpointView) -> Matches:
    source = endpoint.get("modelSourceConfig", "huggingFaceModel")
    if not isinstance(source, dict) or source.get("tokenSecretRef"):
        return
    known = models.match(str(source.get("modelId")))
    if known is not None and known.gated:
        yield Match(
            ("spec", "modelSourceConfig", "huggingFaceModel"),
            f"{known.hugging_face_id} is gated, and no tokenSecretRef is given",
        )
