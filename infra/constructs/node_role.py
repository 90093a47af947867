"""The role that HyperPod nodes run as: logs, the CNI's network interfaces, images, lifecycle scripts."""

from __future__ import annotations

from collections.abc import Sequence

from aws_cdk import aws_iam as iam
from constructs import Construct

from hyperpod_dpd.blueprint.cloud import PrivateRepository
from infra.permissions.keys import decrypt_through_s3
from infra.place import Place
from infra.policy import Statement, allow, inline
from infra.trust import service_trust


class NodeRole(Construct):
    """Execution role of every instance group.

    Nodes live in an account of AWS, and so do the images of HyperPod's own agents: those ARNs leave the
    account open. ``key_arn`` is the key of the node volumes and of the environment's lifecycle bucket,
    ``owners_key_arns`` are those of scripts of somebody else, ``elsewhere`` repositories of other Regions.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        place: Place,
        name: str,
        cluster_arn: str,
        lifecycle_buckets: Sequence[str],
        key_arn: str | None,
        cache_prefixes: Sequence[str],
        owners_key_arns: Sequence[str] = (),
        elsewhere: Sequence[PrivateRepository] = (),
    ) -> None:
        super().__init__(scope, id)
        policies = [
            inline("NetworkInterfaces", *_network_interfaces(place)),
            inline("Images", *_images(place)),
            inline(
                "Cluster",
                allow("eks-auth:AssumeRoleForPodIdentity", on=cluster_arn),
                allow("cloudwatch:DescribeAlarms", on=place.arn("cloudwatch", "alarm:*")),
            ),
            inline(
                "LifecycleScripts",
                *(
                    statement
                    for bucket in lifecycle_buckets
                    for statement in (
                        allow("s3:ListBucket", on=place.bucket_arn(bucket)),
                        allow("s3:GetObject", on=place.bucket_arn(f"{bucket}/*")),
                    )
                ),
            ),
        ]
        if cache_prefixes:
            repositories = [place.arn("ecr", f"repository/{prefix}/*") for prefix in cache_prefixes]
            fill = allow("ecr:BatchImportUpstreamImage", "ecr:CreateRepository", on=repositories)
            policies.append(inline("FillImageCache", fill))
        if key_arn is not None:
            policies.append(inline("VolumesAndScripts", *_key(place, key_arn)))
        if owners_key_arns:
            policies.append(inline("ScriptsOfOthers", decrypt_through_s3(place, owners_key_arns)))
        if elsewhere:
            policies.append(inline("ImagesElsewhere", _pull(_repository_arns(place, elsewhere))))
        role = iam.CfnRole(
            self,
            "Resource",
            role_name=name,
            assume_role_policy_document=service_trust("sagemaker.amazonaws.com"),
            managed_policy_arns=[place.managed_policy_arn("AmazonSageMakerClusterInstanceRolePolicy")],
            policies=policies,
        )
        self.arn = role.attr_arn


def _network_interfaces(place: Place) -> list[Statement]:
    interfaces = place.arn("ec2", "network-interface/*")
    subnets = place.arn("ec2", "subnet/*")
    groups = place.arn("ec2", "security-group/*")
    instances = place.arn_in_any_account("ec2", "instance/*")
    return [
        allow(
            "ec2:AssignPrivateIpAddresses",
            "ec2:UnassignPrivateIpAddresses",
            "ec2:CreateNetworkInterfacePermission",
            "ec2:DeleteNetworkInterfacePermission",
            "ec2:DeleteNetworkInterface",
            on=interfaces,
        ),
        allow("ec2:CreateNetworkInterface", on=[interfaces, subnets, groups]),
        allow("ec2:ModifyNetworkInterfaceAttribute", on=[interfaces, groups, instances]),
        allow("ec2:AttachNetworkInterface", "ec2:DetachNetworkInterface", on=[interfaces, instances]),
        allow("ec2:CreateTags", on=interfaces),
        # EC2 has no narrower resource for these.
        allow(
            "ec2:DescribeDhcpOptions",
            "ec2:DescribeInstances",
            "ec2:DescribeInstanceTypes",
            "ec2:DescribeNetworkInterfaces",
            "ec2:DescribeSecurityGroups",
            "ec2:DescribeSubnets",
            "ec2:DescribeTags",
            "ec2:DescribeVpcs",
            on="*",
        ),
    ]


def _images(place: Place) -> list[Statement]:
    return [
        # A registry token is not a resource.
        allow("ecr:GetAuthorizationToken", on="*"),
        _pull(place.arn_in_any_account("ecr", "repository/*")),
    ]


def _pull(repositories: str | Sequence[str]) -> Statement:
    return allow(
        "ecr:BatchCheckLayerAvailability",
        "ecr:BatchGetImage",
        "ecr:GetDownloadUrlForLayer",
        on=repositories,
    )


def _repository_arns(place: Place, repositories: Sequence[PrivateRepository]) -> list[str]:
    return [
        f"arn:{place.partition}:ecr:{each.region}:{each.account}:repository/{each.repository}"
        for each in repositories
    ]


def _key(place: Place, key_arn: str) -> list[Statement]:
    """HyperPod makes grants for node volumes; scripts are decrypted through S3."""
    return [
        allow("kms:CreateGrant", "kms:DescribeKey", on=key_arn),
        decrypt_through_s3(place, key_arn),
    ]
