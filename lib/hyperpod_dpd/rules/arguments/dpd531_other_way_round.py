from hyperpod_dpd.rules.arguments.start_checks import option
from hyperpod_dpd.rules.facts import RoleView
from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, WARNING, EndpointView, Match, Matches, once, rule
from hyperpod_dpd.view.context import MissingFact
from hyperpod_dpd.view.memory import in_gib, role_memory

_OFFLOAD, _BACKEND = "--kv-offloading-size", "--kv-offloading-backend"
_MEMORY, _BLOCKS = "--kv-cache-memory-bytes", "--num-gpu-blocks-override"
_COMPILATION, _LEVEL = "--compilation-config", "--optimization-level"
_SERVES = {"--runner": ("auto", "generate"), "--convert": ("auto", "none")}
_BLOCK_TOKENS = 16


@rule(
    ("DPD531", "other-way-round", ERROR, DISAGGREGATED),
    title="A flag does by another way what is judged elsewhere",
    what="""Flags with the effect of one that has a rule: --kv-offloading-size, which puts another connector in
    the place of the operator's; --runner and --convert, which make no text; --kv-cache-memory-bytes and
    --num-gpu-blocks-override, which take the place of --gpu-memory-utilization (errors where the GPU, or a
    prompt of --max-model-len, does not fit, else warnings); -O0 and compilation settings that are
    --enforce-eager on the decoder (warnings).""",
    why="""The rules on memory, connector and CUDA graphs read the flags that everybody uses. These reach the
    same setting past them: with offloading the roles stop being sender and receiver, and every prompt is
    computed twice; with a size of its own the cache ignores the share that leaves room for the PD buffer.""",
    fine="A size of the cache that was taken from a start-up log of the same image, model and GPU.",
    fix="remove the flag",
    sources="vLLM 0.19.0, configuration of cache, model, compilation and KV transfer, and the GPU worker",
    tags=("arguments", "kv-transfer", "silent"),
    before="spec: {worker: {args: {--kv-offloading-size: 64}}}",
    after="spec: {worker: {args: {--kv-offloading-size: null}}}",
)
def check(endpoint: EndpointView) -> Matches:
    yield from once(match for role in endpoint.roles for match in _connector(role))
    yield from once(match for role in endpoint.roles for match in _cache(endpoint, role))
    if endpoint.decode is not None:
        yield from _eager(endpoint.decode)


def _connector(role: RoleView) -> Matches:
    size = role.arguments.number(_OFFLOAD)
    if size is not None:
        other = "LMCacheConnectorV1" if role.arguments.get(_BACKEND) == "lmcache" else "OffloadingConnector"
        yield Match(
            role.where(_OFFLOAD),
            f"{_OFFLOAD} {size:g} puts {other} in both directions in the place of the operator's connector",
        )
    for flag, serving in _SERVES.items():
        value = role.arguments.get(flag)
        if (
            value is not None
            and value not in serving
            and (role.own_arguments.last(flag) or role.role == "prefill")
        ):
            yield Match(role.where(flag), f"{flag} {value}: the engine gives no text then")


def _cache(endpoint: EndpointView, role: RoleView) -> Matches:
    size = role.arguments.integer(_MEMORY)
    if size is not None:
        try:
            memory = role_memory(endpoint, role)
        except MissingFact:
            memory = None
        if memory is not None and size + memory.buffer_bytes > memory.gpu_bytes:
            yield Match(
                role.where(_MEMORY),
                f"a KV cache of {in_gib(size)} and a PD buffer of {in_gib(memory.buffer_bytes)} exceed the "
                f"{in_gib(memory.gpu_bytes)} of a GPU",
            )
        else:
            yield Match(
                role.where(_MEMORY),
                f"{_MEMORY} takes the place of --gpu-memory-utilization; what stays free is not judged",
                WARNING,
            )
    blocks = role.arguments.integer(_BLOCKS)
    if blocks is not None:
        tokens = blocks * (role.arguments.integer("--block-size") or _BLOCK_TOKENS)
        length = role.arguments.integer("--max-model-len")
        short = length is not None and tokens < length
        yield Match(
            role.where(_BLOCKS),
            f"{_BLOCKS} makes a cache of {tokens:,} tokens"
            + (f", and a prompt may have {length:,}" if short else ", whatever fits; memory is not judged"),
            None if short else WARNING,
        )


def _eager(decode: RoleView) -> Matches:
    config = option(decode.arguments, _COMPILATION) or {}
    if decode.arguments.enabled("--enforce-eager"):
        return
    if decode.arguments.get(_LEVEL) == "0":
        yield Match(
            decode.where(_LEVEL), "level 0 is --enforce-eager by another name, on the decoder", WARNING
        )
    elif config.get("cudagraph_mode") == "NONE" or config.get("mode") in (0, "NONE"):
        place = next(item.path for item in decode.arguments if item.flag.partition(".")[0] == _COMPILATION)
        yield Match(place, f"{_COMPILATION} leaves the decoder without CUDA graphs or compilation", WARNING)
