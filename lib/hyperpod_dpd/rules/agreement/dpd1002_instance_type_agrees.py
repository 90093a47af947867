from hyperpod_dpd.rules.agreement.disagreements import matches
from hyperpod_dpd.rules.rule import ERROR, PAIR, Matches, PairView, rule


@rule(
    ("DPD1002", "instance-type-agrees", ERROR, PAIR),
    title="Manifest and template name different instance types",
    what="The instance type of the manifest against that of the group which each role selects.",
    why="""The operator schedules by the type, the selector by the group: no node satisfies both, and the pods
    stay pending.""",
    fine="Never for one environment.",
    fix="write the group's own instance type in spec.instanceType",
    sources="hyperpod-dpd, re-derived from templates and manifests",
    tags=("agreement",),
    before="manifest: {spec: {instanceType: ml.p5en.48xlarge}}",
    after="manifest: {spec: {instanceType: ml.p5.48xlarge}}",
)
def check(pair: PairView) -> Matches:
    yield from matches(pair, "instance-type")
