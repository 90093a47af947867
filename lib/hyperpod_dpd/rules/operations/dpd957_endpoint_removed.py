from hyperpod_dpd.rules.rule import REMOVAL, WARNING, Match, Matches, RemovalView, rule


@rule(
    ("DPD957", "endpoint-removed", WARNING, REMOVAL),
    title="An endpoint is removed, and only the operator can clear up after it",
    what="Endpoints that the earlier state has and the present one lacks.",
    why="""Load balancer, target groups, certificate and SageMaker endpoint are made by the operator, and only
    the operator removes them. Is it gone before the endpoint is deleted, they stay, cost money, and hold the
    VPC back from being deleted.""",
    fine="When the endpoint is deleted while the operator runs, and its objects are seen to be gone.",
    fix="""delete the endpoint while the operator runs, wait until it is gone, and only then remove operator
    or cluster""",
    sources="hyperpod-dpd, order of removal: endpoints, operator, cluster, VPC",
    tags=("change", "operations"),
    previous="[{metadata: {name: chat}}, {metadata: {name: search}}]",
    before="[{metadata: {name: chat}}]",
    after="[{metadata: {name: chat}}, {metadata: {name: search}}]",
)
def check(removal: RemovalView) -> Matches:
    endpoint = removal.before
    pods = sum(role.replicas for role in endpoint.roles)
    named = endpoint.get("endpointName")
    sagemaker = f", the SageMaker endpoint '{named}'" if named else ""
    yield Match(
        ("metadata", "name"),
        f"'{endpoint.name}' is there no more: its {pods} worker pods, load balancer{sagemaker} and certificate are "
        "the operator's to remove",
    )
