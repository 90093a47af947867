from collections.abc import Iterator, Mapping
from ipaddress import ip_network

from hyperpod_dpd.rules.rule import ERROR, TEMPLATE, WARNING, Match, Matches, Path, TemplateView, rule
from hyperpod_dpd.view.template_network import node_security_groups
from hyperpod_dpd.view.template_values import items

_WIDEST_PREFIX = 8  # as for the Kubernetes API: no single organisation's network is larger


@rule(
    ("DPD280", "open-node-ingress", ERROR, TEMPLATE),
    title="HyperPod nodes accept connections from the internet's addresses",
    what="""That no security group of HyperPod nodes lets in traffic from every address (an error) or from a
    large part of all addresses (a warning), inline or by a rule of its own, in any template here. Of a group
    that has EFA's rule to itself, and that no cluster here uses, it is a warning.""",
    why="""Prefill and decode pods serve without authentication, and transfers of the cache carry prompts in
    the clear. One public route or address later, anybody reads and writes both.""",
    fine="Never: what has to come from outside comes through a load balancer with a group of its own.",
    fix="let in only the group itself, the load balancer's group and ranges of the VPC",
    sources="""EC2 user guide, security group rules | SageMaker developer guide, HyperPod EKS prerequisites,
    security groups""",
    tags=("network", "security"),
    before="""Resources:
      Open:
        Type: AWS::EC2::SecurityGroupIngress
        Properties: {GroupId: {Fn::GetAtt: [Nodes, GroupId]}, IpProtocol: "-1", CidrIp: 0.0.0.0/0}""",
    after="""Resources:
      Open:
        Type: AWS::EC2::SecurityGroupIngress
        Properties: {GroupId: {Fn::GetAtt: [Nodes, GroupId]}, IpProtocol: "-1", CidrIp: 10.0.0.0/16}""",
)
def check(template: TemplateView) -> Matches:
    of_nodes = node_security_groups(template)
    for view, name in of_nodes:
        yield from _open(template, (view, name), f"security group {name} of HyperPod nodes", certain=True)
    for name in _between_themselves(template):
        if not any(found == name and view.document is template.document for view, found in of_nodes):
            whose = f"security group {name}, which has EFA's rule to itself,"
            yield from _open(template, (template, name), whose, certain=False)


def _open(template: TemplateView, group: tuple[TemplateView, str], whose: str, *, certain: bool) -> Matches:
    for path, allowed in _allowed(template, *group):
        for key in ("CidrIp", "CidrIpv6"):
            prefix = _prefix(allowed.get(key))
            if prefix is not None and prefix < _WIDEST_PREFIX:
                message = f"{whose} lets in {_what(allowed)} from {allowed[key]}"
                yield Match(path, message, None if certain and not prefix else WARNING)


def _between_themselves(template: TemplateView) -> Iterator[str]:
    """Groups that let all their own traffic out: none but EFA asks for that."""
    for _, allowed in template.resources("AWS::EC2::SecurityGroupEgress"):
        found = template.target(allowed.get("GroupId"))
        if (
            found is None
            or found[0].document is not template.document
            or str(allowed.get("IpProtocol")) != "-1"
        ):
            continue
        if template.leads(allowed.get("DestinationSecurityGroupId"), *found):
            yield found[1]


def _allowed(
    template: TemplateView, view: TemplateView, name: str
) -> Iterator[tuple[Path, Mapping[str, object]]]:
    """Ingress rules of the group that stand in this template."""
    if view.document is template.document:
        properties = view.bodies[name].get("Properties")
        inline = properties.get("SecurityGroupIngress") if isinstance(properties, Mapping) else None
        for allowed in items(inline):
            if isinstance(allowed, Mapping):
                yield template.property_path(name, "SecurityGroupIngress"), allowed
    for logical_id, allowed in template.resources("AWS::EC2::SecurityGroupIngress"):
        if template.leads(allowed.get("GroupId"), view, name):
            yield template.property_path(logical_id), allowed


def _prefix(cidr: object) -> int | None:
    try:
        return ip_network(cidr, strict=False).prefixlen if isinstance(cidr, str) else None
    except ValueError:
        return None


def _what(allowed: Mapping[str, object]) -> str:
    protocol, first, last = (allowed.get(key) for key in ("IpProtocol", "FromPort", "ToPort"))
    if str(protocol) == "-1":
        return "all traffic"
    return f"{protocol} {first}" if first == last else f"{protocol} {first} to {last}"
