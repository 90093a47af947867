"""Where alerts go: one encrypted topic that AMP and CloudWatch of this account may publish to, and nobody else."""

from __future__ import annotations

from aws_cdk import RemovalPolicy
from aws_cdk import aws_kms as kms
from aws_cdk import aws_sns as sns
from constructs import Construct

from hyperpod_dpd.blueprint.names import alert_topic
from infra.place import Place
from infra.policy import document

_PUBLISHERS = ("aps.amazonaws.com", "cloudwatch.amazonaws.com")


class AlertTopic(Construct):
    """The topic, its key and an optional subscription. SNS's default key cannot be used by other services."""

    def __init__(
        self, scope: Construct, id: str, *, place: Place, environment: str, email: str | None, retain: bool
    ) -> None:
        super().__init__(scope, id)
        name = alert_topic(environment)
        self.arn = place.arn("sns", name)
        here = {"StringEquals": {"aws:SourceAccount": place.account}}
        key = kms.CfnKey(
            self,
            "Key",
            description=f"alerts of {environment}",
            enable_key_rotation=True,
            key_policy=document(
                {
                    "Effect": "Allow",
                    "Principal": {"AWS": place.global_arn("iam", "root")},
                    "Action": "kms:*",
                    "Resource": "*",  # in a key policy this is the key itself
                },
                {
                    "Effect": "Allow",
                    "Principal": {"Service": list(_PUBLISHERS)},
                    "Action": ["kms:GenerateDataKey*", "kms:Decrypt"],
                    "Resource": "*",
                    "Condition": here,
                },
            ),
        )
        key.apply_removal_policy(
            RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE if retain else RemovalPolicy.DESTROY
        )
        topic = sns.CfnTopic(self, "Resource", topic_name=name, kms_master_key_id=key.attr_arn)
        self.topic = sns.CfnTopicPolicy(
            self,
            "Policy",
            topics=[topic.ref],
            policy_document=document(
                {
                    "Sid": "Publish",
                    "Effect": "Allow",
                    "Principal": {"Service": list(_PUBLISHERS)},
                    "Action": ["sns:Publish", "sns:GetTopicAttributes"],
                    "Resource": self.arn,
                    "Condition": here,
                },
                {
                    "Sid": "OnlyEncrypted",
                    "Effect": "Deny",
                    "Principal": "*",
                    "Action": "sns:Publish",
                    "Resource": self.arn,
                    "Condition": {"Bool": {"aws:SecureTransport": "false"}},
                },
            ),
        )
        if email is not None:
            sns.CfnSubscription(self, "Email", topic_arn=topic.ref, protocol="email", endpoint=email)
