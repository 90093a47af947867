from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, once, rule

_FLAG = "--disable-log-stats"


@rule(
    ("DPD918", "statistics-off", WARNING, DISAGGREGATED),
    title="The engine publishes no metrics of its own",
    what="That --disable-log-stats is absent from both roles.",
    why="""The flag sounds as if it made logs shorter. It also ends the metrics of requests, queues and the KV
    cache: dashboards stay empty, and the alerts on silent failures never fire.""",
    fine="On an endpoint whose metrics nobody reads.",
    fix="remove --disable-log-stats",
    sources="vLLM 0.19.0, asynchronous engine: Prometheus's logger is made only with statistics on",
    tags=("observability", "silent"),
    before="spec: {worker: {args: {--disable-log-stats: true}}}",
    after="spec: {worker: {args: {--disable-log-requests: true}}}",
)
def check(endpoint: EndpointView) -> Matches:
    yield from once(
        Match(role.where(_FLAG), f"{_FLAG} ends the metrics of {role.role} too, not its log lines alone")
        for role in endpoint.roles
        if role.arguments.enabled(_FLAG)
    )
