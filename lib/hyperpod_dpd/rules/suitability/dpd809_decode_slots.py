from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.context import MissingFact

FLAG = "--max-num-seqs"


@rule(
    ("DPD809", "decode-slots", WARNING, DISAGGREGATED),
    title="More requests at once than the decoder runs",
    what="""That the decoder's --max-num-seqs, over its replicas, is not below the declared number of requests
    at once.""",
    why="""Every request ends at the decoder, and AWS documents one decoder for each endpoint. Requests beyond
    its limit wait there, whatever is added on the prefill side.""",
    fine="Where the declared concurrency is a short peak and waiting is accepted.",
    fix="""raise --max-num-seqs of decode as far as its memory allows, or lower the concurrency sent to this
    endpoint""",
    sources="""SageMaker developer guide, DPD page, tuning table and known limits | AWS machine-learning blog
    on DPD, signs of a saturated decoder""",
    covers=("S7.8-8", "S10.2-7"),
    tags=("suitability", "traffic"),
    of="environment",
    before="endpoints: {llama-70b: {decode: {arguments: {max-num-seqs: 32}}, traffic: {concurrency: 60}}}",
    after="endpoints: {llama-70b: {decode: {arguments: {max-num-seqs: 64}}, traffic: {concurrency: 60}}}",
)
def check(endpoint: EndpointView) -> Matches:
    decode = endpoint.decode
    sequences = decode.arguments.integer(FLAG) if decode else None
    if decode is None or sequences is None:
        return
    concurrency = endpoint.traffic.concurrency
    if concurrency is None:
        raise MissingFact("number of concurrent requests")
    capacity = sequences * decode.replicas
    if concurrency > capacity:
        yield Match(
            decode.where(FLAG),
            f"decode runs {capacity:,} sequences at a time, {concurrency:,} requests at once are declared: "
            f"{concurrency - capacity:,} wait at the one side that cannot be scaled",
        )
