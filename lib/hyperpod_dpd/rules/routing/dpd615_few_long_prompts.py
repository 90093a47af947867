from hyperpod_dpd.catalog import engine_defaults, languages
from hyperpod_dpd.rules.rule import DISAGGREGATED, INFO, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.context import MissingFact
from hyperpod_dpd.view.traffic import effective_threshold_tokens, routing_threshold, share_from


@rule(
    ("DPD615", "few-long-prompts", WARNING, DISAGGREGATED),
    title="Few prompts reach the routing threshold",
    what="""The share of prompts whose estimate reaches the threshold, from the declared percentiles and the
    language's characters per token. Below a tenth it is a warning, below a fifth a note.""",
    why="""The rest goes to the decoder as if there were no prefiller, while a node of eight GPUs waits for
    the few. The router estimates characters divided by four, which the share accounts for.""",
    fine="Where the few long prompts are what disturbs the others' tokens, and that is worth a node.",
    fix="serve the model colocated, or lower routingThreshold to where a useful share disaggregates",
    sources="""hyperpod-dpd, guidance from the article on DPD, chapter on workloads | SageMaker developer
    guide, DPD page, tuning table""",
    covers=("R103",),
    tags=("routing", "suitability"),
    of="environment",
    before="endpoints: {llama-70b: {traffic: {input_tokens: {p50: 800, p95: 2400}, language: en}}}",
    after="endpoints: {llama-70b: {traffic: {input_tokens: {p50: 6000, p95: 12000}, language: en}}}",
)
def check(endpoint: EndpointView) -> Matches:
    traffic = endpoint.traffic
    if traffic.input_tokens is None:
        raise MissingFact("distribution of prompt lengths")
    threshold = routing_threshold(endpoint)
    language = languages.find(traffic.language) if traffic.language else None
    tokens = effective_threshold_tokens(threshold, language) if language else threshold
    share, at_most = share_from(traffic.input_tokens, tokens)
    limits = engine_defaults.suitability()
    low = share < limits.low_disaggregated_share or (at_most and share <= limits.low_disaggregated_share)
    if not low and share >= limits.useful_disaggregated_share:
        return
    yield Match(
        ("spec", "pdSpec", "routingThreshold"),
        f"{'less than' if at_most else 'about'} {share:.0%} of the prompts reach the threshold of {threshold:,}"
        + (f", which is about {tokens:,} tokens of {language.names[0].capitalize()}" if language else ""),
        None if low else INFO,
    )
