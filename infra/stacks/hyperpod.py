"""The HyperPod cluster and the role of its nodes."""

from __future__ import annotations

from collections.abc import Mapping

import aws_cdk as cdk
from constructs import Construct

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.model import Blueprint
from infra.constructs.cluster_role import ClusterRole
from infra.constructs.hyperpod_cluster import HyperPodCluster
from infra.constructs.instance_group import NodeSettings
from infra.constructs.node_role import NodeRole
from infra.stacks.environment_stack import EnvironmentStack


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
        plan, given = blueprint.cluster, blueprint.roles
        role_arn = given.nodes or self._node_role(blueprint, cluster_arn=cluster_arn, key_arn=data_key_arn)
        autoscaler_arn = given.autoscaling
        if plan.autoscaling and autoscaler_arn is None:
            autoscaler_arn = ClusterRole(self, "ClusterRole", place=self.place, key_arn=data_key_arn).arn
        cluster = HyperPodCluster(
            self,
            "HyperPod",
            plan=plan,
            cluster_arn=cluster_arn,
            subnet_ids=subnet_ids,
            shared=NodeSettings(
                role_arn=role_arn,
                security_group_id=security_group_id,
                lifecycle=plan.lifecycle,
                key_arn=data_key_arn,
            ),
            cluster_role_arn=autoscaler_arn if plan.autoscaling else None,
        )
        if blueprint.budget is not None:
            from infra.constructs.cost_budget import CostBudget

            CostBudget(self, "Budget", plan=blueprint.budget)
        self.cluster_arn = cluster.arn
        cdk.CfnOutput(self, names.OUTPUT_HYPERPOD_CLUSTER_ARN, value=cluster.arn)

    def _node_role(self, blueprint: Blueprint, *, cluster_arn: str, key_arn: str | None) -> str:
        plan = blueprint.cluster
        sources = [plan.lifecycle, *(group.lifecycle for group in plan.groups)]
        buckets = [blueprint.buckets.lifecycle, *(source.bucket for source in sources if source)]
        return NodeRole(
            self,
            "NodeRole",
            place=self.place,
            name=names.node_role(blueprint.name, blueprint.region),
            cluster_arn=cluster_arn,
            lifecycle_buckets=list(dict.fromkeys(buckets)),
            key_arn=key_arn,
            cache_prefixes=[cache.prefix for cache in blueprint.images.caches],
            owners_key_arns=blueprint.buckets.keys_of(buckets),
            elsewhere=blueprint.images.elsewhere,
        ).arn
