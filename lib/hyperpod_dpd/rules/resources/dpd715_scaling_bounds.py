from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.scaling import BLOCKS, scaling_of


@rule(
    ("DPD715", "scaling-bounds", ERROR, DISAGGREGATED),
    title="A role's scaling bounds do not fit together",
    what="""That a role's scaling has a minimum that is not above its maximum (an error), and that the minimum
    is the role's replicas (a warning).""",
    why="""KEDA refuses bounds in the wrong order. Where replicas and the minimum differ, each new rollout
    of the manifest and the scaler pull the role to two different sizes, and a model has to be loaded each
    time.""",
    fine="Where the number of replicas is meant for the first start only (the warning).",
    fix="set minReplicaCount to the role's replicas, and maxReplicaCount not below",
    sources="KEDA documentation, ScaledObject | InferenceEndpointConfig CRD, operator 3.2",
    covers=("R153",),
    tags=("scaling",),
    before="""spec:
      pdSpec:
        autoScalingSpec:
          prefillAutoScaling: {minReplicaCount: 3, maxReplicaCount: 2, prometheusTrigger: {query: up}}""",
    after="""spec:
      pdSpec:
        autoScalingSpec:
          prefillAutoScaling: {minReplicaCount: 1, maxReplicaCount: 2, prometheusTrigger: {query: up}}""",
)
def check(endpoint: EndpointView) -> Matches:
    for role in endpoint.roles:
        scaling = scaling_of(endpoint, role.role) if role.role in BLOCKS else None
        if scaling is None:
            continue
        least, most = scaling.min_replicas, scaling.max_replicas
        if least > most:
            yield Match(
                scaling.path,
                f"minReplicaCount of {role.role} is {least}, above its maxReplicaCount of {most}",
            )
        elif role.replicas != least:
            yield Match(
                scaling.path,
                f"{role.role} has {role.replicas} replicas and scales from {least} to {most}",
                WARNING,
                f"set minReplicaCount to {role.replicas}, or replicas to {least}",
            )
