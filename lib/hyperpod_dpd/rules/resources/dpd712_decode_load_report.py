from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.scaling import scaling_of


@rule(
    ("DPD712", "decode-load-report", ERROR, DISAGGREGATED),
    title="Several decoders in production without a report that load spreads",
    what="""That production with more than one decoder, fixed or by autoscaling, names a report which shows
    that they share the load.""",
    why="""More than one decoder may be acknowledged; in production a promise is not enough, since a decoder
    that gets no requests costs a whole node and hides until the other one fails.""",
    fine="Never in production: write the report's place into operations.decode_load_spread_report.",
    fix="run one decoder, or test how load spreads and set operations.decode_load_spread_report",
    sources="SageMaker developer guide, DPD page, known limits | our own rule for production",
    covers=("R149", "R150"),
    tags=("scaling", "production"),
    of="environment",
    before="""production: true
    endpoints: {llama-70b: {decode: {replicas: 2}}}""",
    after="""production: true
    operations: {decode_load_spread_report: wiki/dpd/decode-spread}
    endpoints: {llama-70b: {decode: {replicas: 2}}}""",
)
def check(endpoint: EndpointView) -> Matches:
    decode = endpoint.decode
    if decode is None:
        return
    scaling = scaling_of(endpoint, "decode")
    most = max(decode.replicas, scaling.max_replicas if scaling else 1)
    if most < 2 or not endpoint.production:
        return
    if endpoint.operations.decode_load_spread_report is None:
        path = (*decode.path, "replicas") if scaling is None else scaling.path
        yield Match(
            path, f"up to {most} decoders in production, and no report shows that they share the load"
        )
