from hyperpod_dpd.rules.rule import ENDPOINT, WARNING, EndpointView, Match, Matches, rule


@rule(
    ("DPD117", "ignored-replicas", WARNING, ENDPOINT),
    title="A replica count that does not count",
    what="InitialReplicaCount, and spec.replicas beside pdSpec.",
    why="""InitialReplicaCount is deprecated and does nothing. With pdSpec each role has its own count; what
    spec.replicas then does is not documented, and it does not make more prefillers.""",
    fine="spec.replicas on a colocated endpoint, which is not judged.",
    fix="remove it and set replicas in pdSpec.prefillSpec and pdSpec.decodingSpec",
    sources="InferenceEndpointConfig CRD, operator 3.2, replicas and InitialReplicaCount",
    covers=("R15",),
    tags=("scaling",),
    before="spec: {replicas: 3}",
    after="spec: {pdSpec: {prefillSpec: {replicas: 1}}}",
)
def check(endpoint: EndpointView) -> Matches:
    if endpoint.spec.get("InitialReplicaCount") is not None:
        yield Match(
            ("spec", "InitialReplicaCount"),
            "InitialReplicaCount is deprecated and has no effect",
            fix="remove InitialReplicaCount" + ("" if endpoint.disaggregated else " and set replicas"),
        )
    replicas = endpoint.spec.get("replicas")
    if endpoint.disaggregated and isinstance(replicas, int) and replicas != 1:
        yield Match(
            ("spec", "replicas"),
            f"replicas is {replicas}, and it is not the count of any role of pdSpec; its effect is not confirmed",
        )
