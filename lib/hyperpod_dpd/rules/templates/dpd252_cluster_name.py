import re

from hyperpod_dpd.catalog import requirements
from hyperpod_dpd.rules.rule import ERROR, TEMPLATE, Match, Matches, TemplateView, rule


@rule(
    ("DPD252", "cluster-name", ERROR, TEMPLATE),
    title="A cluster has a name that HyperPod does not take",
    what="""That the name of a HyperPod cluster, where it is plain text, has the form and the length that the
    service takes.""",
    why="The name is refused at deployment and cannot be changed later: another name is another cluster.",
    fine="Never.",
    fix="use letters, digits and single hyphens inside, within the allowed length",
    sources="CloudFormation schema of AWS::SageMaker::Cluster, ClusterName",
    covers=("HI-1.9",),
    tags=("names",),
    before="Resources: {Cluster: {Properties: {ClusterName: dpd_dev}}}",
    after="Resources: {Cluster: {Properties: {ClusterName: dpd-dev}}}",
)
def check(template: TemplateView) -> Matches:
    longest = requirements.requirement("longest_cluster_name").value
    pattern = requirements.requirement("cluster_name_pattern").value
    for logical_id, properties in template.resources("AWS::SageMaker::Cluster"):
        name = properties.get("ClusterName")
        if not isinstance(name, str):
            continue
        path = template.property_path(logical_id, "ClusterName")
        if len(name) > longest:
            yield Match(path, f"'{name}' has {len(name)} characters; at most {longest} are allowed")
        elif not re.fullmatch(pattern, name):
            yield Match(path, f"'{name}' is not a name of letters and digits with hyphens inside")
