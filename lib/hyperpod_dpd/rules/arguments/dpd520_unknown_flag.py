from hyperpod_dpd.rules.arguments.problems import problems
from hyperpod_dpd.rules.rule import ENDPOINT, WARNING, EndpointView, Match, Matches, rule


@rule(
    ("DPD520", "unknown-flag", WARNING, ENDPOINT),
    title="A flag that vLLM does not have, close to one it has",
    what="""Flags that no release of vLLM we know has and that look like a misspelling of one. Other unknown
    flags are left alone, since a newer vLLM may have them.""",
    why="vLLM refuses to start over an unknown flag; and the flag that was meant keeps its default.",
    fine="Where your image's vLLM is newer and has the flag.",
    fix="correct the flag's name",
    sources="vLLM 0.19.0, engine arguments",
    tags=("arguments",),
    before='spec: {worker: {args: ["--tensor-paralel-size", "8"]}}',
    after='spec: {worker: {args: ["--tensor-parallel-size", "8"]}}',
)
def check(endpoint: EndpointView) -> Matches:
    for problem in problems(endpoint, "unknown-flag"):
        yield Match(problem.path, problem.message, fix=problem.fix)
