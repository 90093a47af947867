from hyperpod_dpd.rules.rule import ENGINE, ERROR, rule

RULE = rule(
    ("DPD002", "environment-shape", ERROR, ENGINE),
    title="The environment document does not have its declared shape",
    what="Types, unknown keys, missing keys and names that point nowhere in an environment document.",
    why="""A key that nobody reads looks like a setting and is none; the typed document is what both programs
    agree on.""",
    fine="Never.",
    fix="correct the key named; `dpd schema` prints what is allowed",
    sources="hyperpod-dpd, rules of the house",
    tags=("engine",),
)
