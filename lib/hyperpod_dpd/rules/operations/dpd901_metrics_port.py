from hyperpod_dpd.rules.defaults import in_effect
from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, WARNING, EndpointView, Match, Matches, rule

_PATH = ("spec", "metrics", "modelMetrics")


@rule(
    ("DPD901", "metrics-port", ERROR, DISAGGREGATED),
    title="Metrics are scraped from another port than the model's",
    what="""That the port metrics are scraped from is the port the model is served on. The field's default,
    8080, counts where modelMetrics is given without a port; where modelMetrics is absent, what the operator
    does is not confirmed.""",
    why="""vLLM and LMCache publish their metrics on the serving port. Scraping another one leaves the KV
    cache and router dashboards empty, and with them every alert that would show a silent fallback.""",
    fine="Where metrics are switched off on purpose; this rule is silent then.",
    fix="set metrics.modelMetrics.port to the containerPort of worker.modelInvocationPort",
    sources="""SageMaker developer guide, KV caching and intelligent routing, metrics |
    InferenceEndpointConfig CRD, operator 3.2, metrics.modelMetrics""",
    covers=("R181",),
    tags=("observability", "silent"),
    before="spec: {metrics: {enabled: true, modelMetrics: {port: 8080}}}",
    after="spec: {metrics: {enabled: true, modelMetrics: {port: 8000}}}",
)
def check(endpoint: EndpointView) -> Matches:
    port = endpoint.port
    if endpoint.get("metrics", "enabled") is False or port is None:
        return
    metrics = endpoint.get("metrics", "modelMetrics")
    if metrics is None:
        yield Match(
            _PATH,
            f"modelMetrics.port is not set; that the operator then scrapes port {port} is not confirmed",
            WARNING,
        )
        return
    scraped = in_effect(endpoint, "metrics", "modelMetrics", "port")
    if scraped != port:
        yield Match(
            (*_PATH, "port"), f"metrics are scraped from port {scraped}, the model is served on {port}"
        )
