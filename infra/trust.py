"""Who may assume a role: AWS services by name, Kubernetes service accounts one by one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import aws_cdk as cdk

from infra.place import Place
from infra.policy import Conditions, document

STS_AUDIENCE = "sts.amazonaws.com"
POD_IDENTITY_SERVICE = "pods.eks.amazonaws.com"
CAPABILITY_SERVICE = "capabilities.eks.amazonaws.com"


@dataclass(frozen=True, kw_only=True)
class Issuer:
    """The OIDC issuer of an EKS cluster; ``url`` is known only when the cluster stands."""

    place: Place
    url: str

    @cached_property
    def host(self) -> str:
        """The URL without its scheme, as IAM's condition keys spell it."""
        return cdk.Fn.select(1, cdk.Fn.split("//", self.url))


def service_trust(service: str, *, when: Conditions | None = None) -> dict[str, Any]:
    """A trust policy for one AWS service."""
    return document(_assume(service, ["sts:AssumeRole"], when))


def pod_identity_trust(place: Place, *, cluster_arn: str) -> dict[str, Any]:
    """A trust policy for EKS Pod Identity in one cluster; without TagSession EKS refuses the role."""
    when = {
        "StringEquals": {"aws:SourceAccount": place.account},
        "ArnEquals": {"aws:SourceArn": cluster_arn},
    }
    return document(_assume(POD_IDENTITY_SERVICE, ["sts:AssumeRole", "sts:TagSession"], when))


def session_trust(place: Place, service: str) -> dict[str, Any]:
    """A trust statement for an AWS service that tags the sessions it opens, for this account's resources only."""
    when = {"StringEquals": {"aws:SourceAccount": place.account}}
    return _assume(service, ["sts:AssumeRole", "sts:TagSession"], when)


def service_account_trust(issuer: Issuer, subjects: Sequence[str], *, services: Sequence[str] = ()) -> str:
    """A trust policy for exactly the service accounts ``subjects`` ("namespace:name") and AWS ``services``.

    The issuer is a *key* of the condition and known only at deployment. CloudFormation has no late-bound
    keys and CDK's substitute is a Lambda function, so the document is JSON text with the issuer put in by
    Fn::Sub; IAM takes text and object alike.
    """
    provider = issuer.place.global_arn("iam", "oidc-provider/${Issuer}")
    accounts = [f"system:serviceaccount:{subject}" for subject in subjects]
    federated = {
        "Effect": "Allow",
        "Principal": {"Federated": provider},
        "Action": ["sts:AssumeRoleWithWebIdentity"],
        "Condition": {"StringEquals": {"${Issuer}:aud": STS_AUDIENCE, "${Issuer}:sub": accounts}},
    }
    statements = [_assume(service, ["sts:AssumeRole"], None) for service in services]
    text = json.dumps(document(*statements, federated))
    return cdk.Fn.sub(text, {"Issuer": issuer.host})


def _assume(service: str, actions: list[str], when: Conditions | None) -> dict[str, Any]:
    statement: dict[str, Any] = {"Effect": "Allow", "Principal": {"Service": service}, "Action": actions}
    if when is not None:
        statement["Condition"] = {operator: dict(keys) for operator, keys in when.items()}
    return statement
