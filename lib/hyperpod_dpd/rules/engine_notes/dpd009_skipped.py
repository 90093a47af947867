from hyperpod_dpd.rules.rule import ENGINE, WARNING, rule

RULE = rule(
    ("DPD009", "skipped", WARNING, ENGINE),
    title="A file of a folder was not judged",
    what="""Files of a walked folder that were not judged: templates, patches of a kustomization, files of
    other tools, links to folders (notes); files that cannot be read, and templates of an
    InferenceEndpointConfig (warnings).""",
    why="""A run that finds nothing says something about the files it read only. What it passed over, somebody
    has to know.""",
    fine="Where other tools read the files, or what they render is judged in another step.",
    fix="judge what it renders, or name only the paths that hold environments and manifests",
    sources="hyperpod-dpd, rules of the house",
    tags=("engine",),
)
