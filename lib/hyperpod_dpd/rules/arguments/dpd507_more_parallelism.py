from hyperpod_dpd.rules.facts import RoleView
from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, WARNING, EndpointView, Match, Matches, once, rule

_SIZES = {
    "--data-parallel-size": ("the data-parallel size is", None),
    "--data-parallel-size-local": ("the local data-parallel size is", None),
    "--decode-context-parallel-size": ("the decode context-parallel size is", None),
    "--prefill-context-parallel-size": ("the prefill context-parallel size is", None),
    "--nnodes": ("the number of the engine's nodes is", None),
    "--pipeline-parallel-size": ("the pipeline-parallel size is", WARNING),
}
"""Sizes that mean something above one. Pipelines only warn: the count of GPUs speaks of them."""
_DOCUMENTED = "DPD is documented with tensor parallelism only"
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
    after="spec: {worker: {args: {--tensor-parallel-size: 8}}}",
)
def check(endpoint: EndpointView) -> Matches:
    yield from once(match for role in endpoint.roles for match in _found(role))


def _found(role: RoleView) -> Matches:
    for flag, (what, severity) in _SIZES.items():
        size = role.arguments.integer(flag)
        if size is not None and size > 1:
            yield Match(role.where(flag), f"{what} {size}; {_DOCUMENTED}", severity)
    for flag, what in _SWITCHES.items():
        if role.arguments.enabled(flag):
            yield Match(role.where(flag), f"{what}; {_DOCUMENTED}")
    for flag, what in _GIVEN.items():
        if role.arguments.last(flag) is not None:
            yield Match(role.where(flag), f"{what}; {_DOCUMENTED}")
    backend = role.arguments.last(_BACKEND)
    if backend is not None and backend.value == "ray":
        message = f"the engine's processes are spread by Ray; {_DOCUMENTED}"
        yield Match(role.where(_BACKEND), message, WARNING)
