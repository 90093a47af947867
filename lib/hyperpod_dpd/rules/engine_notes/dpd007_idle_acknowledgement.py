from hyperpod_dpd.rules.rule import ENGINE, WARNING, rule

RULE = rule(
    ("DPD007", "idle-acknowledgement", WARNING, ENGINE),
    title="An acknowledgement matches no finding",
    what="That each acknowledgement accepts something that is found.",
    why="An old entry silently accepts the fault when it comes back.",
    fine="Never for long.",
    fix="remove the entry",
    sources="hyperpod-dpd, rules of the house",
    tags=("engine",),
)
