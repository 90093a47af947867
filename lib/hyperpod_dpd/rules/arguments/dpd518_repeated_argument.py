from hyperpod_dpd.rules.arguments.problems import problems
from hyperpod_dpd.rules.rule import ENDPOINT, ERROR, WARNING, EndpointView, Match, Matches, Path, rule


@rule(
    ("DPD518", "repeated-argument", ERROR, ENDPOINT),
    title="A flag is given twice in one list",
    what="""That no flag stands twice in one list of arguments, in any spelling. The same value twice is a
    warning, and so is a repetition on a colocated endpoint.""",
    why="""vLLM takes the last one. The operator's merge replaces the flag by one value, and which of the two
    it meets is not documented.""",
    fine="Never; flags that may be repeated are not judged.",
    fix="keep one of the two",
    sources="""SageMaker developer guide, DPD page, merge of a role's arguments | vLLM 0.19.0, engine
    arguments""",
    covers=("R110",),
    tags=("arguments",),
    before="""spec:
      pdSpec:
        prefillSpec: {args: [--max-num-seqs, "16", --max-num-seqs, "8"]}""",
    after="""spec:
      pdSpec:
        prefillSpec: {args: [--max-num-seqs, "16"]}""",
)
def check(endpoint: EndpointView) -> Matches:
    for problem in problems(endpoint, "repeated"):
        certain = endpoint.disaggregated and _values_differ(endpoint, problem.flag or "", problem.path)
        yield Match(problem.path, problem.message, None if certain else WARNING, fix=problem.fix)


def _values_differ(endpoint: EndpointView, flag: str, path: Path) -> bool:
    for arguments in (endpoint.worker_arguments, *(role.own_arguments for role in endpoint.roles)):
        found = arguments.occurrences(flag)
        if any(item.path == path for item in found):
            return len({(item.values, item.negated) for item in found}) > 1
    return True
