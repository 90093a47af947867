from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import DISAGGREGATED, INFO, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.context import MissingFact


@rule(
    ("DPD722", "back-pressure", INFO, DISAGGREGATED),
    title="Nothing limits requests beyond what the decoder runs at once",
    what="""Whether an endpoint whose declared concurrency exceeds what its decoder runs at once limits its
    requests.""",
    why="""Requests beyond --max-num-seqs wait at the decoder with their pages in the PD buffer, and block
    transfers when it is full. The proxy's limit is the only back-pressure the endpoint offers: it answers the
    rest at once instead.""",
    fine="""Where clients or a gateway in front limit themselves. The limit counts per pod, on prefill and
    decode alike.""",
    fix="set worker.requestLimits.maxConcurrentRequests",
    sources="""SageMaker developer guide, request limits of inference endpoints | AWS machine learning blog on
    DPD""",
    covers=("R161",),
    tags=("limits",),
    of="environment",
    before="""endpoints:
      llama-70b:
        traffic: {concurrency: 64}
        decode: {arguments: {max-num-seqs: 32}}""",
    after="""endpoints:
      llama-70b:
        traffic: {concurrency: 64}
        decode: {arguments: {max-num-seqs: 32}}
        request_limits: {maxConcurrentRequests: 48}""",
)
def check(endpoint: EndpointView) -> Matches:
    decode = endpoint.decode
    if decode is None or endpoint.get("worker", "requestLimits", "maxConcurrentRequests"):
        return
    concurrency = endpoint.traffic.concurrency
    if concurrency is None:
        raise MissingFact("traffic")
    at_once = decode.arguments.integer("--max-num-seqs") or engine_defaults.vllm().max_num_seqs
    running = at_once * max(1, decode.replicas)
    if concurrency > running:
        yield Match(
            ("spec", "worker", "requestLimits"),
            f"{concurrency} concurrent requests are declared, the decoder runs {running} at once, "
            "and nothing turns the rest away",
        )
