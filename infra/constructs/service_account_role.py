"""A role for pods: assumed by named service accounts through the cluster's OIDC provider."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aws_cdk import aws_iam as iam
from constructs import Construct

from infra.policy import Statement, inline
from infra.trust import Issuer, service_account_trust


class ServiceAccountRole(Construct):
    """``subjects`` are "namespace:name"; each statement list of ``policies`` becomes one inline policy."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        issuer: Issuer,
        subjects: Sequence[str],
        policies: Mapping[str, Sequence[Statement]],
        services: Sequence[str] = (),
        managed_policy_arns: Sequence[str] = (),
        name: str | None = None,
    ) -> None:
        super().__init__(scope, id)
        role = iam.CfnRole(
            self,
            "Resource",
            role_name=name,
            assume_role_policy_document=service_account_trust(issuer, subjects, services=services),
            managed_policy_arns=list(managed_policy_arns) or None,
            policies=[inline(title, *statements) for title, statements in policies.items()] or None,
        )
        self.arn = role.attr_arn
