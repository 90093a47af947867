from hyperpod_dpd.rules.rule import ENGINE, ERROR, rule

RULE = rule(
    ("DPD006", "not-waivable", ERROR, ENGINE),
    title="An acknowledgement names a rule that cannot be waived",
    what="""That nothing is acknowledged that cannot be: an error of a rule that knows no case in which it is
    fine, and findings about what carries no acknowledgement (templates, other objects, the check itself).
    Warnings and notes may always be acknowledged.""",
    why="Such an error states that the deployment cannot work; accepting it would not make it work.",
    fine="Never.",
    fix="remove the entry and put the cause right",
    sources="hyperpod-dpd, rules of the house",
    tags=("engine",),
)
