from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.origin import ENVIRONMENT


@rule(
    ("DPD903", "no-alerts", ERROR, DISAGGREGATED),
    title="Nothing alerts on the silent failures of disaggregation",
    what="""That the environment has the observability add-on, whose workspace holds this project's alerts:
    tokens that do not land, slow transfers, allocation retries, a degraded LMCache, a missing hash seed,
    wrong roles. A lone manifest says nothing of it and is not judged.""",
    why="""A transfer that does not land or leaves EFA fails no request. Without these alerts the endpoint
    serves from twice the GPUs what one pool would serve, for as long as nobody looks.""",
    fine="Where another monitoring system has the same alerts. Outside production this is a warning.",
    fix="set observability.enabled to true, or acknowledge this with the place where your own alerts are",
    sources="""SageMaker developer guide, DPD troubleshooting page, symptoms that are numbers | LMCache 0.4.3,
    PD backend and cache engine, log lines""",
    covers=("R182", "S11.3"),
    tags=("observability", "silent"),
    waivable=True,
    of="environment",
    before="""production: true
    observability: {enabled: false}""",
    after="""production: true
    observability: {enabled: true}""",
)
def check(endpoint: EndpointView) -> Matches:
    if endpoint.observability.enabled:
        return
    yield Match(
        (*ENVIRONMENT, "observability", "enabled"),
        f"observability is off, so nothing watches whether KV pages of endpoint {endpoint.name} land, and how fast",
        ERROR if endpoint.production else WARNING,
    )
