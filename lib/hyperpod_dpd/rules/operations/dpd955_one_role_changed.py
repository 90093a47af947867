from hyperpod_dpd.iec.arguments import Arguments
from hyperpod_dpd.rules.rule import CHANGE, ERROR, ChangeView, Match, Matches, rule

SHARED = (
    "--model",
    "--revision",
    "--served-model-name",
    "--tensor-parallel-size",
    "--pipeline-parallel-size",
    "--dtype",
    "--kv-cache-dtype",
    "--quantization",
    "--block-size",
    "--hf-overrides",
    "--attention-backend",
    "--speculative-config",
)
"""Flags whose value both roles must share; how bad a standing difference is, other rules say."""


@rule(
    ("DPD955", "one-role-changed", ERROR, CHANGE),
    title="An argument that both roles must share changes on one of them only",
    what="""Arguments on which prefill and decode agreed before and do not agree now, among those that shape
    the KV cache or the model.""",
    why="""The decoder looks for pages under a key made of model, rank and data type, and reads them in its
    own layout. Changed on one side only, it finds nothing, or the handshake fails, and each request is
    computed twice.""",
    fine="""Never for these. Arguments that only steer scheduling, such as --max-num-seqs, may differ; they
    are not looked at here.""",
    fix="make the change in worker.args, or in the arguments of both roles",
    sources="LMCache 0.4.3, key of a cache entry | vLLM, NIXL connector, compatibility hash",
    tags=("change", "arguments", "silent"),
    before="spec: {pdSpec: {decodingSpec: {args: {--kv-cache-dtype: fp8}}}}",
    after="spec: {worker: {args: {--kv-cache-dtype: fp8}}}",
)
def check(change: ChangeView) -> Matches:
    before, after = change.before, change.after
    old = (before.prefill, before.decode)
    new = (after.prefill, after.decode)
    if old[0] is None or old[1] is None or new[0] is None or new[1] is None:
        return
    for flag in SHARED:
        was = (_value(old[0].arguments, flag), _value(old[1].arguments, flag))
        now = (_value(new[0].arguments, flag), _value(new[1].arguments, flag))
        if was[0] != was[1] or now[0] == now[1]:
            continue
        role, side = (new[0], now[0]) if now[0] != was[0] else (new[1], now[1])
        yield Match(
            role.where(flag),
            f"{flag} of {role.role} was {_shown(was[0])} like the other role's and is {_shown(side)}",
        )


def _value(arguments: Arguments, flag: str) -> tuple[str, ...] | None:
    found = arguments.last(flag)
    return None if found is None else (*(("no",) if found.negated else ()), *found.values)


def _shown(value: tuple[str, ...] | None) -> str:
    return "absent" if value is None else " ".join(value) or "set"
