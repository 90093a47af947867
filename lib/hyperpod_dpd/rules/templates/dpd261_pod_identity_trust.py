"""
What it checks
--------------
That a trust policy for the Pod Identity service allows both actions that the service uses.

Why it matters
--------------
EKS refuses the association, after everything before it was made; the message speaks of an invalid trust policy
and not of the missing action.

When this is fine
-----------------
Never.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.view.template_values import actions, principals, statements

if TYPE_CHECKING:
    from hyperpod_dpd.view.template import TemplateView

RULE = Rule(
    id="DPD261",
    name="pod-identity-trust",
    severity=Severity.ERROR,
    title="A role for Pod Identity does not allow sessions to be tagged",
    fix="allow sts:TagSession beside sts:AssumeRole",
    sources=(
        "EKS user guide, Pod Identity trust policy",
        "aws-cdk issue 31522: the role is refused as having an invalid trust policy",
    ),
    applies_to=AppliesTo.TEMPLATE,
    covers=("D-04",),
    tags=("iam",),
    example=Example(
        of="template",
        before="""
Resources:
  FsxRole:
    Type: AWS::IAM::Role
    Properties:
      AssumeRolePolicyDocument:
        Statement: [{Effect: Allow, Principal: {Service: pods.eks.amazonaws.com}, Action: sts:AssumeRole}]
""",
        after="""
Resources:
  FsxRole:
    Type: AWS::IAM::Role
    Properties:
      AssumeRolePolicyDocument:
        Statement:
          - {Effect: Allow, Principal: {Service: pods.eks.amazonaws.com}, Action: [sts:AssumeRole, sts:TagSession]}
""",
    ),
)

_SERVICE = "pods.eks.amazonaws.com"
_NEEDED = ("sts:AssumeRole", "sts:TagSession")


def check(template: TemplateView) -> Iterator[Hit]:
    for logical_id, properties in template.resources("AWS::IAM::Role"):
        found = [
            s
            for s in statements(properties.get("AssumeRolePolicyDocument"))
            if ("Service", _SERVICE) in principals(s)
        ]
        allowed = {action for statement in found for action in actions(statement)}
        missing = [
            action for action in _NEEDED if action.lower() not in allowed and not allowed & {"*", "sts:*"}
        ]
        if found and missing:
            yield Hit(
                template.property_path(logical_id, "AssumeRolePolicyDocument"),
                f"role {logical_id} does not allow {_SERVICE} {' and '.join(missing)}",
            )
