from hyperpod_dpd.rules.agreement.disagreements import matches
from hyperpod_dpd.rules.rule import ERROR, PAIR, Matches, PairView, rule


@rule(
    ("DPD1001", "group-selected", ERROR, PAIR),
    title="A role selects an instance group that the templates do not make",
    what="""Every instance group that a pod's node selector names, against the groups of the HyperPod cluster
    in the templates.""",
    why="No node ever carries the label: the pods stay pending, and nothing but an event on the pod says so.",
    fine="When the group is made outside these templates; then check the manifests alone.",
    fix="name an instance group of the cluster in the role's node selector, or add the group to the cluster",
    sources="hyperpod-dpd, re-derived from templates and manifests",
    tags=("agreement",),
    waivable=True,
    before="""manifest:
      spec: {pdSpec: {prefillSpec: {nodeSelector: {sagemaker.amazonaws.com/instance-group-name: prefil}}}}""",
    after="""manifest:
      spec: {pdSpec: {prefillSpec: {nodeSelector: {sagemaker.amazonaws.com/instance-group-name: prefill}}}}""",
)
def check(pair: PairView) -> Matches:
    yield from matches(pair, "group")
