import re

from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.rules.variables.switches import is_on, is_placeholder, literals

NAME = "LMCACHE_SAVE_UNFULL_CHUNK"
_TRANSFER = "--kv-transfer-config"
_DISCARD = re.compile(r"discard_partial_chunks\W+true", re.IGNORECASE)


@rule(
    ("DPD421", "partial-chunks", ERROR, DISAGGREGATED),
    title="The last, partial chunk of a prompt would not be transferred",
    what="""That partial chunks are kept: LMCACHE_SAVE_UNFULL_CHUNK off is an error, discard_partial_chunks
    on, among the arguments, a warning.""",
    why="""The end of a prompt rarely fills a chunk. If it is not saved, the decoder computes it again for
    every request: recorded with LMCache 0.4.3 whose settings came from variables alone, which then left it
    off and stored 1,792 of 2,032 tokens. LMCache's check of PD mode switches it on where that check runs, as
    AWS's own log shows. The other statement: with "True" the whole prompt is found, and answers were reported
    to be wrong then (LMCache 4614); for 0.4.3 that is not confirmed. Compare answers of both paths at
    temperature 0.""",
    fine="Never on a disaggregated endpoint.",
    fix='set LMCACHE_SAVE_UNFULL_CHUNK to "True", in quotes, or remove it',
    sources="""LMCache issues 2540 and 4614 | LMCache 0.4.3, start of the PD mode | recorded: vLLM 0.19.0 with
    LMCache 0.4.3""",
    covers=("B-23",),
    tags=("kv-transfer",),
    before='spec: {worker: {environmentVariables: [{name: LMCACHE_SAVE_UNFULL_CHUNK, value: "False"}]}}',
    after='spec: {worker: {environmentVariables: [{name: LMCACHE_SAVE_UNFULL_CHUNK, value: "True"}]}}',
)
def check(endpoint: EndpointView) -> Matches:
    for variable, value in literals(endpoint, (NAME,)):
        if not is_on(value) and not is_placeholder(value):
            yield Match(variable.value_path, f"{NAME} is '{value}': the end of each prompt is computed twice")
    for role in endpoint.roles:
        for argument in role.arguments.occurrences(_TRANSFER):
            if any(_DISCARD.search(value) for value in argument.values):
                yield Match(
                    argument.path,
                    f"{_TRANSFER} of {role.role} sets discard_partial_chunks",
                    WARNING,
                    "remove discard_partial_chunks",
                )
