from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import DISAGGREGATED, INFO, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.context import MissingFact


@rule(
    ("DPD720", "validated-concurrency", INFO, DISAGGREGATED),
    title="More concurrent requests than AWS validated",
    what="Whether the declared concurrency is within the range that AWS validated.",
    why="""Beyond it nothing is published; the single decoder is the first to saturate, which shows as rising
    time per token while prefill idles.""",
    fine="After a benchmark at that concurrency. Capacity beyond it is better had from a second endpoint.",
    fix="measure at that concurrency, or spread it over a second endpoint",
    sources="SageMaker developer guide, DPD page, validated range",
    covers=("R159",),
    tags=("suitability",),
    of="environment",
    before="endpoints: {llama-70b: {traffic: {concurrency: 96}}}",
    after="endpoints: {llama-70b: {traffic: {concurrency: 64}}}",
)
def check(endpoint: EndpointView) -> Matches:
    concurrency = endpoint.traffic.concurrency
    if concurrency is None:
        raise MissingFact("traffic")
    most = engine_defaults.validated().concurrent_requests
    if concurrency > most:
        yield Match(
            ("spec", "pdSpec"), f"{concurrency} concurrent requests are declared; AWS validated {most}"
        )
