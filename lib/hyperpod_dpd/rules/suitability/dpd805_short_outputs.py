from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.context import MissingFact


@rule(
    ("DPD805", "short-outputs", WARNING, DISAGGREGATED),
    title="The median answer is shorter than those that gain from disaggregation",
    what="That the declared median output length reaches what AWS names as a condition for a gain.",
    why="""What disaggregation steadies is the flow of output tokens. Where a request is nearly all prefill,
    it pays the transfer for a flow that ends at once.""",
    fine="Where even a few tokens must come at a steady pace.",
    fix="serve this traffic colocated, or declare the real output lengths",
    sources="SageMaker developer guide, DPD page, when it pays and known limits",
    covers=("R172",),
    tags=("suitability", "traffic"),
    of="environment",
    before="""endpoints:
      llama-70b:
        traffic: {input_tokens: {p50: 6000}, output_tokens: {p50: 40}, requests_per_second: 4}""",
    after="""endpoints:
      llama-70b:
        traffic: {input_tokens: {p50: 6000}, output_tokens: {p50: 400}, requests_per_second: 4}""",
)
def check(endpoint: EndpointView) -> Matches:
    lengths = endpoint.traffic.output_tokens
    if lengths is None:
        raise MissingFact("output lengths")
    wanted = engine_defaults.suitability().output_tokens
    if lengths.p50 < wanted:
        yield Match(
            ("traffic", "output_tokens", "p50"),
            f"half of the answers have {lengths.p50:,} tokens or fewer; AWS expects a gain from {wanted:,} tokens on",
        )
