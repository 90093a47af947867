from hyperpod_dpd.catalog import vllm_flags
from hyperpod_dpd.iec.arguments import Argument, is_automatic, read_integer, read_number
from hyperpod_dpd.rules.arguments.problems import problems, runs_another_release
from hyperpod_dpd.rules.rule import ENDPOINT, ERROR, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.engine import runs_vllm

_KINDS = ("missing-value", "malformed-value", "unexpected-value", "unexpected-text")


@rule(
    ("DPD519", "argument-value", ERROR, ENDPOINT),
    title="An argument that vLLM refuses",
    what="""Missing values, words that belong to no flag, values after switches, numbers that are none, texts
    that are no JSON where it is wanted, numbers out of range (a share of memory above 1, sizes below 1), and
    words that are not among a flag's choices (a warning where the image's vLLM is another release than the
    one whose parser was read). On a colocated endpoint they are warnings.""",
    why="vLLM ends at start-up with a usage message; the pods restart until the deployment times out.",
    fine="Never.",
    fix="correct the value",
    sources="vLLM 0.19.0, its argument parser, dumped",
    covers=("E-90",),
    tags=("arguments",),
    before="spec: {worker: {args: {--gpu-memory-utilization: 75}}}",
    after="spec: {worker: {args: {--gpu-memory-utilization: 0.75}}}",
)
def check(endpoint: EndpointView) -> Matches:
    severity = None if endpoint.disaggregated else WARNING
    for problem in problems(endpoint, *_KINDS):
        yield Match(problem.path, problem.message, severity, fix=problem.fix)
    unsure = WARNING if runs_another_release(endpoint) else severity
    for problem in problems(endpoint, "not-a-choice"):
        yield Match(problem.path, problem.message, unsure, fix=problem.fix)
    if not runs_vllm(endpoint):
        return
    lists = (endpoint.worker_arguments, *(role.own_arguments for role in endpoint.roles))
    for arguments in lists:
        for item in arguments:
            wanted = _out_of_range(item)
            if wanted:
                yield Match(
                    item.value_path, f"{item.flag} is {item.value}, and it must be {wanted}", severity
                )


def _out_of_range(item: Argument) -> str:
    """What the value would have to be; empty where it is within its range or not a number at all."""
    if item.value is None:
        return ""
    if item.flag in vllm_flags.SHARE:
        share = read_number(item.value)
        return "above 0 and at most 1" if share is not None and not 0 < share <= 1 else ""
    if item.flag in vllm_flags.POSITIVE:
        if item.flag in vllm_flags.AUTOMATIC and is_automatic(item.value):
            return ""
        size = read_integer(item.flag, item.value)
        return "1 or more" if size is not None and size < 1 else ""
    return ""
