"""The HyperPod cluster: the nodes that serve, on the EKS control plane."""

from __future__ import annotations

from collections.abc import Mapping

from aws_cdk import Acknowledgment, CfnResource, Validations
from aws_cdk import aws_sagemaker as sagemaker
from constructs import Construct

from hyperpod_dpd.blueprint.model import ClusterPlan
from infra.constructs.instance_group import NodeSettings, instance_group

CDK_RULES = "CloudFormation-Validate"
REGION_LISTS = "E3644"


class HyperPodCluster(Construct):
    """All instance groups of ``plan``; provisioning is continuous, so one group's shortage stops no other.

    The cluster's own subnet can never change, and every group names its own: it is that of the first group.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        plan: ClusterPlan,
        cluster_arn: str,
        subnet_ids: Mapping[str, str],
        shared: NodeSettings,
        cluster_role_arn: str | None,
    ) -> None:
        super().__init__(scope, id)
        types = sagemaker.CfnCluster
        cluster = types(
            self,
            "Resource",
            cluster_name=plan.hyperpod_name,
            orchestrator=types.OrchestratorProperty(
                eks=types.ClusterOrchestratorEksConfigProperty(cluster_arn=cluster_arn)
            ),
            vpc_config=types.VpcConfigProperty(
                subnets=[subnet_ids[plan.default_subnet]], security_group_ids=[shared.security_group_id]
            ),
            instance_groups=[
                instance_group(group, subnet_id=subnet_ids[group.subnet], shared=shared)
                for group in plan.groups
            ],
            cluster_role=cluster_role_arn,
            auto_scaling=types.ClusterAutoScalingConfigProperty(mode="Enable", auto_scaler_type="Karpenter")
            if plan.autoscaling
            else None,
            node_provisioning_mode="Continuous",
            node_recovery="Automatic" if plan.node_recovery else "None",
            tiered_storage_config=types.TieredStorageConfigProperty(
                mode="Enable", instance_memory_allocation_percentage=plan.tiered_storage_percent
            )
            if plan.tiered_storage_percent is not None
            else None,
        )
        self.arn = cluster.attr_cluster_arn
        refused = any(group.linter_refuses for group in plan.groups)
        if refused or any(group.cdk_refuses for group in plan.groups):
            _ignore_region_lists(cluster, cfn_lint=refused)


def _ignore_region_lists(cluster: CfnResource, *, cfn_lint: bool) -> None:
    """Silences one rule on this resource: lists of types per Region lag behind, CDK's more than cfn-lint's."""
    reason = "the Region offers an instance type that this rule's list does not know yet"
    Validations.of(cluster).acknowledge(Acknowledgment(id=f"{CDK_RULES}::{REGION_LISTS}", reason=reason))
    if cfn_lint:
        cluster.add_metadata("cfn-lint", {"config": {"ignore_checks": [REGION_LISTS]}})
