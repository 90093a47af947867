from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.scaling import scaling_of


@rule(
    ("DPD718", "prefill-per-decoder", WARNING, DISAGGREGATED),
    title="More prefillers for one decoder than AWS advises",
    what="That there are no more prefillers for one decoder than AWS advises, now or after scaling.",
    why="""All prefillers send to one decoder: one thread hands out its pages and one buffer takes them all.
    Beyond the advised ratios the prefillers wait for it.""",
    fine="With short answers and a buffer sized for it, after a measurement.",
    fix="lower the prefillers, or spread the load over a second endpoint",
    sources="AWS machine learning blog on DPD, ratios of prefill to decode",
    covers=("R158",),
    tags=("scaling",),
    before="spec: {pdSpec: {prefillSpec: {replicas: 5}}}",
    after="spec: {pdSpec: {prefillSpec: {replicas: 3}}}",
)
def check(endpoint: EndpointView) -> Matches:
    prefill, decode = endpoint.prefill, endpoint.decode
    if prefill is None or decode is None:
        return
    most = max(engine_defaults.validated().prefill_replicas_per_decoder)
    decoders = max(1, decode.replicas)
    scaling = scaling_of(endpoint, "prefill")
    if prefill.replicas > most * decoders:
        yield Match(
            (*prefill.path, "replicas"),
            f"{prefill.replicas} prefillers for {decoders} decoder; AWS advises up to {most}:1",
            fix=f"set the prefiller's replicas to {most * decoders} or less",
        )
    elif scaling is not None and scaling.max_replicas > most * decoders:
        yield Match(
            scaling.path,
            f"prefill may grow to {scaling.max_replicas} for {decoders} decoder; AWS advises up to {most}:1",
            fix=f"set maxReplicaCount to {most * decoders} or less",
        )
