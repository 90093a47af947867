from hyperpod_dpd.rules.rule import ENVIRONMENT, ERROR, EnvironmentView, Match, Matches, rule


@rule(
    ("DPD231", "no-way-out", ERROR, ENVIRONMENT),
    title="The nodes reach neither the internet nor AWS services",
    what="That a network of our own has NAT gateways, or is declared closed and so gets interface endpoints.",
    why="""Without either, a node cannot reach the registry, the EKS API or the service that tells it that it
    belongs to a cluster. Creation waits for hours and rolls back.""",
    fine="Never.",
    fix="""set network.closed to true (interface endpoints and mirrored images), or network.nat to single or
    per-zone""",
    sources="""SageMaker developer guide, HyperPod EKS prerequisites, private subnets | HyperPod EKS Terraform
    modules of awsome-distributed-ai, closed network""",
    covers=("HI-1.2",),
    tags=("network",),
    before="network: {nat: none}",
    after="network: {nat: none, closed: true}",
)
def check(environment: EnvironmentView) -> Matches:
    network = environment.document.network
    if network.existing is None and network.nat == "none" and not network.closed:
        yield Match(
            ("network", "nat"), "there is no NAT gateway, and without 'closed' no interface endpoint either"
        )
