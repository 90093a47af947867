from hyperpod_dpd.rules.rule import DISAGGREGATED, INFO, EndpointView, Match, Matches, rule

FLAG = "--enforce-eager"
_LEVEL = "--optimization-level"


@rule(
    ("DPD516", "prefill-not-eager", INFO, DISAGGREGATED),
    title="The prefiller captures CUDA graphs",
    what="Whether the prefiller has --enforce-eager, as AWS's benchmark did.",
    why="A prefill step is long, so CUDA graphs gain little there, and they cost memory and start-up time.",
    fine="Where a measurement favours graphs on your model.",
    fix="add --enforce-eager to prefillSpec.args",
    sources="AWS machine learning blog on DPD, benchmark settings",
    covers=("R108",),
    tags=("arguments", "performance"),
    before="spec: {pdSpec: {prefillSpec: {args: {--enforce-eager: null}}}}",
    after="spec: {pdSpec: {prefillSpec: {args: [--enforce-eager]}}}",
)
def check(endpoint: EndpointView) -> Matches:
    prefill = endpoint.prefill
    if prefill is None or prefill.arguments.enabled(FLAG) or prefill.arguments.get(_LEVEL) == "0":
        return
    yield Match(
        prefill.where(FLAG), "prefill captures CUDA graphs; AWS's benchmark ran it with --enforce-eager"
    )
