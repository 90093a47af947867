"""The policy by which task governance orders what waits for nodes."""

from __future__ import annotations

from aws_cdk import aws_sagemaker as sagemaker
from constructs import Construct, IDependable

from hyperpod_dpd.blueprint.cloud import SchedulingPlan


class SchedulerPolicy(Construct):
    """One policy for the whole HyperPod cluster; ``needs`` is the add-on that carries it out."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        plan: SchedulingPlan,
        hyperpod_cluster_arn: str,
        needs: IDependable,
    ) -> None:
        super().__init__(scope, id)
        types = sagemaker.CfnClusterSchedulerConfig
        classes = [
            types.PriorityClassProperty(name=name, weight=weight) for name, weight in plan.priority_classes
        ]
        policy = types(
            self,
            "Resource",
            cluster_arn=hyperpod_cluster_arn,
            name=plan.name,
            scheduler_config=types.SchedulerConfigProperty(
                fair_share="Enabled" if plan.fair_share else "Disabled", priority_classes=classes or None
            ),
        )
        policy.node.add_dependency(needs)
