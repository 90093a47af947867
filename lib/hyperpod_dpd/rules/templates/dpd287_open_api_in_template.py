from collections.abc import Mapping
from ipaddress import ip_network

from hyperpod_dpd.rules.rule import ERROR, TEMPLATE, WARNING, Match, Matches, TemplateView, rule
from hyperpod_dpd.view.template_values import flat

_KEY = "ResourcesVpcConfig"


@rule(
    ("DPD287", "open-api-in-template", ERROR, TEMPLATE),
    title="The Kubernetes API of a template is open to the world",
    what="""That an EKS cluster whose API has a public address names the ranges that may reach it. Where the
    template says nothing of public access, EKS's default (open to all) is a warning.""",
    why="""Whoever reaches the API can try credentials and exploit the next flaw of the server; the cluster
    behind it holds rights on buckets, certificates and GPU nodes.""",
    fine="For minutes, during the first set-up.",
    fix="set EndpointPublicAccess to false, or list your own networks in PublicAccessCidrs",
    sources="EKS user guide, cluster API server endpoint access | AWS Security Hub control EKS.1",
    tags=("security",),
    before="Resources: {Eks: {Properties: {ResourcesVpcConfig: {EndpointPublicAccess: true}}}}",
    after="""Resources:
      Eks:
        Properties: {ResourcesVpcConfig: {EndpointPublicAccess: true, PublicAccessCidrs: [203.0.113.0/24]}}""",
)
def check(template: TemplateView) -> Matches:
    for logical_id, properties in template.resources("AWS::EKS::Cluster"):
        config = properties.get(_KEY)
        if not isinstance(config, Mapping):
            continue
        public = config.get("EndpointPublicAccess")
        if public is not None and flat(public).lower() != "true":
            continue
        cidrs = config.get("PublicAccessCidrs")
        path = template.property_path(logical_id, _KEY, "EndpointPublicAccess")
        if not cidrs:
            yield Match(
                path,
                f"the API of {logical_id} has a public address that everybody reaches"
                + ("" if public is not None else ", for nothing says otherwise"),
                WARNING if public is None else None,
            )
        for cidr in cidrs if isinstance(cidrs, list) else ():
            if _everybody(cidr):
                yield Match(path, f"{cidr} opens the API of {logical_id} to everybody")


def _everybody(cidr: object) -> bool:
    try:
        return isinstance(cidr, str) and ip_network(cidr, strict=False).prefixlen == 0
    except ValueError:
        return False
