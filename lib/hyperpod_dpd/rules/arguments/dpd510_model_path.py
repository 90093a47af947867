from hyperpod_dpd.rules.defaults import model_mount
from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, WARNING, EndpointView, Match, Matches, Path, rule

FLAG = "--model"
_MOUNTED = ("s3", "fsx", "kubernetesVolume")


@rule(
    ("DPD510", "model-path", ERROR, DISAGGREGATED),
    title="--model is not where the weights are mounted",
    what="""That the model, given by --model or as the positional argument, is the mount path, where weights
    come from S3, FSx or a volume. A folder below it is a warning; so is no model at all.""",
    why="""The engine finds no model, or loads one from the internet under that name. Without --model vLLM
    serves its own small default model.""",
    fine="With weights from Hugging Face that the engine downloads itself, which is not judged.",
    fix="give --model the path where the weights are mounted",
    sources="""SageMaker developer guide, DPD page, example | LMCache 0.4.3, the cache key holds the model's
    path""",
    covers=("R97", "E-84"),
    tags=("arguments", "weights"),
    before="spec: {worker: {args: {--model: /models/llama}}}",
    after="spec: {worker: {args: {--model: /opt/ml/model}}}",
)
def check(endpoint: EndpointView) -> Matches:
    if endpoint.get("modelSourceConfig", "modelSourceType") not in _MOUNTED:
        return
    mount = model_mount(endpoint)
    seen: set[Path] = set()
    for role in endpoint.roles:
        given = role.arguments.last(FLAG)
        path = given.value_path if given else ("spec", "worker", "args")
        if path in seen:
            continue
        seen.add(path)
        if given is None:
            yield Match(
                path,
                f"no model is named, and the weights are mounted at {mount}; that the image names one is not confirmed",
                WARNING,
                fix=f"add --model {mount}",
            )
        elif given.value is not None and "$" not in given.value and given.value.rstrip("/") != mount:
            below = given.value.startswith(f"{mount}/")
            yield Match(
                path,
                f"--model is '{given.value}' and the weights are mounted at '{mount}'"
                + ("; right only if they hold that folder" if below else ""),
                WARNING if below else None,
            )
