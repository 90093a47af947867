"""Where an environment lives, and the ARNs that follow from it without asking AWS."""

from __future__ import annotations

from dataclasses import dataclass

EVERYWHERE = "0.0.0.0/0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Partition, Region and account of an environment, as literals so that no ARN needs a token."""

    partition: str
    region: str
    account: str

    def arn(self, service: str, resource: str) -> str:
        """ARN of a resource in this account and Region."""
        return f"arn:{self.partition}:{service}:{self.region}:{self.account}:{resource}"

    def arn_in_any_account(self, service: str, resource: str) -> str:
        """ARN pattern for what AWS keeps in accounts of its own, such as the nodes of HyperPod."""
        return f"arn:{self.partition}:{service}:{self.region}:*:{resource}"

    def global_arn(self, service: str, resource: str) -> str:
        """ARN of a resource without a Region, such as an IAM role."""
        return f"arn:{self.partition}:{service}::{self.account}:{resource}"

    def bucket_arn(self, bucket: str) -> str:
        return f"arn:{self.partition}:s3:::{bucket}"

    def managed_policy_arn(self, name: str) -> str:
        return f"arn:{self.partition}:iam::aws:policy/{name}"

    def cluster_access_policy_arn(self, name: str) -> str:
        """An EKS access policy, which is AWS's and has no Region."""
        return f"arn:{self.partition}:eks::aws:cluster-access-policy/{name}"
