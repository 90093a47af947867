from hyperpod_dpd.rules.rule import DISAGGREGATED, INFO, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.origin import ENVIRONMENT


@rule(
    ("DPD960", "silence-unwatched", INFO, DISAGGREGATED),
    title="An outage in which no request arrives pages nobody",
    what="""That a watched production environment has the canary, or an endpoint whose traffic is declared to arrive
    around the clock. A lone manifest says nothing of either and is not judged.""",
    why="""Alerts on errors and latencies need requests to judge. Where nothing reaches the router (a load balancer
    without targets, a certificate, a router that hangs), all of them stay silent, and so they do while answers are
    wrong with status 200.""",
    fine="Where something outside asks the endpoint at an interval and pages by itself.",
    fix="set observability.canary to true, or traffic.around_the_clock where requests never pause",
    sources="""derived: rate of a counter that stands still is zero, and a share of zero is no value | measured:
    vLLM 0.19.0 with NixlConnector answered 200 with wrong tokens""",
    covers=(),
    tags=("observability", "silent"),
    of="environment",
    before="""production: true
    observability: {canary: false}""",
    after="""production: true
    observability: {canary: true}""",
)
def check(endpoint: EndpointView) -> Matches:
    watched = endpoint.observability
    if not (endpoint.production and watched.enabled) or watched.canary:
        return
    declared = endpoint.context.traffic
    if declared is not None and declared.around_the_clock:
        return
    yield Match(
        (*ENVIRONMENT, "observability", "canary"),
        f"nobody asks endpoint {endpoint.name} on our behalf, and its traffic may pause: an outage is silence",
    )
