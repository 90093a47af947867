"""
What it checks
--------------
That no trust policy allows the principal * without a condition, and that no condition on service accounts
leaves both the namespace and the name open. A pattern with one of the two is a warning.

Why it matters
--------------
Any pod that may make a service account, a user's notebook among them, then holds the rights of that role:
certificates, load balancers, model weights.

When this is fine
-----------------
For the pattern that AWS documents for gated models: any namespace, one account name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.view.template_values import as_list, service_accounts, statements

if TYPE_CHECKING:
    from hyperpod_dpd.document import Path
    from hyperpod_dpd.view.template import TemplateView

RULE = Rule(
    id="DPD260",
    name="open-trust",
    severity=Severity.ERROR,
    title="A role may be assumed by anybody or by any pod",
    fix="name the principals, and each service account by namespace and name",
    sources=(
        "IAM user guide, trust policies",
        "AWS's published HyperPod cluster templates trust every service account: not to be copied",
    ),
    applies_to=AppliesTo.TEMPLATE,
    covers=("HI-3",),
    tags=(
        "iam",
        "security",
    ),
    example=Example(
        of="template",
        before="""
Resources:
  NodeRole:
    Properties:
      AssumeRolePolicyDocument:
        Version: "2012-10-17"
        Statement: [{Effect: Allow, Principal: "*", Action: sts:AssumeRole}]
""",
        after="""
Resources:
  NodeRole:
    Properties:
      AssumeRolePolicyDocument:
        Version: "2012-10-17"
        Statement: [{Effect: Allow, Principal: {Service: sagemaker.amazonaws.com}, Action: sts:AssumeRole}]
""",
    ),
)

_OPEN = re.compile(r"[*?]")


def check(template: TemplateView) -> Iterator[Hit]:
    for logical_id, properties in template.resources("AWS::IAM::Role"):
        path = template.property_path(logical_id, "AssumeRolePolicyDocument")
        for statement in statements(properties.get("AssumeRolePolicyDocument")):
            anybody = any(kind == "AWS" and name == "*" for kind, name in _literal_principals(statement))
            if anybody and not statement.get("Condition"):
                yield Hit(path, f"role {logical_id} may be assumed by anybody: the principal is *")
            for operator, account in service_accounts(statement):
                if "like" in operator.lower():
                    yield from _pattern(path, logical_id, account)


def _pattern(path: Path, logical_id: str, account: str) -> Iterator[Hit]:
    namespace, _, name = account.partition(":")
    if not _OPEN.search(account):
        return
    whole = namespace.strip("*") == "" and name.strip("*") == ""
    reach = "every pod of the cluster" if whole else f"all service accounts like {account}"
    yield Hit(path, f"role {logical_id} may be assumed by {reach}", None if whole else Severity.WARNING)


def _literal_principals(statement: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Principals that the template itself spells out: a reference shows as a star too and means one of them."""
    principal = statement.get("Principal")
    if isinstance(principal, str):
        yield "AWS", principal
    elif isinstance(principal, Mapping):
        for kind, value in principal.items():
            yield from ((str(kind), v) for v in as_list(value) if isinstance(v, str))
