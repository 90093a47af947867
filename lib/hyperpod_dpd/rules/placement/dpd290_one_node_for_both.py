from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule


@rule(
    ("DPD290", "one-node-for-both", WARNING, DISAGGREGATED),
    title="Prefill and decode may land on one node",
    what="""Whether one pod of each role fits a node by its GPUs, while no node selector keeps the roles
    apart.""",
    why="""The resource has no anti-affinity. On one node both pods share its EFA interfaces, and libfabric
    was measured to stall there (EAGAIN); prefill disturbs decode on the shared host besides.""",
    fine="On purpose, for a cheap try-out of the mechanism.",
    fix="let the roles select different instance groups, or give each pod all GPUs of its node",
    sources="Dynamo pull request 7764, transfers within one p5 node over libfabric",
    covers=("C-02",),
    tags=("placement", "efa"),
    before="""spec:
      pdSpec:
        prefillSpec:
          nodeSelector: null
          resources: {requests: {nvidia.com/gpu: "4"}, limits: {nvidia.com/gpu: "4"}}
        decodingSpec:
          nodeSelector: null
          resources: {requests: {nvidia.com/gpu: "4"}, limits: {nvidia.com/gpu: "4"}}""",
    after="""spec:
      pdSpec:
        prefillSpec:
          resources: {requests: {nvidia.com/gpu: "8"}, limits: {nvidia.com/gpu: "8"}}
        decodingSpec:
          resources: {requests: {nvidia.com/gpu: "8"}, limits: {nvidia.com/gpu: "8"}}""",
)
def check(endpoint: EndpointView) -> Matches:
    prefill, decode = endpoint.prefill, endpoint.decode
    if prefill is None or decode is None or not prefill.gpus or not decode.gpus:
        return
    if any(
        prefill.node_selector[key] != decode.node_selector.get(key, prefill.node_selector[key])
        for key in prefill.node_selector
    ):
        return
    instance = endpoint.instance_type(prefill)
    if instance is None or not instance.gpus or prefill.gpus + decode.gpus > instance.gpus:
        return
    yield Match(
        (*decode.path, "resources"),
        f"prefill takes {prefill.gpus} and decode {decode.gpus} of the {instance.gpus} GPUs of {instance.name}, "
        "and nothing keeps them on different nodes",
    )
