from collections.abc import Iterator, Mapping

from hyperpod_dpd.rules.rule import ERROR, TEMPLATE, WARNING, Match, Matches, Path, TemplateView, rule
from hyperpod_dpd.view.template_values import branches, items

_GROUP = "AWS::EC2::SecurityGroup"
_ALL = "-1"
_SIDES = (
    ("ingress", "AWS::EC2::SecurityGroupIngress", "SourceSecurityGroupId"),
    ("egress", "AWS::EC2::SecurityGroupEgress", "DestinationSecurityGroupId"),
)


@rule(
    ("DPD250", "self-referencing-group", ERROR, TEMPLATE),
    title="A security group of HyperPod nodes does not let EFA traffic in and out",
    what="""That each security group a HyperPod cluster or one of its instance groups names allows all traffic
    from itself and to itself. A group of another template is followed through its export; a group known by id
    only cannot be judged, and is a warning. A group that only half has the rule pair and is exported is a
    warning too.""",
    why="""EFA addresses are neither IPv4 nor IPv6, so no address range covers them, not even 0.0.0.0/0.
    Without the rule to itself the EFA health check fails the cluster, or transfers fall back to TCP. In CDK,
    a group that allows all outbound traffic silently drops the rule.""",
    fine="For a group given by id, once its rules were looked at.",
    fix="add an ingress and an egress rule of all protocols whose source and destination is the group itself",
    sources="""EC2 user guide, EFA and security groups | awsome-distributed-ai pull request 259 and issue 546:
    every group needs the rule, and address ranges do not count | aws-cdk-lib 2.275: a rule to itself is
    dropped beside allow_all_outbound""",
    covers=("R35", "A-01", "A-02", "HI-1.3"),
    tags=("efa", "network"),
    before="Resources: {ToItself: null}",
    after="""Resources:
      ToItself:
        Type: AWS::EC2::SecurityGroupEgress
        Properties:
          GroupId: {Fn::GetAtt: [Nodes, GroupId]}
          DestinationSecurityGroupId: {Fn::GetAtt: [Nodes, GroupId]}
          IpProtocol: "-1"
    """,
)
def check(template: TemplateView) -> Matches:
    judged: set[tuple[str, str]] = set()
    for path, value in _used(template):
        found = template.target(value)
        if found is not None:
            view, name = found
            key = (view.document.file, name)
            if key not in judged and view.bodies[name].get("Type") == _GROUP:
                judged.add(key)
                yield from _judge(template, path, view, name)
            elif view.bodies[name].get("Type") != _GROUP:
                yield from _unseen(path, value, judged)
        elif not (isinstance(value, Mapping) and "Fn::ImportValue" in value):
            yield from _unseen(path, value, judged)
    yield from _exported(template, judged)


def _judge(template: TemplateView, path: Path, view: TemplateView, name: str) -> Matches:
    missing = [side for side, *_ in _SIDES if not _has(view, name, side)]
    if not missing:
        return
    own = view.document is template.document
    group = name if own else f"{name} ({view.title})"
    place = ("Resources", name) if own else path
    what = f"{' and no '.join(missing)} rule of all protocols to itself, which EFA needs"
    if view.partial or any(_of_unknown_group(view, side) for side in missing):
        yield Match(
            place,
            f"the templates here show for security group {group} of HyperPod nodes no {what}; another template may",
            WARNING,
            fix="check all templates together, those too that get the group as a parameter",
        )
    else:
        yield Match(place, f"security group {group} of HyperPod nodes has no {what}")


def _of_unknown_group(view: TemplateView, side: str) -> bool:
    """Whether some template adds a rule of all protocols to a group that only its parameters know."""
    _, kind, _ = next(entry for entry in _SIDES if entry[0] == side)
    return any(
        _all(allowed)
        and each.target(allowed.get("GroupId")) is None
        and any(isinstance(value, Mapping) for value in branches(allowed.get("GroupId")))
        for each, _, allowed in view.anywhere(kind)
    )


def _unseen(path: Path, value: object, judged: set[tuple[str, str]]) -> Matches:
    name = value if isinstance(value, str) else "a parameter"
    if ("", name) not in judged:
        judged.add(("", name))
        yield Match(
            path,
            f"the rules of {name} are not in any template here; EFA needs all traffic from and to the group itself",
            WARNING,
            fix="verify that the group has both rules, then acknowledge this",
        )


def _exported(template: TemplateView, judged: set[tuple[str, str]]) -> Matches:
    for value in template.exports.values():
        found = template.target(value)
        if found is None or (template.document.file, found[1]) in judged:
            continue
        view, name = found
        judged.add((template.document.file, name))
        if (
            view.bodies[name].get("Type") == _GROUP
            and _has(view, name, "ingress")
            and not _has(view, name, "egress")
        ):
            yield Match(
                ("Resources", name),
                f"security group {name} lets all its own traffic in but not out; if HyperPod nodes use it, EFA fails",
                WARNING,
            )


def _used(template: TemplateView) -> Iterator[tuple[Path, object]]:
    for name, properties in template.resources("AWS::SageMaker::Cluster"):
        yield from _listed(template.property_path(name, "VpcConfig"), properties.get("VpcConfig"))
    for path, group, _ in template.instance_groups():
        yield from _listed((*path, "OverrideVpcConfig"), group.get("OverrideVpcConfig"))


def _listed(path: Path, config: object) -> Iterator[tuple[Path, object]]:
    for choice in branches(config):
        groups = choice.get("SecurityGroupIds") if isinstance(choice, Mapping) else None
        for value in items(groups):
            where = (groups.index(value),) if isinstance(groups, list) and value in groups else ()
            yield (*path, "SecurityGroupIds", *where), value


def _has(view: TemplateView, name: str, side: str) -> bool:
    """Whether the group has a rule of all protocols between itself and itself, inline or in any template."""
    _, kind, other = next(entry for entry in _SIDES if entry[0] == side)
    for each, _, allowed in view.anywhere(kind):
        both = all(each.leads(allowed.get(key), view, name) for key in ("GroupId", other))
        if both and _all(allowed):
            return True
    properties = view.bodies[name].get("Properties")
    inline = properties.get(f"SecurityGroup{side.capitalize()}") if isinstance(properties, Mapping) else None
    return any(
        isinstance(allowed, Mapping) and view.leads(allowed.get(other), view, name) and _all(allowed)
        for allowed in items(inline)
    )


def _all(allowed: Mapping[str, object]) -> bool:
    return str(allowed.get("IpProtocol")) == _ALL
