from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.context import MissingFact


@rule(
    ("DPD803", "short-inputs", WARNING, DISAGGREGATED),
    title="The median prompt is shorter than those that gain from disaggregation",
    what="That the declared median input length reaches what AWS names as a condition for a gain.",
    why="""Requests below the routing threshold never see the prefiller: the decoder prefills them itself, as
    before, while the second pool idles.""",
    fine="Where a large minority of long prompts is what hurts, which the share above the threshold shows.",
    fix="serve this traffic colocated, or split off the long prompts to an endpoint of their own",
    sources="SageMaker developer guide, DPD page, when it pays and known limits",
    covers=("R172", "S7.8-2"),
    tags=("suitability", "traffic"),
    of="environment",
    before="""endpoints:
      llama-70b:
        traffic: {input_tokens: {p50: 900}, output_tokens: {p50: 400}, requests_per_second: 4}""",
    after="""endpoints:
      llama-70b:
        traffic: {input_tokens: {p50: 6000}, output_tokens: {p50: 400}, requests_per_second: 4}""",
)
def check(endpoint: EndpointView) -> Matches:
    lengths = endpoint.traffic.input_tokens
    if lengths is None:
        raise MissingFact("distribution of prompt lengths")
    wanted = engine_defaults.suitability().input_tokens
    if lengths.p50 < wanted:
        yield Match(
            ("traffic", "input_tokens", "p50"),
            f"half of the prompts have {lengths.p50:,} tokens or fewer; AWS expects a gain from {wanted:,} tokens on",
        )
