from ipaddress import ip_network

from hyperpod_dpd.rules.rule import ENVIRONMENT, ERROR, WARNING, EnvironmentView, Match, Matches, rule

_WIDEST_PREFIX = 8  # one network of the old class A: no single organisation's office is larger


@rule(
    ("DPD236", "open-api", ERROR, ENVIRONMENT),
    title="The Kubernetes API is open to the world",
    what="""That no range in cluster.api_access.public_cidrs covers all addresses (an error), or a large part
    of them (a warning).""",
    why="""Whoever reaches the API can try credentials and exploit the next flaw of the server; the cluster
    behind it holds rights on buckets, certificates and GPU nodes.""",
    fine="For minutes, during the first set-up.",
    fix="""list the ranges of your own networks in cluster.api_access.public_cidrs, or remove them: the API is
    private then""",
    sources="EKS user guide, cluster API server endpoint access | AWS Security Hub control EKS.1",
    covers=("HI-1.5b",),
    tags=("security",),
    waivable=True,
    before="cluster: {api_access: {public_cidrs: [0.0.0.0/0]}}",
    after="cluster: {api_access: {public_cidrs: [203.0.113.0/24]}}",
)
def check(environment: EnvironmentView) -> Matches:
    for index, cidr in enumerate(environment.document.cluster.api_access.public_cidrs):
        network = ip_network(cidr, strict=False)
        if network.prefixlen < _WIDEST_PREFIX:
            everybody = not network.prefixlen
            reach = "everybody" if everybody else f"{network.num_addresses:,} addresses"
            path = ("cluster", "api_access", "public_cidrs", index)
            yield Match(path, f"{cidr} opens the Kubernetes API to {reach}", None if everybody else WARNING)
