"""IAM documents as plain data: one jsii call per role instead of one per statement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from aws_cdk import aws_iam as iam

VERSION = "2012-10-17"

Statement = dict[str, Any]
Conditions = Mapping[str, Mapping[str, str | Sequence[str]]]


def allow(*actions: str, on: str | Sequence[str], when: Conditions | None = None) -> Statement:
    """A statement that allows ``actions`` on ``on`` under the conditions ``when``.

    Where ``on`` is "*" the caller says in a comment why nothing narrower exists.
    """
    resources: Any = on if isinstance(on, str) else list(on)
    statement: Statement = {"Effect": "Allow", "Action": list(actions), "Resource": resources}
    if when is not None:
        statement["Condition"] = {operator: dict(keys) for operator, keys in when.items()}
    return statement


def literal(text: str) -> str:
    """``text`` as a part of an ARN or of a pattern that means nothing but itself: IAM would read its wildcards."""
    return "".join(f"${{{mark}}}" if mark in "*?$" else mark for mark in text)


def document(*statements: Statement) -> dict[str, Any]:
    """A policy document."""
    return {"Version": VERSION, "Statement": list(statements)}


def inline(name: str, *statements: Statement) -> iam.CfnRole.PolicyProperty:
    """An inline policy of a role."""
    return iam.CfnRole.PolicyProperty(policy_name=name, policy_document=document(*statements))
