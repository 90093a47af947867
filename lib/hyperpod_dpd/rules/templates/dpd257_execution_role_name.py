from hyperpod_dpd.blueprint import names
from hyperpod_dpd.catalog import requirements
from hyperpod_dpd.rules.rule import ERROR, TEMPLATE, Match, Matches, TemplateView, rule
from hyperpod_dpd.view.template_values import UNKNOWN, flat, service_accounts, statements


@rule(
    ("DPD257", "execution-role-name", ERROR, TEMPLATE),
    title="The operator's role has a name that the add-on refuses",
    what="""That a role which the inference operator's service account may assume has a name with the required
    prefix. A role without a name gets one from CloudFormation that begins with the stack's name.""",
    why="""The add-on checks the name and fails. Under another name the managed policy could not pass the role
    on to SageMaker either.""",
    fine="Never.",
    fix="give the role a name that begins with the prefix the add-on asks for",
    sources="""HyperPod CLI repository, inference operator chart: required values | AWS managed policy
    AmazonSageMakerHyperPodInferenceAccess: roles it may pass on""",
    covers=("R38", "HI-0.2"),
    tags=("names", "iam", "addons"),
    before="Resources: {OperatorRole: {Properties: {RoleName: dpd-dev-operator}}}",
    after="Resources: {OperatorRole: {Properties: {RoleName: SageMakerHyperPodInference-dpd-dev}}}",
)
def check(template: TemplateView) -> Matches:
    wanted = requirements.name_prefix("execution_role")
    for logical_id, properties in template.resources("AWS::IAM::Role"):
        if not _is_operators(properties.get("AssumeRolePolicyDocument")):
            continue
        name = properties.get("RoleName")
        shown = flat(name)
        if name is None:
            message = (
                f"role {logical_id} has no name, so CloudFormation's does not begin with {wanted.prefix}"
            )
        elif shown.startswith((wanted.prefix, UNKNOWN)):
            continue
        else:
            message = f"'{shown}' does not begin with {wanted.prefix}"
        yield Match(template.property_path(logical_id, "RoleName"), f"{message}: {wanted.why}")


def _is_operators(trust: object) -> bool:
    accounts = {f"{names.OPERATOR_NAMESPACE}:{name}" for name in _ACCOUNTS}
    return any(account in accounts for s in statements(trust) for _, account in service_accounts(s))


_ACCOUNTS = (names.OPERATOR_SERVICE_ACCOUNT, names.OPERATOR_SERVICE_ACCOUNT_HELM)
