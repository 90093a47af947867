from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, EndpointView, Match, Matches, rule


@rule(
    ("DPD702", "decode-replicas", ERROR, DISAGGREGATED),
    title="More than one decoder",
    what="That a disaggregated endpoint has exactly one decoder.",
    why="""AWS documents a single decode deployment for each endpoint and plans more for a later release; two
    other places of the same documentation advise to scale it. Whether load spreads over several decoders is
    not confirmed, and a decoder that gets nothing still costs a whole node.""",
    fine="""With a recorded test that the decoders share the load, acknowledged; in production the report is
    named in operations.""",
    fix="set the decoder's replicas to 1; raise prefill replicas, the PD buffer or a second endpoint instead",
    sources="""SageMaker developer guide, DPD page, known limits | AWS machine learning blog on DPD, scaling
    guidance""",
    covers=("R149",),
    tags=("scaling",),
    waivable=True,
    before="spec: {pdSpec: {decodingSpec: {replicas: 2}}}",
    after="spec: {pdSpec: {decodingSpec: {replicas: 1}}}",
)
def check(endpoint: EndpointView) -> Matches:
    decode = endpoint.decode
    if decode is not None and decode.replicas > 1:
        yield Match((*decode.path, "replicas"), f"{decode.replicas} decoders; one is what AWS documents")
