from hyperpod_dpd.rules.rule import ERROR, MANIFEST, EndpointView, Match, Matches, rule


@rule(
    ("DPD141", "crd-refuses", ERROR, MANIFEST),
    title="The cluster's own resource definition refuses the manifest",
    what="""Every endpoint against the resource definition given with `--crd`, as a strict API server with
    that definition would, and with unknown fields closed. A fault that the rules above report already is not
    said again.""",
    why="""The cluster's own definition decides. It may be older than the manifest, or newer than this
    catalogue: what it lacks is dropped without a word, and what it forbids is refused when the manifest is
    applied.""",
    fine="Never for the cluster whose definition it is.",
    fix="change the manifest as the definition says, or upgrade the operator's definition first",
    sources="the CustomResourceDefinition given with --crd",
    tags=("schema", "crd"),
    of="crd",
    before="""manifest: {spec: {loadBalancer: {idleTimeoutSeconds: 600}}}
    definition: {spec: {properties: {loadBalancer: {properties: {idleTimeoutSeconds: null}}}}}""",
    after="""manifest: {spec: {loadBalancer: {healthCheckPath: /health}}}
    definition: {spec: {properties: {loadBalancer: {properties: {idleTimeoutSeconds: null}}}}}""",
)
def check(endpoint: EndpointView) -> Matches:
    crd = endpoint.context.crd
    if crd is None:
        return
    known = {(problem.kind, problem.path) for problem in endpoint.schema_problems}
    for problem in crd.refusals(endpoint.raw):
        if (problem.kind, problem.path) not in known:
            yield Match(problem.path, f"refused by the given CRD: {problem.message}", fix=problem.fix)
