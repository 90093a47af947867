from hyperpod_dpd.rules.arguments.problems import problems
from hyperpod_dpd.rules.rule import ENDPOINT, WARNING, EndpointView, Match, Matches, rule

_MERGE = ("mixed-spelling", "merge-spelling", "abbreviation")
_SHELL = "-c"


@rule(
    ("DPD517", "argument-form", WARNING, ENDPOINT),
    title="Arguments in a form that the operator's merge may not recognise",
    what="""Several words in one list item, forms mixed within one list (--flag=value beside --flag value,
    underscores beside dashes), shortened names, and a flag that a role writes differently from the shared
    arguments. On a colocated endpoint only several words in one item count.""",
    why="""A role's argument replaces the shared one of the same flag. How the operator recognises the same
    flag is not published; if it compares items as text, both stay and which one wins is chance. Several words
    in one item reach vLLM as one unknown argument unless a shell splits them.""",
    fine="Where the effective arguments of the running pod were looked at.",
    fix="write every flag as two list items, the long name with dashes and then the value",
    sources="SageMaker developer guide, DPD page, merge of a role's arguments",
    covers=("R109",),
    tags=("arguments",),
    before="""spec:
      pdSpec:
        prefillSpec: {args: ["--gpu-memory-utilization=0.7"]}""",
    after="""spec:
      pdSpec:
        prefillSpec: {args: [--gpu-memory-utilization, "0.7"]}""",
)
def check(endpoint: EndpointView) -> Matches:
    kinds = _MERGE if endpoint.disaggregated else ()
    if not _has_shell(endpoint):
        kinds = (*kinds, "shell-string")
    for problem in problems(endpoint, *kinds):
        yield Match(problem.path, problem.message, fix=problem.fix)


def _has_shell(endpoint: EndpointView) -> bool:
    """Whether worker.command is a shell that splits the words itself."""
    command = endpoint.get("worker", "command")
    return isinstance(command, list) and bool(command) and str(command[-1]).endswith(_SHELL)
