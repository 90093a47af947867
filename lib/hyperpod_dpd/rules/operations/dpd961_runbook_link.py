from hyperpod_dpd.rules.rule import DISAGGREGATED, INFO, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.origin import ENVIRONMENT


@rule(
    ("DPD961", "runbook-link", INFO, DISAGGREGATED),
    title="Alerts link to runbooks by a path that nobody woken can open",
    what="""That a watched production environment says under which URL its runbooks are read. A lone manifest says
    nothing of it and is not judged.""",
    why="""Without observability.runbook_url an alert's runbook_url is a path inside this repository. On a telephone
    at night that is no link.""",
    fine="Where everyone on call has the repository at hand.",
    fix="publish the pages that `dpd runbook` fills in, and set observability.runbook_url to their folder",
    sources="""derived: runbook_url of an alert is docs/runbooks/NAME.md unless the document names a folder""",
    covers=(),
    tags=("observability", "operations"),
    of="environment",
    before="production: true",
    after="""production: true
    observability: {runbook_url: "https://wiki.example.com/dpd/runbooks"}""",
)
def check(endpoint: EndpointView) -> Matches:
    watched = endpoint.observability
    if endpoint.production and watched.enabled and watched.runbook_url is None:
        yield Match(
            (*ENVIRONMENT, "observability", "runbook_url"),
            f"alerts of endpoint {endpoint.name} link to docs/runbooks/NAME.md, which is no address",
        )
