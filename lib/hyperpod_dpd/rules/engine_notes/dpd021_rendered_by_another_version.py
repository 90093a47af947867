from hyperpod_dpd.rules.rule import ENGINE, WARNING, rule

RULE = rule(
    ("DPD021", "rendered-by-another-version", WARNING, ENGINE),
    title="The tree was rendered by another version of this program",
    what="The version that each app of a rendered tree carries against that of the program which checks it.",
    why="""Another version may render the same document in another way: what is reviewed here is not what the
    next synthesis writes.""",
    fine="Between an upgrade of the program and the next synthesis.",
    fix="render the tree anew with this version, or check it with the one that rendered it",
    sources="hyperpod-dpd, rules of the house",
    tags=("engine", "agreement"),
)
