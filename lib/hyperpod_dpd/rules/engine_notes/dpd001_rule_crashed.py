from hyperpod_dpd.rules.rule import ENGINE, ERROR, rule

RULE = rule(
    ("DPD001", "rule-crashed", ERROR, ENGINE),
    title="A rule failed on this input",
    what="Whether every rule could run to its end on this input.",
    why="A rule that stops half way says nothing of what it did not see; a green result would be a guess.",
    fine="Never; it is a bug of ours.",
    fix="report it with the input; the other rules ran",
    sources="hyperpod-dpd, rules of the house",
    tags=("engine",),
)
