from hyperpod_dpd.rules.rule import ERROR, MANIFEST, EndpointView, Matches, rule
from hyperpod_dpd.rules.schema.problems import matches


@rule(
    ("DPD108", "duplicate-entry", ERROR, MANIFEST),
    title="A list has two entries of the same name",
    what="Lists that are keyed by name, above all environment variables.",
    why="""Server-side apply refuses the object; a client-side apply keeps one of the two values, not
    necessarily the one that is read last.""",
    fine="Never.",
    fix="keep one of the entries",
    sources="InferenceEndpointConfig CRD, operator 3.2",
    tags=("schema",),
    before="""spec:
      worker:
        environmentVariables:
          - {name: PYTHONHASHSEED, value: "0"}
          - {name: PYTHONHASHSEED, value: "0"}""",
    after="""spec:
      worker:
        environmentVariables:
          - {name: PYTHONHASHSEED, value: "0"}""",
)
def check(endpoint: EndpointView) -> Matches:
    yield from matches(endpoint, "duplicate-key-entry")
