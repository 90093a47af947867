from hyperpod_dpd.rules.rule import ENGINE, ERROR, rule

RULE = rule(
    ("DPD020", "stale-tree", ERROR, ENGINE),
    title="The rendered tree is not what the document leads to now",
    what="""The digest that each app of a rendered tree carries against that of the document, its outputs and its
    locks. Comments and the order of keys do not count.""",
    why="""The cluster gets the tree, not the document: replicas, images or arguments that were changed in the
    document alone are never applied, and every check of the document passes.""",
    fine="Never; render before committing.",
    fix="render it anew (`make synth`, or `npx cdk8s synth`) and commit the tree with the document",
    sources="hyperpod-dpd, rules of the house",
    tags=("engine", "agreement"),
)
