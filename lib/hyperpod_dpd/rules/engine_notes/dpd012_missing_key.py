from hyperpod_dpd.rules.rule import ENGINE, ERROR, rule

RULE = rule(
    ("DPD012", "missing-key", ERROR, ENGINE),
    title="A key that the environment needs is missing",
    what="""Keys of an environment document that have no default.""",
    why="""What has no default is a decision that nobody else can make, such as the account or where the
    weights are.""",
    fine="Never.",
    fix="add the key; `dpd init NAME` writes a whole document to compare with",
    sources="hyperpod-dpd, rules of the house",
    tags=("engine",),
)
