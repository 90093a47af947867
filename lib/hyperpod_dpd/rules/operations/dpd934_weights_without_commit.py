from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule


@rule(
    ("DPD934", "weights-without-commit", WARNING, DISAGGREGATED),
    title="Weights from Hugging Face are not pinned to a commit",
    what="That a Hugging Face source names the commit it loads.",
    why="""Each pod downloads by itself. Without a commit the two roles, or a prefiller that is added later,
    may load different revisions: the KV cache of one is then wrong for the other.""",
    fine="Never on purpose.",
    fix="set huggingFaceModel.commitSHA",
    sources="SageMaker developer guide, deploying models from Hugging Face",
    covers=("R188",),
    tags=("operations", "reproducibility"),
    before="""spec:
      modelSourceConfig:
        modelSourceType: huggingface
        huggingFaceModel: {modelId: Qwen/Qwen2.5-72B-Instruct}""",
    after="""spec:
      modelSourceConfig:
        modelSourceType: huggingface
        huggingFaceModel:
          modelId: Qwen/Qwen2.5-72B-Instruct
          commitSHA: 0123456789abcdef0123456789abcdef01234567""",
)
def check(endpoint: EndpointView) -> Matches:
    source = endpoint.get("modelSourceConfig", "huggingFaceModel")
    if isinstance(source, dict) and not source.get("commitSHA"):
        yield Match(
            ("spec", "modelSourceConfig", "huggingFaceModel"),
            f"{source.get('modelId')} is loaded without a commit, so two pods may hold different weights",
        )
