import difflib

from hyperpod_dpd.catalog import instance_types
from hyperpod_dpd.rules.rule import ENVIRONMENT, ERROR, WARNING, EnvironmentView, Match, Matches, rule

_PREFIX = "ml."


@rule(
    ("DPD221", "group-instance-type", WARNING, ENVIRONMENT),
    title="An instance group has a type that HyperPod is not known to offer",
    what="""That the type of every instance group that no disaggregated role uses is one the catalogue knows
    HyperPod to accept. Types of prefill and decode groups are judged by their own rule.""",
    why="""CloudFormation takes any text for the type. The cluster fails half an hour later and rolls back
    with everything else in it.""",
    fine="For a type that came after the date of the catalogue (the warning).",
    fix="correct the type; SageMaker's names begin with ml.",
    sources="SageMaker API model, instance types of a cluster | EC2 instance data, as dated in the catalogue",
    covers=("HI-1.9a",),
    tags=("instances",),
    before="cluster: {instance_groups: {system: {instance_type: m5.4xlarge}}}",
    after="cluster: {instance_groups: {system: {instance_type: ml.m5.4xlarge}}}",
)
def check(environment: EnvironmentView) -> Matches:
    disaggregated = {
        role.group
        for endpoint in environment.blueprint.endpoints
        if endpoint.topology == "disaggregated"
        for role in endpoint.roles
    }
    for group in environment.blueprint.cluster.groups:
        name = group.instance_type
        if group.name in disaggregated or instance_types.get(name) is not None:
            continue
        path = ("cluster", "instance_groups", group.name, "instance_type")
        if not name.startswith(_PREFIX):
            yield Match(
                path,
                f"'{name}' is not a SageMaker instance type: they begin with {_PREFIX}",
                ERROR,
                fix=f"write {_PREFIX}{name}",
            )
            continue
        close = difflib.get_close_matches(name, [t.name for t in instance_types.all()], n=1)
        meant = f"; did you mean {close[0]}?" if close else ""
        yield Match(path, f"'{name}' is not in the catalogue of HyperPod's types{meant}")
