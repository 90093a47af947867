from hyperpod_dpd.rules.rule import ENGINE, ERROR, rule

RULE = rule(
    ("DPD008", "repeated-key", ERROR, ENGINE),
    title="The text of the file has a fault that readers resolve differently",
    what="Keys written twice in one mapping, tags that nobody understands, and !!binary that is no text.",
    why="""One reader takes the first value, another the last, a third refuses the file: what is deployed
    depends on the tool.""",
    fine="Never.",
    fix="remove one of the two",
    sources="YAML 1.2 specification, uniqueness of mapping keys",
    tags=("engine",),
)
