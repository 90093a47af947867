"""The HyperPod cluster and the role of its nodes."""

from __future__ import annotations

from collections.abc import Mapping

import aws_cdk as cdk
from constructs import Construct

from infra.constructs.cluster_role import ClusterRole
from infra.constructs.hyperpod_cluster import HyperPodCluster
from infra.constructs.instance_group import NodeSettings
from infra.constructs.node_role import NodeRole
from infra.stacks.environment_stack import EnvironmentStack
from lib.blueprint import names
from lib.blueprint.model import Blueprint


class HyperPodStack(EnvironmentStack):
    """Comes after everything a node needs: network, scripts, control plane, CNI and Pod Identity agent."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        blueprint: Blueprint,
        cluster_arn: str,
        subnet_ids: Mapping[str, str],
        security_group_id: str,
        data_key_arn: str | None,
    ) -> None:
        super().__init__(scope, id, blueprint=blueprint)
        plan, bucket = blueprint.cluster, blueprint.buckets.lifecycle
        role = NodeRole(
            self,
            "NodeRole",
            place=self.place,
            name=names.node_role(blueprint.name, blueprint.region),
            cluster_arn=cluster_arn,
            lifecycle_bucket=bucket,
            key_arn=data_key_arn,
            cache_prefixes=[cache.prefix for cache in blueprint.images.caches],
        )
        autoscaler = (
            ClusterRole(self, "ClusterRole", place=self.place, key_arn=data_key_arn)
            if plan.autoscaling
            else None
        )
        cluster = HyperPodCluster(
            self,
            "HyperPod",
            plan=plan,
            cluster_arn=cluster_arn,
            subnet_ids=subnet_ids,
            shared=NodeSettings(
                role_arn=role.arn,
                security_group_id=security_group_id,
                lifecycle_bucket=bucket if plan.lifecycle_scripts else None,
                key_arn=data_key_arn,
            ),
            cluster_role_arn=autoscaler.arn if autoscaler else None,
        )
        if blueprint.budget is not None:
            from infra.constructs.cost_budget import CostBudget

            CostBudget(self, "Budget", plan=blueprint.budget)
        self.cluster_arn = cluster.arn
        cdk.CfnOutput(self, names.OUTPUT_HYPERPOD_CLUSTER_ARN, value=cluster.arn)
