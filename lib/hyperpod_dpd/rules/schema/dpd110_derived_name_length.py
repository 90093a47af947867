from hyperpod_dpd.blueprint import names
from hyperpod_dpd.rules.rule import ENDPOINT, ERROR, EndpointView, Match, Matches, rule


@rule(
    ("DPD110", "derived-name-length", ERROR, ENDPOINT),
    title="Names the operator derives are too long",
    what="""The length of every name that the operator derives from metadata.name and the namespace: routing
    Service, router, and the Deployments and containers of the roles.""",
    why="""Services, containers and label values end at 63 characters. A longer routing Service cannot be
    made, so nothing reaches the router. That the operator shortens names is documented nowhere.""",
    fine="Never for an endpoint with a router; one without is not judged.",
    fix="shorten metadata.name or the namespace",
    sources="""SageMaker developer guide, DPD page, names of router and Service | Kubernetes, limit of a label
    name""",
    covers=("R06", "R07"),
    tags=("names",),
    before="metadata: {name: llama-3-3-70b-instruct-production-endpoint-one, namespace: inference}",
    after="metadata: {name: llama-70b, namespace: inference}",
)
def check(endpoint: EndpointView) -> Matches:
    routed = endpoint.disaggregated or endpoint.get("intelligentRoutingSpec", "enabled") is True
    name, namespace = endpoint.name, endpoint.namespace
    if not routed or not name:
        return
    service = names.routing_service(name, namespace)
    if len(service) > names.LABEL_MAX:
        room = names.LABEL_MAX - len(service) + len(name) + len(namespace)
        yield Match(
            ("metadata", "name"),
            f"the routing Service would be '{service}', {len(service)} characters where {names.LABEL_MAX} are allowed",
            fix=f"shorten name and namespace to {room} characters together; they have {len(name) + len(namespace)}",
        )
        return
    container = names.prefill_deployment(name)
    if endpoint.disaggregated and len(container) > names.LABEL_MAX:
        yield Match(
            ("metadata", "name"),
            f"the prefill container would be '{container}', {len(container)} characters of {names.LABEL_MAX} allowed",
        )
