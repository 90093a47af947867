from hyperpod_dpd.rules.rule import ENGINE, ERROR, rule

RULE = rule(
    ("DPD011", "wrong-document-value", ERROR, ENGINE),
    title="A value does not have the type or the form that its key takes",
    what="""Types, forms, limits and lists of choices of every value in an environment document;
    keys without a value among them.""",
    why="""YAML guesses: `8GiB` is a string, `0123` a number, `no` a truth value, and a key without a value is nothing.
    A guess that differs from what was meant would be rendered as it is.""",
    fine="Never.",
    fix="write the value in the form named; `dpd schema` prints what is allowed",
    sources="hyperpod-dpd, rules of the house",
    tags=("engine",),
)
