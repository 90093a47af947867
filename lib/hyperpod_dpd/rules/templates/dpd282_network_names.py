from collections.abc import Iterator, Mapping

from hyperpod_dpd.rules.rule import ERROR, TEMPLATE, Match, Matches, TemplateView, rule
from hyperpod_dpd.view.template_network import network_of, node_subnets
from hyperpod_dpd.view.template_values import flat

_SWITCHES = (("EnableDnsSupport", True), ("EnableDnsHostnames", False))


@rule(
    ("DPD282", "network-names", ERROR, TEMPLATE),
    title="The VPC of HyperPod nodes gives or resolves no names",
    what="""That a VPC in which a subnet of HyperPod nodes stands has DNS support and DNS host names. The
    second is off where a template does not say.""",
    why="""Nodes find a private Kubernetes API, and every interface endpoint, by a private name. Without both
    switches the name leads to a public address or nowhere, and no node registers.""",
    fine="Never.",
    fix="set EnableDnsSupport and EnableDnsHostnames of the VPC to true",
    sources="EKS user guide, networking requirements for VPC and subnets: host names and resolution",
    tags=("network",),
    before="Resources: {Vpc: {Properties: {EnableDnsSupport: false}}}",
    after="Resources: {Vpc: {Properties: {EnableDnsSupport: true}}}",
)
def check(template: TemplateView) -> Matches:
    for name in dict.fromkeys(_networks(template)):
        properties = template.bodies[name].get("Properties")
        given: Mapping[str, object] = properties if isinstance(properties, Mapping) else {}
        for switch, default in _SWITCHES:
            value = given.get(switch, default)
            if flat(value).lower() == "false":
                says = "is off" if switch in given else "is not set, which means off"
                yield Match(
                    template.property_path(name, switch), f"{switch} of {name}, where nodes stand, {says}"
                )


def _networks(template: TemplateView) -> Iterator[str]:
    for subnet in node_subnets(template):
        found = network_of(subnet)
        if found and found[0].document is template.document:
            yield found[1]
