"""Customer-managed keys, for environments that must be able to revoke access to their data."""

from __future__ import annotations

from aws_cdk import RemovalPolicy
from aws_cdk import aws_kms as kms
from constructs import Construct

from hyperpod_dpd.blueprint.names import key_alias
from infra.place import Place
from infra.policy import document


class KmsKeys(Construct):
    """One key for data at rest and one for Kubernetes secrets.

    The key policies name the account only: every use is then a matter of the user's IAM policy. A key of
    HyperPod volumes must not be tied to an encryption context, because HyperPod sends none.
    """

    def __init__(self, scope: Construct, id: str, *, place: Place, environment: str, retain: bool) -> None:
        super().__init__(scope, id)
        self.data_key_arn = self._key("data", place, environment, retain)
        self.secrets_key_arn = self._key("secrets", place, environment, retain)

    def _key(self, purpose: str, place: Place, environment: str, retain: bool) -> str:
        account = {
            "Effect": "Allow",
            "Principal": {"AWS": place.global_arn("iam", "root")},
            "Action": "kms:*",
            "Resource": "*",  # in a key policy this is the key itself
        }
        key = kms.CfnKey(
            self,
            purpose,
            description=f"{purpose} of {environment}",
            enable_key_rotation=True,
            key_policy=document(account),
        )
        key.apply_removal_policy(
            RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE if retain else RemovalPolicy.DESTROY
        )
        kms.CfnAlias(
            self, f"{purpose}-alias", alias_name=key_alias(environment, purpose), target_key_id=key.ref
        )
        return key.attr_arn
