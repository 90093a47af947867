from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, EndpointView, Match, Matches, rule


@rule(
    ("DPD902", "metrics-disabled", ERROR, DISAGGREGATED),
    title="Metrics of a disaggregated endpoint are switched off",
    what="That metrics.enabled is not false on a disaggregated endpoint.",
    why="""Every failure that disaggregation adds shows as a number and never as an error. Without metrics
    there is no DPD dashboard and no alert, and the proxy sidecar that request limits need is left out as
    well.""",
    fine="On a short-lived endpoint whose logs somebody reads, acknowledged.",
    fix="set metrics.enabled to true, or leave it out",
    sources="""SageMaker developer guide, DPD page, metrics | SageMaker developer guide, request limits of
    inference endpoints""",
    covers=("R180",),
    tags=("observability", "silent"),
    waivable=True,
    before="spec: {metrics: {enabled: false}}",
    after="spec: {metrics: {enabled: true, modelMetrics: {port: 8000}}}",
)
def check(endpoint: EndpointView) -> Matches:
    if endpoint.get("metrics", "enabled") is False:
        yield Match(
            ("spec", "metrics", "enabled"),
            "metrics are switched off, so a transfer that fails or slows down shows nowhere",
        )
