from hyperpod_dpd.rules.rule import ENGINE, ERROR, rule

RULE = rule(
    ("DPD004", "unknown-acknowledgement", ERROR, ENGINE),
    title="An acknowledgement names a rule that does not exist",
    what="That each acknowledged id is in the catalogue.",
    why="A misspelled id accepts nothing while the reader believes the risk was considered.",
    fine="Never.",
    fix="correct the id; `dpd rules` lists them",
    sources="hyperpod-dpd, rules of the house",
    tags=("engine",),
)
