from hyperpod_dpd.rules.agreement.disagreements import matches
from hyperpod_dpd.rules.rule import ERROR, PAIR, Matches, PairView, rule


@rule(
    ("DPD1006", "group-has-gpus", ERROR, PAIR),
    title="Pods ask for more GPUs than the instance group's nodes have",
    what="""GPUs of all pods that select a group, at the most that autoscaling may reach, against nodes times
    GPUs in the template.""",
    why="Pods beyond the group's size stay pending; where they are decoders, nothing is served.",
    fine="When the group is made larger before scaling reaches its most.",
    fix="raise the group's InstanceCount, or lower replicas and maxReplicaCount",
    sources="hyperpod-dpd, re-derived from templates and manifests",
    tags=("agreement",),
    waivable=True,
    before="manifest: {spec: {pdSpec: {prefillSpec: {replicas: 2}}}}",
    after="manifest: {spec: {pdSpec: {prefillSpec: {replicas: 1}}}}",
)
def check(pair: PairView) -> Matches:
    yield from matches(pair, "capacity")
