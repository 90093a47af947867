from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, EndpointView, Match, Matches, rule


@rule(
    ("DPD716", "scaling-of-the-whole", ERROR, DISAGGREGATED),
    title="autoScalingSpec stands beside pdSpec",
    what="""That a disaggregated endpoint scales by role (pdSpec.autoScalingSpec) and not by the endpoint's
    own autoScalingSpec.""",
    why="""The field above scales the one Deployment of a colocated endpoint. Which of the two it means here
    is not published: it may scale the decoder, or nothing.""",
    fine="Never: both roles have a field of their own.",
    fix="move the block to pdSpec.autoScalingSpec.prefillAutoScaling",
    sources="InferenceEndpointConfig CRD, operator 3.2, both autoscaling fields",
    covers=("R154",),
    tags=("scaling",),
    before="spec: {autoScalingSpec: {maxReplicaCount: 2, prometheusTrigger: {query: up}}}",
    after="""spec:
      pdSpec:
        autoScalingSpec:
          prefillAutoScaling: {maxReplicaCount: 2, prometheusTrigger: {query: up}}""",
)
def check(endpoint: EndpointView) -> Matches:
    if endpoint.has("autoScalingSpec"):
        yield Match(
            ("spec", "autoScalingSpec"),
            "spec.autoScalingSpec does not say which role it scales; what the operator does is not confirmed",
        )
