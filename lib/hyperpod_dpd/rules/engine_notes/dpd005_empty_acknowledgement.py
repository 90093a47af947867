from hyperpod_dpd.rules.rule import ENGINE, ERROR, rule

RULE = rule(
    ("DPD005", "empty-acknowledgement", ERROR, ENGINE),
    title="An acknowledgement has no reason",
    what="That each acknowledgement carries a reason.",
    why="""The reason is what the next engineer judges; without it an acknowledgement is a switch that turns a
    check off.""",
    fine="Never.",
    fix="write why the finding is accepted here, or remove the entry",
    sources="hyperpod-dpd, rules of the house",
    tags=("engine",),
)
