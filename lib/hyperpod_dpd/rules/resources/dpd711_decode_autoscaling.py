from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.scaling import scaling_of


@rule(
    ("DPD711", "decode-autoscaling", ERROR, DISAGGREGATED),
    title="The decoder scales automatically",
    what="""That the decoder is not scaled automatically: a maximum above one is an error, a maximum of one a
    warning, since it scales nothing.""",
    why="""AWS documents a single decoder for each endpoint. Whether load spreads over decoders that come and
    go is not confirmed, and one that goes takes its running requests with it. Left out, the maximum is five
    nodes.""",
    fine="""With a recorded test that the decoders share the load, acknowledged; in production the report is
    named in operations.""",
    fix="remove the decoder's autoscaling; scale prefill, the PD buffer or the number of endpoints instead",
    sources="""SageMaker developer guide, DPD page, known limits | InferenceEndpointConfig CRD, operator 3.2,
    decodingAutoScaling""",
    covers=("R150",),
    tags=("scaling",),
    waivable=True,
    before="""spec:
      pdSpec:
        autoScalingSpec:
          decodingAutoScaling: {minReplicaCount: 1, maxReplicaCount: 3, prometheusTrigger: {query: up}}""",
    after="""spec:
      pdSpec:
        autoScalingSpec:
          prefillAutoScaling: {minReplicaCount: 1, maxReplicaCount: 3, prometheusTrigger: {query: up}}""",
)
def check(endpoint: EndpointView) -> Matches:
    scaling = scaling_of(endpoint, "decode")
    if scaling is None:
        return
    if scaling.max_replicas > 1:
        default = "" if scaling.max_given else ", the field's default"
        yield Match(
            scaling.path,
            f"the decoder may grow to {scaling.max_replicas} replicas{default}; one is what AWS documents",
        )
    else:
        yield Match(
            scaling.path,
            f"the decoder's autoscaling has a maximum of {scaling.max_replicas}, so it scales nothing",
            WARNING,
            "remove the decoder's autoscaling",
        )
