from hyperpod_dpd.rules.rule import ERROR, MANIFEST, EndpointView, Matches, rule
from hyperpod_dpd.rules.schema.problems import matches


@rule(
    ("DPD107", "field-newer-than-operator", ERROR, MANIFEST),
    title="A field that this operator release drops",
    what="Fields that came with a later operator release than the one that is declared.",
    why="""The older resource definition prunes the field: the idle timeout stays at 60 s, the cache stays
    off, and nothing says so.""",
    fine="Never for the release that runs; without a declared release this stays silent.",
    fix="upgrade the operator (CRD first) or remove the field",
    sources="HyperPod inference release notes, operator 3.3 to 3.7",
    covers=("R14",),
    tags=("schema", "operator"),
    before="""spec:
      lmcache: {mode: MultiProcess}""",
    after="spec: {}",
)
def check(endpoint: EndpointView) -> Matches:
    yield from matches(endpoint, "newer-release")
