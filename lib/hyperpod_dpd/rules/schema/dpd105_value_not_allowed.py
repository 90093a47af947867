from hyperpod_dpd.rules.rule import ERROR, MANIFEST, EndpointView, Matches, rule
from hyperpod_dpd.rules.schema.problems import matches


@rule(
    ("DPD105", "value-not-allowed", ERROR, MANIFEST),
    title="A value outside what the field allows",
    what="""Patterns, lists of allowed values, bounds and lengths of every field; and what the API server checks
    beside the schema: finalizers, owner references, generateName, size of annotations, replicas below 0.""",
    why="The API server refuses the object.",
    fine="Never.",
    fix="use one of the allowed values",
    sources="InferenceEndpointConfig CRD, operator 3.2 | Kubernetes apimachinery, validation of object metadata",
    covers=("R09", "E-89"),
    tags=("schema",),
    before="""spec:
      intelligentRoutingSpec: {routingStrategy: prefix-aware}""",
    after="""spec:
      intelligentRoutingSpec: {routingStrategy: prefixaware}""",
)
def check(endpoint: EndpointView) -> Matches:
    yield from matches(endpoint, "pattern", "enum", "minimum", "maximum", "length", "item-count")
