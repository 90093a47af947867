from hyperpod_dpd.rules.rule import CHANGE, INFO, ChangeView, Match, Matches, rule


@rule(
    ("DPD959", "both-roles-restart", INFO, CHANGE),
    title="Both roles restart at once",
    what="Changes that restart prefill and decode pods at the same time.",
    why="""Shared arguments, variables and the image belong to both roles. With one decoder, which is what is
    documented, there is none left while the new one loads the weights, and callers wait or get errors.""",
    fine="In a maintenance window, or with a second endpoint that takes the traffic meanwhile.",
    fix="apply it in a quiet hour, or let a second endpoint take the traffic until both roles are ready",
    sources="hyperpod-dpd, what a pod template is made of",
    tags=("change", "operations"),
    before="spec: {worker: {args: {--max-model-len: 8192}}}",
    after="spec: {pdSpec: {prefillSpec: {args: {--max-num-seqs: 8}}}}",
)
def check(change: ChangeView) -> Matches:
    if change.renamed or change.switched or not change.after.disaggregated or len(change.roles) < 2:
        return
    shared = [
        name
        for name, differs in (
            ("image", change.changed("worker", "image")),
            ("environment variables", bool(change.variables)),
        )
        if differs
    ]
    reasons = [was.restarts_for(now) for was, now in change.roles]
    if shared or all(reasons):
        named = list(dict.fromkeys([*shared, *(each for some in reasons for each in some)]))
        yield Match(("spec", "worker"), f"prefill and decode both restart: {', '.join(named)} changed")
