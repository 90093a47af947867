from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, EndpointView, Match, Matches, rule


@rule(
    ("DPD202", "same-zone", ERROR, DISAGGREGATED),
    title="The roles are allowed to stand in different zones",
    what="""That the placement does not allow the two roles to stand in different zones: sameAZ is not
    switched off.""",
    why="""EFA RDMA works within one availability zone only. Across zones the transfer falls back to TCP,
    every request still succeeds, and each long prompt waits for its KV pages.""",
    fine="Never; for redundancy over zones, run a second endpoint in the other zone.",
    fix="set sameAZ to true, or leave it out: true is the default",
    sources="""SageMaker developer guide, DPD page, placement | InferenceEndpointConfig CRD, operator 3.2,
    pdSpec.topologySpec""",
    covers=("R26",),
    tags=("placement", "efa"),
    before="spec: {pdSpec: {topologySpec: {sameAZ: false}}}",
    after="spec: {pdSpec: {topologySpec: {sameAZ: true}}}",
)
def check(endpoint: EndpointView) -> Matches:
    if endpoint.get("pdSpec", "topologySpec", "sameAZ") is False:
        path = ("spec", "pdSpec", "topologySpec", "sameAZ")
        yield Match(path, "sameAZ is false, so prefill and decode may land in different zones")
