from hyperpod_dpd.rules.rule import ERROR, MANIFEST, EndpointView, Matches, rule
from hyperpod_dpd.rules.schema.problems import matches


@rule(
    ("DPD103", "wrong-type", ERROR, MANIFEST),
    title="A value of the wrong type",
    what="""The type of every value: strings where strings are needed, whole numbers, mappings, lists; and that no key
    without a default is left empty, which is null.""",
    why="""The API server refuses the object; in YAML the cause is often a missing quote or a missing space
    after a colon. A key with nothing behind it is null, which is refused too, except where the schema has a
    default to put there.""",
    fine="Never.",
    fix="write a value of the type that is needed",
    sources="InferenceEndpointConfig CRD, operator 3.2 | Kubernetes API conventions, quantities",
    covers=("R04", "C-07", "D-10", "E-96"),
    tags=("schema",),
    before="""spec:
      maxDeployTimeInSeconds: one hour""",
    after="""spec:
      maxDeployTimeInSeconds: 3600""",
)
def check(endpoint: EndpointView) -> Matches:
    yield from matches(endpoint, "wrong-type")
