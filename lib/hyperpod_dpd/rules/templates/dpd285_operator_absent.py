from collections.abc import Mapping

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.rules.rule import TEMPLATE, WARNING, Match, Matches, TemplateView, rule
from hyperpod_dpd.view.template_values import UNKNOWN, flat, items, service_accounts, statements


@rule(
    ("DPD285", "operator-absent", WARNING, TEMPLATE),
    title="Nothing in the templates installs the inference operator that they prepare",
    what="""That, where the templates here have a role for the inference operator or label instance groups for
    prefill and decode, and install other add-ons, one of them is the inference add-on. With nested stacks
    whose templates are not here nothing is said.""",
    why="""The endpoints are applied to a cluster that nobody reconciles: no pod starts and no error
    appears.""",
    fine="Where the operator is installed otherwise, such as by its Helm chart.",
    fix="add the add-on amazon-sagemaker-hyperpod-inference, or see that the operator comes another way",
    sources="SageMaker developer guide, model-deployment setup: ways to install the operator",
    tags=("addons",),
    before="Resources: {Inference: null}",
    after="Resources: {Inference: {Type: AWS::EKS::Addon}}",
)
def check(template: TemplateView) -> Matches:
    if template.partial:
        return
    there = [flat(properties.get("AddonName")) for _, _, properties in template.anywhere("AWS::EKS::Addon")]
    if not there or any(name in (names.OPERATOR_ADDON, UNKNOWN) for name in there):
        return
    for logical_id, properties in template.resources("AWS::SageMaker::Cluster"):
        if _labelled(properties) or _trusted(template):
            yield Match(
                ("Resources", logical_id),
                f"cluster {logical_id} is prepared for inference, and no template here has the add-on "
                f"{names.OPERATOR_ADDON}",
            )


def _labelled(cluster: Mapping[str, object]) -> bool:
    for group in items(cluster.get("InstanceGroups")):
        config = group.get("KubernetesConfig") if isinstance(group, Mapping) else None
        labels = config.get("Labels") if isinstance(config, Mapping) else None
        if isinstance(labels, Mapping) and labels.get(names.ROLE_LABEL) in ("prefill", "decode", "shared"):
            return True
    return False


def _trusted(template: TemplateView) -> bool:
    return any(
        account.startswith(f"{names.OPERATOR_NAMESPACE}:")
        for _, _, role in template.anywhere("AWS::IAM::Role")
        for statement in statements(role.get("AssumeRolePolicyDocument"))
        for _, account in service_accounts(statement)
    )
