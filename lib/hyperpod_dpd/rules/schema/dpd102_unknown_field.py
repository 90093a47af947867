from hyperpod_dpd.rules.rule import ERROR, MANIFEST, EndpointView, Matches, rule
from hyperpod_dpd.rules.schema.problems import matches


@rule(
    ("DPD102", "unknown-field", ERROR, MANIFEST),
    title="A field that the operator does not know",
    what="""Every key of the manifest against the fields of the resource, with the right name or place where
    it can be told.""",
    why="""An API server prunes unknown fields without a word unless it validates strictly: the setting is
    simply not there.""",
    fine="Never; a field of a later operator release is known as such and judged apart.",
    fix="remove the field or correct its name",
    sources="InferenceEndpointConfig CRD, operator 3.2",
    covers=("R02", "R16", "E-88", "E-93"),
    tags=("schema",),
    before="""spec:
      metrics:
        modelMetricsConfig: {port: 8000}""",
    after="""spec:
      metrics:
        modelMetrics: {port: 8000}""",
)
def check(endpoint: EndpointView) -> Matches:
    yield from matches(endpoint, "unknown-field")
