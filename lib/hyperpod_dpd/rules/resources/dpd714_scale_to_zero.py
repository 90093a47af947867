from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.scaling import BLOCKS, scaling_of


@rule(
    ("DPD714", "scale-to-zero", ERROR, DISAGGREGATED),
    title="A role may be scaled to zero",
    what="That no role may be scaled to zero.",
    why="""A role has at least one replica by its own field; the scaler accepts zero all the same. All traffic
    passes the decoder, and a long prompt needs a prefiller: a role at zero means minutes of failures until a
    model is loaded again.""",
    fine="Never for a disaggregated endpoint; run a colocated one where traffic stops for hours.",
    fix="set minReplicaCount to 1 or more",
    sources="InferenceEndpointConfig CRD, operator 3.2, minimum of replicas",
    covers=("R152",),
    tags=("scaling",),
    before="""spec:
      pdSpec:
        autoScalingSpec:
          prefillAutoScaling: {minReplicaCount: 0, maxReplicaCount: 2, prometheusTrigger: {query: up}}""",
    after="""spec:
      pdSpec:
        autoScalingSpec:
          prefillAutoScaling: {minReplicaCount: 1, maxReplicaCount: 2, prometheusTrigger: {query: up}}""",
)
def check(endpoint: EndpointView) -> Matches:
    for role in BLOCKS:
        scaling = scaling_of(endpoint, role)
        if scaling is not None and scaling.min_replicas < 1:
            yield Match(
                scaling.path, f"minReplicaCount of {role} is {scaling.min_replicas}; at least 1 must stay"
            )
