from hyperpod_dpd.rules.rule import ERROR, MANIFEST, EndpointView, Matches, rule
from hyperpod_dpd.rules.schema.problems import matches


@rule(
    ("DPD106", "placeholder", ERROR, MANIFEST),
    title="A placeholder or shell variable was left unexpanded",
    what="""Values such as <YOUR_BUCKET>, $NAME and ${NAME} that a template tool should have replaced: an error in
    names, which nothing can ever have, and where the API server refuses the value; a warning for a placeholder
    in a field that takes any text.""",
    why="""A field that takes any text accepts the placeholder, and the endpoint looks for a bucket of that
    name.""",
    fine="Never in what is applied; render the template first and check its output.",
    fix="replace the placeholder by its value before applying",
    sources="hyperpod-dpd, observed in public manifests",
    covers=("E-77", "E-80", "E-82", "E-90"),
    tags=("schema",),
    before="""spec:
      modelSourceConfig: {s3Storage: {bucketName: <YOUR_BUCKET>}}""",
    after="""spec:
      modelSourceConfig: {s3Storage: {bucketName: models}}""",
)
def check(endpoint: EndpointView) -> Matches:
    yield from matches(endpoint, "placeholder", "unexpanded-variable")
