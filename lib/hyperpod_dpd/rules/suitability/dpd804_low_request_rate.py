from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.context import MissingFact


@rule(
    ("DPD804", "low-request-rate", WARNING, DISAGGREGATED),
    title="The request rate is lower than where disaggregation pays",
    what="That the declared sustained request rate reaches what AWS names as a condition for a gain.",
    why="""Disaggregation removes the interference between one request's prefill and the others' decode.
    Requests that come one after the other do not interfere.""",
    fine="Where the rate is that of a test environment which stands for a busier one.",
    fix="serve this traffic colocated until the rate grows",
    sources="SageMaker developer guide, DPD page, when it pays and known limits",
    covers=("R172", "S7.8-3", "S10.2-1"),
    tags=("suitability", "traffic"),
    of="environment",
    before="""endpoints:
      llama-70b:
        traffic: {input_tokens: {p50: 6000}, output_tokens: {p50: 400}, requests_per_second: 0.5}""",
    after="""endpoints:
      llama-70b:
        traffic: {input_tokens: {p50: 6000}, output_tokens: {p50: 400}, requests_per_second: 4}""",
)
def check(endpoint: EndpointView) -> Matches:
    rate = endpoint.traffic.requests_per_second
    if rate is None:
        raise MissingFact("request rate")
    wanted = engine_defaults.suitability().requests_per_second
    if rate < wanted:
        yield Match(
            ("traffic", "requests_per_second"),
            f"{rate:g} requests per second are declared; below {wanted:g} there is little to disaggregate",
        )
