from collections.abc import Iterator

from hyperpod_dpd.rules.rule import (
    DISAGGREGATED,
    ERROR,
    WARNING,
    EndpointView,
    Match,
    Matches,
    Path,
    RoleView,
    Severity,
    rule,
)

_SIZES = {
    "--data-parallel-size": ("the data-parallel size is", None),
    "--data-parallel-size-local": ("the local data-parallel size is", None),
    "--decode-context-parallel-size": ("the decode context-parallel size is", None),
    "--prefill-context-parallel-size": ("the prefill context-parallel size is", None),
    "--nnodes": ("the number of the engine's nodes is", None),
    "--pipeline-parallel-size": ("the pipeline-parallel size is", WARNING),
}
"""Sizes that mean something above one. Pipelines only warn: the count of GPUs speaks of them."""
_BACKEND = "--distributed-executor-backend"
_SWITCHES = {
    "--enable-expert-parallel": "expert parallelism is on",
    "--enable-eplb": "the load balancing of experts is on",
    "--enable-elastic-ep": "elastic expert parallelism is on",
    "--enable-dbo": "dual-batch overlap is on",
    "--data-parallel-hybrid-lb": "data parallelism balances its own load",
    "--data-parallel-external-lb": "data parallelism has its load balanced from outside",
}
_GIVEN = {
    "--data-parallel-rank": "a data-parallel rank is given",
    "--data-parallel-start-rank": "a data-parallel rank is given",
    "--data-parallel-address": "the engine joins others by data parallelism",
    "--node-rank": "the engine is one node of several",
}


@rule(
    ("DPD507", "more-parallelism", ERROR, DISAGGREGATED),
    title="More than tensor parallelism with disaggregation",
    what="""Every form of parallelism besides the tensor-parallel size, in either role: data, expert and
    context parallelism and several nodes (errors); pipelines and Ray (warnings).""",
    why="""LMCache finds the receiver by the number of the tensor-parallel rank: two data-parallel ranks of
    one pod want the same port, and so may two stages of a pipeline. Expert parallelism changes the layout of
    ranks that the key of a page counts; context parallelism cuts a token's cache once more, so that page and
    buffer have other sizes than the ones judged here. AWS documents none of them for DPD.""",
    fine="With a test that shows pages being found on your image (Retrieved N out of N), acknowledged.",
    fix="remove the flag and use tensor parallelism",
    sources="""SageMaker developer guide, DPD page, which addresses tensor parallelism only | LMCache 0.4.3,
    PD backend, one port for each tensor-parallel rank""",
    covers=("R95",),
    tags=("arguments",),
    waivable=True,
    before="spec: {worker: {args: {--data-parallel-size: 2, --tensor-parallel-size: 4}}}",
    after="spec: {worker: {args: {--data-parallel-size: null, --tensor-parallel-size: 8}}}",
)
def check(endpoint: EndpointView) -> Matches:
    seen: set[Path] = set()
    for role in endpoint.roles:
        for flag, what, severity in _found(role):
            path = role.where(flag)
            if path not in seen:
                seen.add(path)
                yield Match(path, f"{what}; DPD is documented with tensor parallelism only", severity)


def _found(role: RoleView) -> Iterator[tuple[str, str, Severity | None]]:
    for flag, (what, severity) in _SIZES.items():
        size = role.arguments.integer(flag)
        if size is not None and size > 1:
            yield flag, f"{what} {size}", severity
    for flag, what in _SWITCHES.items():
        if role.arguments.enabled(flag):
            yield flag, what, None
    for flag, what in _GIVEN.items():
        if role.arguments.last(flag) is not None:
            yield flag, what, None
    backend = role.arguments.last(_BACKEND)
    if backend is not None and backend.value == "ray":
        yield _BACKEND, "the engine's processes are spread by Ray", WARNING
