from hyperpod_dpd.rules.arguments.problems import problems, runs_read_release
from hyperpod_dpd.rules.rule import ENDPOINT, ERROR, WARNING, EndpointView, Match, Matches, rule


@rule(
    ("DPD520", "unknown-flag", ERROR, ENDPOINT),
    title="A flag that vLLM does not have",
    what="""Every flag against the parser of the vLLM inside the image, as that parser reads it: misspelled and
    unknown names, flags of other releases, --no- in front of a flag that has no such form, names cut so short
    that several flags begin like them. Where the image's vLLM is another release than the one that was read,
    or not known, misspellings and flags of other releases are warnings, and unknown names are left alone,
    since that vLLM may have them; on a colocated endpoint all are warnings.""",
    why="""vLLM ends at start-up with a usage message over one unknown flag, and the pods restart until the
    deployment times out; the flag that was meant keeps its default.""",
    fine="Where your image's vLLM is newer and has the flag: declare its version.",
    fix="correct the flag's name",
    sources="vLLM 0.19.0, its argument parser, dumped",
    tags=("arguments",),
    before='spec: {worker: {args: ["--tensor-paralel-size", "8"]}}',
    after='spec: {worker: {args: ["--tensor-parallel-size", "8"]}}',
)
def check(endpoint: EndpointView) -> Matches:
    same = runs_read_release(endpoint)
    kinds = ("misspelled-flag", "removed-flag", *(("unknown-flag",) if same else ()))
    severity = None if same and endpoint.disaggregated else WARNING
    for problem in problems(endpoint, *kinds):
        yield Match(problem.path, problem.message, severity, problem.fix)
