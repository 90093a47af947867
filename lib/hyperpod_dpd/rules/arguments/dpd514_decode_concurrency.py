from hyperpod_dpd.rules.rule import DISAGGREGATED, INFO, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.buffer import role_buffer
from hyperpod_dpd.view.context import MissingFact

FLAG = "--max-num-seqs"


@rule(
    ("DPD514", "decode-concurrency", INFO, DISAGGREGATED),
    title="The decoder runs more sequences than the PD buffer receives",
    what="""--max-num-seqs of the decoder, where it is set, against the prompts of the declared P95 length
    (else the median) that the PD buffer holds at once.""",
    why="""While the decoder's slots are free, prompts leave the buffer as soon as they arrive; when many
    arrive together, the buffer is full before the decoder is, and prefillers wait with an allocation retry
    every 10 ms.""",
    fine="""Mostly: prompts stay in the buffer for a moment only. It is a note that says which of the two
    limits comes first.""",
    fix="raise PD_BUFFER_SIZE, or lower --max-num-seqs on decode",
    sources="derived from LMCache 0.4.3's PD buffer and the declared lengths",
    covers=("R106",),
    tags=("kv-transfer", "sizing"),
    of="environment",
    before="""endpoints:
      llama-70b:
        decode: {arguments: {max-num-seqs: 256}}
        traffic: {input_tokens: {p50: 8000, p95: 16000}}""",
    after="""endpoints:
      llama-70b:
        decode: {arguments: {max-num-seqs: 16}}
        traffic: {input_tokens: {p50: 4500, p95: 8000}}""",
)
def check(endpoint: EndpointView) -> Matches:
    decode = endpoint.decode
    sequences = decode.arguments.integer(FLAG) if decode else None
    if decode is None or sequences is None:
        return
    lengths = endpoint.traffic.input_tokens
    if lengths is None:
        raise MissingFact("distribution of prompt lengths")
    tokens = lengths.p95 or lengths.p50
    buffer = role_buffer(endpoint, decode)
    if buffer is None:
        return
    transfers = buffer.in_flight_transfers(tokens)
    if sequences > transfers:
        yield Match(
            decode.where(FLAG),
            f"decode runs {sequences} sequences and the buffer holds {transfers} prompts of {tokens:,} tokens at once",
        )
