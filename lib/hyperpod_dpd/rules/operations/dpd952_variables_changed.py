from hyperpod_dpd.rules.rule import CHANGE, WARNING, ChangeView, Match, Matches, rule


@rule(
    ("DPD952", "variables-changed", WARNING, CHANGE),
    title="Environment variables change on an endpoint that exists",
    what="That the environment variables of an endpoint that exists stay as they are.",
    why="""The resource definition says of them "cannot be updated": the change may be refused, or not reach
    the running pods. Both roles share these variables, so pods that start later with other values stop
    finding each other's cache keys.""",
    fine="When the endpoint is created anew with the change; acknowledge it with the plan.",
    fix="""plan to delete and create the endpoint anew, so that every pod of both roles starts with the new
    values""",
    sources="InferenceEndpointConfig CRD, operator 3.2, worker.environmentVariables",
    covers=("R81",),
    tags=("change", "variables"),
    before='spec: {worker: {environmentVariables: [{name: LMCACHE_LOG_LEVEL, value: "DEBUG"}]}}',
    after="spec: {}",
)
def check(change: ChangeView) -> Matches:
    if change.renamed:
        return
    for name, (was, now) in change.variables.items():
        yield Match(
            change.after.where_variable(name),
            f"{name} {_says(was, now)}; variables cannot be updated in place",
        )


def _says(was: str | None, now: str | None) -> str:
    """What happened, without a value: it may come from a place that holds secrets."""
    return "is added" if was is None else "is removed" if now is None else "has another value"
