from hyperpod_dpd.rules.rule import ENGINE, ERROR, rule

RULE = rule(
    ("DPD013", "locked-fact-changes", ERROR, ENGINE),
    title="A change would replace what is deployed and locked",
    what="""Every fact in environments/locks against what the document leads to now.""",
    why="""CloudFormation answers such a change by making another resource and deleting the old one with what it
    holds: weights, metrics, running endpoints.""",
    fine="When the replacement is meant: `allow_replacement` names the fact and the reason.",
    fix="undo the change, or allow it with a reason under allow_replacement",
    sources="CloudFormation, update behaviours of resources | hyperpod-dpd, the lock",
    tags=("engine",),
)
