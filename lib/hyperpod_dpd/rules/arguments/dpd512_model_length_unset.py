from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.iec.arguments import is_automatic
from hyperpod_dpd.rules.facts import RoleView
from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule

FLAG = "--max-model-len"


@rule(
    ("DPD512", "model-length-unset", WARNING, DISAGGREGATED),
    title="--max-model-len is left to the model",
    what="That each role's longest sequence is set, not absent and not left to the engine (auto, -1).",
    why="""Without it the engine takes the model's own limit, often 131,072 tokens: the KV cache of one such
    sequence may not fit, and a prompt of that length may need more pages than the PD buffer has, which blocks
    every transfer for ever.""",
    fine="Where prompts of the model's full length are wanted and the buffer was sized for them.",
    fix="set --max-model-len to the longest prompt and answer you serve",
    sources="SageMaker developer guide, DPD page, example | vLLM 0.19.0, engine arguments",
    covers=("R99",),
    tags=("arguments", "sizing"),
    before="spec: {worker: {args: {--max-model-len: null}}}",
    after="spec: {worker: {args: {--max-model-len: 16384}}}",
)
def check(endpoint: EndpointView) -> Matches:
    without = [role for role in endpoint.roles if _is_open(role)]
    if not without:
        return
    model = endpoint.model_or_none
    limit = model.geometry.max_position_tokens if model else None
    path = ("spec", "worker", "args") if len(without) == len(endpoint.roles) else (*without[0].path, "args")
    given = without[0].arguments.last(FLAG)
    yield Match(
        given.path if given else path,
        f"{FLAG} is {'left to the engine' if given else 'unset'} on {' and '.join(role.role for role in without)}, "
        f"so the model's own limit holds" + (f", {limit:,} tokens" if limit else ""),
        fix=f"set {FLAG} in worker.args; AWS's example has {engine_defaults.documented().max_model_len_tokens}",
    )


def _is_open(role: RoleView) -> bool:
    given = role.arguments.last(FLAG)
    return given is None or is_automatic(given.value or "auto")
