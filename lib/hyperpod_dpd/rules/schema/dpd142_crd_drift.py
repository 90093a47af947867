from hyperpod_dpd.rules.rule import CRD, INFO, WARNING, CrdView, Match, Matches, rule

_NOTES = frozenset({"only-in-crd", "only-ours", "not-evaluated", "default"})


@rule(
    ("DPD142", "crd-drift", INFO, CRD),
    title="The cluster's resource definition and this catalogue differ",
    what="""Where the resource definition given with `--crd` and the fields known to this catalogue differ,
    both ways.""",
    why="""A field that the definition lacks is dropped; a field that the catalogue lacks is judged by no rule
    here. A limit that differs means that one of the two is older.""",
    fine="A definition of an older or newer operator release than the catalogue's is expected to differ.",
    fix="compare the operator's release with the catalogue's date, and upgrade the older of the two",
    sources="the CustomResourceDefinition given with --crd",
    tags=("schema", "crd"),
    before="definition: {spec: {properties: {loadBalancer: {properties: {idleTimeoutSeconds: null}}}}}",
    after="definition: {spec: {properties: {loadBalancer: {type: object}}}}",
)
def check(crd: CrdView) -> Matches:
    if not crd.serves_current:
        yield Match((), "the definition does not serve version v1, which has pdSpec", WARNING)
    for difference in crd.drift():
        severity = None if difference.kind in _NOTES else WARNING
        yield Match(difference.path, difference.message, severity)
