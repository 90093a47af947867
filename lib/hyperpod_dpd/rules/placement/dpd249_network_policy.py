from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.addon_values import enforces_network_policies, renders_network_policies
from hyperpod_dpd.rules.rule import ENVIRONMENT, INFO, WARNING, EnvironmentView, Match, Matches, rule


@rule(
    ("DPD249", "network-policy", WARNING, ENVIRONMENT),
    title="A NetworkPolicy that nobody enforces, or that keeps a collector out",
    what="""That the NetworkPolicy which the platform app renders is enforced, and that whoever scrapes
    workers is let in.""",
    why="""A NetworkPolicy that the network plug-in does not enforce is a file: every pod of the cluster still
    reaches a prefiller past the router. One that is enforced keeps out a Prometheus of your own as well.""",
    fine="""Where the owner of the cluster has switched enforcement on, or another component enforces
    policies.""",
    fix="leave addons.vpc_cni.network_policy out, or switch platform.network_policies off",
    sources="EKS user guide, configure the VPC CNI add-on for Kubernetes network policies",
    covers=("HI-1.10a",),
    tags=("network", "addons"),
    before="addons: {vpc_cni: {network_policy: false}}",
    after="addons: {vpc_cni: {network_policy: true}}",
)
def check(environment: EnvironmentView) -> Matches:
    document = environment.document
    if not renders_network_policies(document):
        return
    if names.CNI_ADDON not in {plan.name for plan in environment.blueprint.addons}:
        yield Match(
            ("cluster", "existing", "addons"),
            "whether the cluster's network plug-in enforces the NetworkPolicy is its owner's choice",
            INFO,
            fix="ask for enableNetworkPolicy in the configuration of their vpc-cni add-on",
        )
    elif not enforces_network_policies(document):
        yield Match(
            ("addons", "vpc_cni", "network_policy"), "the NetworkPolicy of the platform app is not enforced"
        )
        return
    if document.observability.prometheus_operator and not document.platform.worker_clients:
        yield Match(
            ("observability", "prometheus_operator"),
            "a Prometheus in the cluster is to scrape workers, and no namespace of it is let in",
            fix="name its namespace in platform.worker_clients",
        )
