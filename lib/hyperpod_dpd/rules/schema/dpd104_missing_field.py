from hyperpod_dpd.rules.rule import ERROR, MANIFEST, EndpointView, Matches, rule
from hyperpod_dpd.rules.schema.problems import matches


@rule(
    ("DPD104", "missing-field", ERROR, MANIFEST),
    title="A required field is missing",
    what="That every field the resource requires is there, among them both roles of pdSpec.",
    why="The API server refuses the object.",
    fine="Never.",
    fix="add the field",
    sources="InferenceEndpointConfig CRD, operator 3.2",
    covers=("R03", "E-86", "E-89"),
    tags=("schema",),
    before="""spec:
      modelSourceConfig: {modelSourceType: null}""",
    after="""spec:
      modelSourceConfig: {modelSourceType: s3}""",
)
def check(endpoint: EndpointView) -> Matches:
    yield from matches(endpoint, "missing")
