import json

from hyperpod_dpd.iec.arguments import Arguments
from hyperpod_dpd.rules.facts import RoleView
from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, WARNING, EndpointView, Match, Matches, Path, rule

_SAME = frozenset(
    {
        "--model",
        "--served-model-name",
        "--revision",
        "--tokenizer",
        "--dtype",
        "--kv-cache-dtype",
        "--quantization",
        "--pipeline-parallel-size",
        "--hf-overrides",
        "--rope-scaling",
        "--rope-theta",
        "--enable-lora",
        "--lora-modules",
    }
)
_UNCONFIRMED = frozenset({"--attention-backend", "--attention-config", "--speculative-config"})
_SPECULATIVE = "--speculative-config"
_DEFAULTS = {
    "--dtype": "auto",
    "--kv-cache-dtype": "auto",
    "--pipeline-parallel-size": "1",
    "--hf-overrides": "{}",
}


@rule(
    ("DPD504", "roles-differ", ERROR, DISAGGREGATED),
    title="An argument that must be the same differs between the roles",
    what="""Arguments that decide what a KV page is or what a request means, after the merge: model, served
    name, revision, dtype, KV cache dtype, quantization, pipeline-parallel size, overrides, adapters.
    Speculative decoding in one role only is an error as well. Attention backend, attention configuration and
    two different ways of speculative decoding are warned, since their weight on HyperPod is not confirmed.
    Block sizes may differ (64 against 128 was recorded to work).""",
    why="""LMCache's key of a page holds the model's path, the world size, the rank and the KV dtype. Where
    one differs, every lookup misses and the decoder computes each prompt again. That is slow first and an
    outage later: pages that are never found fill the decoder's buffer, and prefillers then block for ever with
    /health at 200 (recorded with a dtype that differs). Where only the numbers inside differ, the answer is
    wrong. A draft model's layers are part of a page, so a role that speculates alone has pages of another
    shape. A served name that one role lacks is answered by 404.""",
    fine="--enforce-eager, --max-num-seqs and --gpu-memory-utilization may differ and are not judged here.",
    fix="set the flag once, in the arguments that both roles share",
    sources="""LMCache 0.4.3, cache key | vLLM, compatibility of prefill and decode instances | vLLM pull
    request 29503, compatibility hash""",
    covers=("R93", "B-27"),
    tags=("kv-transfer", "silent"),
    before="spec: {pdSpec: {decodingSpec: {args: [--kv-cache-dtype, fp8]}}}",
    after="spec: {worker: {args: {--kv-cache-dtype: fp8}}}",
)
def check(endpoint: EndpointView) -> Matches:
    prefill, decode = endpoint.prefill, endpoint.decode
    if prefill is None or decode is None:
        return
    own = {flag.partition(".")[0]: None for role in (decode, prefill) for flag in role.own_arguments.flags}
    for flag in own:
        if flag not in _SAME and flag not in _UNCONFIRMED:
            continue
        first, second = _value(prefill.arguments, flag), _value(decode.arguments, flag)
        if first == second:
            continue
        known = flag in _SAME or (flag == _SPECULATIVE and not (first and second))
        yield Match(
            _place(prefill, decode, flag),
            f"{flag} is {first or 'unset'} on prefill and {second or 'unset'} on decode"
            + ("" if known else "; that both must agree on HyperPod is not confirmed"),
            None if known else WARNING,
            fix=f"set {flag} once, in the arguments that both roles share",
        )


def _value(arguments: Arguments, flag: str) -> str:
    """The setting as one text: JSON keys given one by one count like the whole; defaults count as unset."""
    parts = []
    for given in arguments.flags:
        if given.partition(".")[0] == flag:
            last = arguments.last(given)
            if last is not None and not last.negated:
                parts.append(given[len(flag) :] + _plain(" ".join(last.values) or "on"))
    text = ", ".join(sorted(parts))
    return "" if text == _DEFAULTS.get(flag) else text


def _plain(text: str) -> str:
    if not text.lstrip().startswith("{"):
        return text.strip()
    try:
        return json.dumps(json.loads(text), sort_keys=True)
    except ValueError:
        return text


def _place(prefill: RoleView, decode: RoleView, flag: str) -> Path:
    for role in (decode, prefill):
        for item in role.own_arguments:
            if item.flag.partition(".")[0] == flag:
                return item.path
    return decode.where(flag)
