from hyperpod_dpd.rules.rule import ENGINE, ERROR, rule

RULE = rule(
    ("DPD002", "name-that-points-nowhere", ERROR, ENGINE),
    title="A name in the environment document points nowhere, or two choices exclude each other",
    what="""Instance groups, zones, models, Regions, files and other names that an environment document refers to, and
    choices of which only one can be made.""",
    why="""Both programs derive names from this document. One that points nowhere would become a selector that
    matches no node, or a resource that nobody made.""",
    fine="Never.",
    fix="write a name that exists, or make one of the two choices",
    sources="hyperpod-dpd, rules of the house",
    tags=("engine",),
)
