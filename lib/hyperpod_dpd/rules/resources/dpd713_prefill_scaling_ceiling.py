from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.scaling import scaling_of


@rule(
    ("DPD713", "prefill-scaling-ceiling", WARNING, DISAGGREGATED),
    title="The prefiller's autoscaling names no maximum",
    what="That the prefiller's autoscaling names its maximum.",
    why="Left out, the field's default counts, and a burst may take that many nodes of eight GPUs each.",
    fine="Where that many nodes are there and meant to be used.",
    fix="set maxReplicaCount of prefillAutoScaling to the nodes you have for it",
    sources="InferenceEndpointConfig CRD, operator 3.2, default of maxReplicaCount",
    covers=("R151",),
    tags=("scaling", "cost"),
    before="""spec:
      pdSpec:
        autoScalingSpec:
          prefillAutoScaling: {minReplicaCount: 1, prometheusTrigger: {query: up}}""",
    after="""spec:
      pdSpec:
        autoScalingSpec:
          prefillAutoScaling: {minReplicaCount: 1, maxReplicaCount: 2, prometheusTrigger: {query: up}}""",
)
def check(endpoint: EndpointView) -> Matches:
    scaling = scaling_of(endpoint, "prefill")
    if scaling is not None and not scaling.max_given:
        yield Match(
            scaling.path, f"maxReplicaCount is not set, so prefill may grow to {scaling.max_replicas} nodes"
        )
