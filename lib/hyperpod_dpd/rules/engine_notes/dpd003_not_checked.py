from hyperpod_dpd.rules.rule import ENGINE, INFO, rule

RULE = rule(
    ("DPD003", "not-checked", INFO, ENGINE),
    title="Rules that could not be judged for want of a fact",
    what="Which rules had nothing to judge by, once for each missing fact.",
    why="A rule that passes silently because it knows nothing is read as a promise.",
    fine="On a lone manifest, which says nothing of its cluster or its traffic.",
    fix="declare the fact",
    sources="hyperpod-dpd, rules of the house",
    tags=("engine",),
)
