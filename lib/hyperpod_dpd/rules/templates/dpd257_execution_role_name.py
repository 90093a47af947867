"""
What it checks
--------------
That a role which the inference operator's service account may assume has a name with the required prefix. A
role without a name gets one from CloudFormation that begins with the stack's name.

Why it matters
--------------
The add-on checks the name and fails. Under another name the managed policy could not pass the role on to
SageMaker either.

When this is fine
-----------------
Never.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.catalog import requirements
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.view.template_values import UNKNOWN, flat, service_accounts, statements

if TYPE_CHECKING:
    from hyperpod_dpd.view.template import TemplateView

RULE = Rule(
    id="DPD257",
    name="execution-role-name",
    severity=Severity.ERROR,
    title="The operator's role has a name that the add-on refuses",
    fix="give the role a name that begins with the prefix the add-on asks for",
    sources=(
        "HyperPod CLI repository, inference operator chart: required values",
        "AWS managed policy AmazonSageMakerHyperPodInferenceAccess: roles it may pass on",
    ),
    applies_to=AppliesTo.TEMPLATE,
    covers=(
        "R38",
        "HI-0.2",
    ),
    tags=(
        "names",
        "iam",
        "addons",
    ),
    example=Example(
        of="template",
        before="Resources: {OperatorRole: {Properties: {RoleName: dpd-dev-operator}}}",
        after="Resources: {OperatorRole: {Properties: {RoleName: SageMakerHyperPodInference-dpd-dev}}}",
    ),
)


def check(template: TemplateView) -> Iterator[Hit]:
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
        yield Hit(template.property_path(logical_id, "RoleName"), f"{message}: {wanted.why}")


def _is_operators(trust: object) -> bool:
    accounts = {f"{names.OPERATOR_NAMESPACE}:{name}" for name in _ACCOUNTS}
    return any(account in accounts for s in statements(trust) for _, account in service_accounts(s))


_ACCOUNTS = (names.OPERATOR_SERVICE_ACCOUNT, names.OPERATOR_SERVICE_ACCOUNT_HELM)
