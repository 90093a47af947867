from collections.abc import Mapping, Sequence

from hyperpod_dpd.rules.rule import ERROR, TEMPLATE, Match, Matches, TemplateView, rule
from hyperpod_dpd.view.template_values import UNKNOWN, flat, principals, statements

_NODES = "sagemaker.amazonaws.com"
_CONTROL_PLANE = "eks.amazonaws.com"


@rule(
    ("DPD284", "cluster-incomplete", ERROR, TEMPLATE),
    title="A cluster lacks its network, its role, or the trust of its role",
    what="""That a HyperPod cluster on EKS names subnets and security groups and each instance group an
    execution role, that an EKS cluster names subnets and a role, and that these roles, where a template here
    has them, trust the service that assumes them.""",
    why="""HyperPod refuses a cluster on EKS that stands in no VPC of the account, and neither service starts
    under a role that it may not assume. The stack fails after the network, the keys and the control plane
    were made.""",
    fine="Never.",
    fix="give the property that is missing, or trust the service in the role",
    sources="""SageMaker API reference, CreateCluster: VPC configuration with the EKS orchestrator |
    CloudFormation schemas of AWS::SageMaker::Cluster and AWS::EKS::Cluster""",
    tags=("cluster", "iam"),
    before="Resources: {Cluster: {Properties: {VpcConfig: null}}}",
    after="""Resources:
      Cluster:
        Properties:
          VpcConfig: {SecurityGroupIds: [{Fn::GetAtt: [Nodes, GroupId]}], Subnets: [{Ref: ZoneTwo}]}""",
)
def check(template: TemplateView) -> Matches:
    for logical_id, properties in template.resources("AWS::SageMaker::Cluster"):
        orchestrator = properties.get("Orchestrator")
        if isinstance(orchestrator, Mapping) and "Eks" in orchestrator:
            yield from _network(
                template, logical_id, properties, "VpcConfig", ("SecurityGroupIds", "Subnets")
            )
    for path, group, _ in template.instance_groups():
        name = flat(group.get("InstanceGroupName"))
        yield from _role(template, (*path, "ExecutionRole"), f"instance group '{name}'", group, _NODES)
    for logical_id, properties in template.resources("AWS::EKS::Cluster"):
        yield from _network(template, logical_id, properties, "ResourcesVpcConfig", ("SubnetIds",))
        path = template.property_path(logical_id, "RoleArn")
        yield from _role(template, path, f"EKS cluster {logical_id}", properties, _CONTROL_PLANE)


def _network(
    template: TemplateView, logical_id: str, properties: Mapping[str, object], key: str, needed: Sequence[str]
) -> Matches:
    config = properties.get(key)
    if isinstance(config, Mapping) and not set(needed) & config.keys() and len(config) == 1:
        return  # a condition or a function decides
    given = config if isinstance(config, Mapping) else {}
    missing = [f"{key}.{each}" for each in needed if not given.get(each)]
    if missing:
        yield Match(
            template.property_path(logical_id, key), f"cluster {logical_id} has no {' and no '.join(missing)}"
        )


def _role(
    template: TemplateView,
    path: tuple[str | int, ...],
    whose: str,
    properties: Mapping[str, object],
    service: str,
) -> Matches:
    role = properties.get(str(path[-1]))
    if not role:
        yield Match(path, f"{whose} has no {path[-1]}")
        return
    found = template.target(role)
    if found is None or found[0].bodies[found[1]].get("Type") != "AWS::IAM::Role":
        return
    body = found[0].bodies[found[1]].get("Properties")
    trust = body.get("AssumeRolePolicyDocument") if isinstance(body, Mapping) else None
    trusted = {
        name for statement in statements(trust) for kind, name in principals(statement) if kind == "Service"
    }
    if trust is not None and service not in trusted and not any(UNKNOWN in name for name in trusted):
        yield Match(path, f"role {found[1]} of {whose} does not trust {service}")
