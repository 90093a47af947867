import re

from hyperpod_dpd.catalog import models
from hyperpod_dpd.rules.rule import ENDPOINT, WARNING, EndpointView, Match, Matches, rule

_SIZE = re.compile(r"(?<![a-z0-9.])[a-z]?(\d+(?:\.\d+)?)b(?![a-z0-9])")


@rule(
    ("DPD120", "model-name-against-weights", WARNING, ENDPOINT),
    title="The model's name and its weights speak of two models",
    what="Whether modelName and the place of the weights name two families of models, or two sizes of one.",
    why="""Buffer, memory and page sizes are derived from the model. A manifest copied from another model
    serves weights under a wrong name, and every figure read off that name is wrong.""",
    fine="Where the name is a product name that borrows a family's word.",
    fix="correct modelName or the location of the weights",
    sources="observed in AWS's FSx example, whose name and location differ",
    covers=("E-82",),
    tags=("weights", "names"),
    before="spec: {modelName: Llama-3-1-8B, modelSourceConfig: {modelLocation: models/llama-3.3-70b-instruct}}",
    after="spec: {modelName: Llama-3-3-70B, modelSourceConfig: {modelLocation: models/llama-3.3-70b-instruct}}",
)
def check(endpoint: EndpointView) -> Matches:
    name = endpoint.get("modelName")
    if not isinstance(name, str):
        return
    for path in (("huggingFaceModel", "modelId"), ("modelLocation",)):
        place = endpoint.get("modelSourceConfig", *path)
        if isinstance(place, str) and _differ(name.lower(), place.lower()):
            yield Match(("spec", "modelName"), f"modelName is '{name}' and {path[-1]} is '{place}'")
            return


def _differ(name: str, place: str) -> bool:
    families = [{family for family in models.families() if family in text} for text in (name, place)]
    if all(families) and not families[0] & families[1]:
        return True
    sizes = [{float(size) for size in _SIZE.findall(text.replace("_", "-"))} for text in (name, place)]
    return all(sizes) and not sizes[0] & sizes[1]
