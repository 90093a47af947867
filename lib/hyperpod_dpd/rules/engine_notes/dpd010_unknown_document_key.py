from hyperpod_dpd.rules.rule import ENGINE, ERROR, rule

RULE = rule(
    ("DPD010", "unknown-document-key", ERROR, ENGINE),
    title="A key of the environment document is not a key there",
    what="""Keys that the environment document does not have at that place.""",
    why="""A key that nobody reads looks like a setting and is none: the default stays in force without a word.""",
    fine="Never.",
    fix="correct the key, or remove it; `dpd schema` prints what is allowed",
    sources="hyperpod-dpd, rules of the house",
    tags=("engine",),
)
