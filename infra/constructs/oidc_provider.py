"""The account's trust in a cluster's tokens, without which no role of a service account works."""

from __future__ import annotations

from aws_cdk import aws_iam as iam
from constructs import Construct

from infra.trust import STS_AUDIENCE


class OidcProvider(Construct):
    """An IAM OIDC provider for an issuer that has none yet."""

    def __init__(self, scope: Construct, id: str, *, url: str) -> None:
        super().__init__(scope, id)
        iam.CfnOIDCProvider(self, "Resource", url=url, client_id_list=[STS_AUDIENCE])
