import re

from hyperpod_dpd.rules.rule import ENDPOINT, INFO, WARNING, EndpointView, Match, Matches, rule

_STARTS = re.compile(r"[a-zA-Z0-9]")
_WHOLE = re.compile(r"[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}")
_DOTTED = re.compile(r"[a-zA-Z0-9]([-.]*[a-zA-Z0-9]){0,62}")


@rule(
    ("DPD114", "model-name", WARNING, ENDPOINT),
    title="modelName is no SageMaker name",
    what="""That modelName consists of letters, digits and hyphens from end to end, where a SageMaker endpoint
    is registered. Dots alone are a note: AWS's own example has them.""",
    why="""The resource's pattern is tied to the beginning of the text only, so that any text passes which
    begins with a letter. The SageMaker model that is registered under the name has the stricter pattern.""",
    fine="With dots, as far as AWS's example shows; without a SageMaker endpoint.",
    fix="use letters, digits and single hyphens, such as Llama-3-3-70B-Instruct",
    sources="InferenceEndpointConfig CRD, operator 3.2, modelName | SageMaker API, names of models",
    covers=("R11",),
    tags=("names",),
    before="spec: {modelName: Llama 3.3 70B}",
    after="spec: {modelName: Llama-3-3-70B}",
)
def check(endpoint: EndpointView) -> Matches:
    name = endpoint.get("modelName")
    if not isinstance(name, str) or not endpoint.get("endpointName") or not _STARTS.match(name):
        return
    if _WHOLE.fullmatch(name) or "$" in name:
        return
    if _DOTTED.fullmatch(name):
        yield Match(
            ("spec", "modelName"),
            f"'{name}' has dots, which the resource accepts and a SageMaker model name does not; not confirmed to fail",
            INFO,
            fix=f"write {name.replace('.', '-')}",
        )
    else:
        yield Match(
            ("spec", "modelName"), f"'{name}' passes the resource's pattern, and SageMaker refuses it"
        )
