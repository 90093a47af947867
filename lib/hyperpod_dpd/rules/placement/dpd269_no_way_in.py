from hyperpod_dpd.rules.rule import ENVIRONMENT, ERROR, WARNING, EnvironmentView, Match, Matches, rule


@rule(
    ("DPD269", "no-way-in", ERROR, ENVIRONMENT),
    title="Nobody reaches the Kubernetes API",
    what="""That somebody outside the cluster has a way to the API of a cluster that is made here: ranges of the
    internet in cluster.api_access.public_cidrs, or ranges in private_cidrs that are more than a new VPC's own.""",
    why="""The chart that nodes need is installed with kubectl before the first node joins, and the apps after it.
    In a VPC that is made here nothing stands but the cluster, so its own ranges admit nobody who could do that.""",
    fine="""Where a host in that VPC is made by somebody else (a bastion, a VPN that ends in it), or where a managed
    controller alone applies manifests.""",
    fix="""list your office's public addresses in cluster.api_access.public_cidrs, or in private_cidrs the ranges
    that are connected to the VPC""",
    sources="""EKS user guide, cluster API server endpoint: a private endpoint is reached from the VPC or a
    connected network, and port 443 must be admitted""",
    covers=("HI-1.5b",),
    tags=("security", "network"),
    waivable=True,
    before="cluster: {api_access: {public_cidrs: [], private_cidrs: []}}",
    after="cluster: {api_access: {public_cidrs: [], private_cidrs: [10.192.0.0/16, 10.8.0.0/16]}}",
)
def check(environment: EnvironmentView) -> Matches:
    document = environment.document
    access = document.cluster.api_access
    if (
        document.cluster.existing is not None
        or access.public_cidrs
        or document.delivery.kind == "argocd-managed"
    ):
        return
    path = ("cluster", "api_access") if "api_access" in document.cluster.model_fields_set else ("cluster",)
    if access.private_cidrs == []:
        yield Match(
            path, "api_access names no range, neither of the internet nor private: nobody reaches the API"
        )
    elif access.private_cidrs is None and document.network.existing is None:
        yield Match(
            path,
            "the API is private and admits the ranges of the new VPC only, in which nobody but the cluster is",
            WARNING,
        )
