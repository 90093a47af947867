from hyperpod_dpd.rules.rule import ENGINE, ERROR, rule

RULE = rule(
    ("DPD014", "unreadable-file", ERROR, ENGINE),
    title="A file that the environment document needs cannot be read",
    what="""That the files beside an environment (outputs, locks, a model's configuration) can be read as
    what they are.""",
    why="""What they say is part of the environment. Judged without them, a document would pass that neither program can
    render.""",
    fine="Never.",
    fix="repair the file, or name another",
    sources="hyperpod-dpd, rules of the house",
    tags=("engine",),
)
