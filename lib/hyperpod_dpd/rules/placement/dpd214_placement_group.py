from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule


@rule(
    ("DPD214", "placement-group", WARNING, DISAGGREGATED),
    title="A placement group is named that HyperPod nodes may not have",
    what="""That topologySpec names no placement group. HyperPod's instance groups offer no property to put
    nodes into one.""",
    why="""If the operator turns the name into a selector, no node matches it and the pods stay Pending. What
    it does with the name is not confirmed.""",
    fine="Where nodes were seen to carry the label of that placement group.",
    fix="remove placementGroup; one subnet for both roles keeps them close",
    sources="""CloudFormation schema of AWS::SageMaker::Cluster: instance groups have no placement group |
    InferenceEndpointConfig CRD, operator 3.2, pdSpec.topologySpec""",
    covers=("R29",),
    tags=("placement",),
    before="spec: {pdSpec: {topologySpec: {placementGroup: dpd-cluster}}}",
    after="spec: {pdSpec: {topologySpec: {sameAZ: true}}}",
)
def check(endpoint: EndpointView) -> Matches:
    group = endpoint.get("pdSpec", "topologySpec", "placementGroup")
    if group:
        yield Match(
            ("spec", "pdSpec", "topologySpec", "placementGroup"),
            f"placement group '{group}' is named, and no instance group can be put into one; that any node "
            "carries it is not confirmed",
        )
