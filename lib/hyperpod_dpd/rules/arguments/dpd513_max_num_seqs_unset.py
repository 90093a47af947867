from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import DISAGGREGATED, INFO, EndpointView, Match, Matches, rule

FLAG = "--max-num-seqs"


@rule(
    ("DPD513", "max-num-seqs-unset", INFO, DISAGGREGATED),
    title="--max-num-seqs is left to vLLM",
    what="That each role limits the sequences it runs at once.",
    why="""AWS's tuning table starts with a low number on prefill and twice that on decode. vLLM's own default
    is far above both, so that the first overload shows as memory pressure and not as a queue.""",
    fine="Where a load test showed that vLLM's default does no harm.",
    fix="set --max-num-seqs in the arguments of each role",
    sources="SageMaker developer guide, DPD page, tuning table",
    covers=("R105",),
    tags=("arguments",),
    before="spec: {pdSpec: {prefillSpec: {args: {--max-num-seqs: null}}}}",
    after="spec: {pdSpec: {prefillSpec: {args: {--max-num-seqs: 16}}, decodingSpec: {args: {--max-num-seqs: 32}}}}",
)
def check(endpoint: EndpointView) -> Matches:
    documented = engine_defaults.documented()
    advised = {"prefill": documented.prefill_max_num_seqs, "decode": documented.decode_max_num_seqs}
    without = [role for role in endpoint.roles if role.arguments.last(FLAG) is None]
    if without:
        wanted = " and ".join(f"{advised[role.role]} on {role.role}" for role in without)
        yield Match(
            (*without[0].path, "args"),
            f"{FLAG} is unset; AWS starts with {wanted}",
            fix=f"set {FLAG} to {wanted}",
        )
