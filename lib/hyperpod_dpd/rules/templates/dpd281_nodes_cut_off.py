from hyperpod_dpd.catalog import requirements
from hyperpod_dpd.rules.rule import ERROR, TEMPLATE, WARNING, Match, Matches, TemplateView, rule
from hyperpod_dpd.view.template_network import interface_endpoints, lacking_way_out, network_of, node_subnets


@rule(
    ("DPD281", "nodes-cut-off", ERROR, TEMPLATE),
    title="HyperPod nodes stand in a subnet from which AWS's services are not reached",
    what="""That each subnet of HyperPod nodes that a template here makes, in a VPC that one makes too, has a
    default route to something that serves nodes without public addresses (a NAT gateway that itself has a way
    out, a transit gateway, a firewall), or that its VPC has the interface endpoints which the catalogue lists
    for closed networks. With nested stacks whose templates are not here it is a warning.""",
    why="""Nodes get no public address. Without a way to ECR, STS and EKS they never join the cluster, and
    after hours its creation fails with a message about the life cycle script.""",
    fine="Never.",
    fix="route 0.0.0.0/0 of the subnet's route table to a NAT gateway, or make the interface endpoints",
    sources="""SageMaker developer guide, HyperPod EKS prerequisites: private subnets with a NAT gateway or
    endpoints | EKS user guide, private clusters with limited internet access""",
    tags=("network",),
    before="Resources: {WayOut: null}",
    after="""Resources:
      WayOut:
        Type: AWS::EC2::Route
        Properties: {RouteTableId: {Ref: Routes}, DestinationCidrBlock: 0.0.0.0/0, NatGatewayId: {Ref: Nat}}""",
)
def check(template: TemplateView) -> Matches:
    for view, name in node_subnets(template):
        network = network_of((view, name))
        if view.document is not template.document or network is None:
            continue
        reason = lacking_way_out((view, name))
        if not reason:
            continue
        present = interface_endpoints(network)
        missing = [
            each.service
            for each in requirements.endpoint_services()
            if each.when == "always" and each.confirmed and each.service not in present
        ]
        if present and missing:
            reason += f", and its VPC has no interface endpoint for {', '.join(missing)}"
        if missing:
            yield Match(
                ("Resources", name),
                f"subnet {name} of HyperPod nodes {reason}",
                WARNING if template.partial else None,
            )
