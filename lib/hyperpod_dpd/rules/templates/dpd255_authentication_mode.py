from collections.abc import Mapping

from hyperpod_dpd.catalog import requirements
from hyperpod_dpd.rules.rule import TEMPLATE, WARNING, Match, Matches, TemplateView, rule


@rule(
    ("DPD255", "authentication-mode", WARNING, TEMPLATE),
    title="The EKS cluster has an authentication mode that HyperPod refuses",
    what="""That an EKS cluster in the templates authenticates through access entries. CloudFormation's
    default, where nothing is set, is the config map alone.""",
    why="""HyperPod makes the access entry of its nodes itself. With the config map alone it cannot, and the
    HyperPod cluster is refused.""",
    fine="For an EKS cluster that HyperPod does not use.",
    fix="set AccessConfig.AuthenticationMode to API, or to API_AND_CONFIG_MAP",
    sources="SageMaker developer guide, HyperPod EKS prerequisites, authentication mode",
    covers=("HI-1.5",),
    tags=("cluster",),
    before="Resources: {Eks: {Properties: {AccessConfig: {AuthenticationMode: CONFIG_MAP}}}}",
    after="Resources: {Eks: {Properties: {AccessConfig: {AuthenticationMode: API}}}}",
)
def check(template: TemplateView) -> Matches:
    accepted = requirements.requirement("authentication_modes").value
    for logical_id, properties in template.resources("AWS::EKS::Cluster"):
        access = properties.get("AccessConfig")
        mode = access.get("AuthenticationMode") if isinstance(access, Mapping) else None
        if mode is not None and not isinstance(mode, str):
            continue
        if mode not in accepted:
            yield Match(
                template.property_path(logical_id, "AccessConfig"),
                f"the authentication mode is {mode or 'not set'}; HyperPod takes {' or '.join(accepted)}",
            )
