"""One HyperPod instance group as CloudFormation wants it: what is unset is absent, never empty."""

from __future__ import annotations

from dataclasses import dataclass

from aws_cdk import aws_sagemaker as sagemaker

from hyperpod_dpd.blueprint.cloud import LifecyclePlan
from hyperpod_dpd.blueprint.model import InstanceGroupPlan
from hyperpod_dpd.config.updates import Update


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeSettings:
    """What all groups of a cluster share. ``lifecycle`` is None where nodes run no scripts."""

    role_arn: str
    security_group_id: str
    lifecycle: LifecyclePlan | None
    key_arn: str | None


def instance_group(
    plan: InstanceGroupPlan, *, subnet_id: str, shared: NodeSettings
) -> sagemaker.CfnCluster.ClusterInstanceGroupProperty:
    """The group of ``plan`` in exactly one subnet: HyperPod would otherwise choose one of the cluster's."""
    cluster = sagemaker.CfnCluster
    lifecycle = plan.lifecycle or shared.lifecycle
    return cluster.ClusterInstanceGroupProperty(
        instance_group_name=plan.name,
        instance_type=None if plan.alternatives else plan.instance_type,
        instance_requirements=cluster.InstanceRequirementsProperty(
            instance_types=[plan.instance_type, *plan.alternatives]
        )
        if plan.alternatives
        else None,
        instance_count=plan.count,
        min_instance_count=plan.min_count,
        execution_role=shared.role_arn,
        override_vpc_config=cluster.VpcConfigProperty(
            subnets=[subnet_id], security_group_ids=[shared.security_group_id]
        ),
        kubernetes_config=_kubernetes(plan),
        threads_per_core=plan.threads_per_core,
        instance_storage_configs=_volumes(plan, shared.key_arn) or None,
        life_cycle_config=cluster.ClusterLifeCycleConfigProperty(
            source_s3_uri=lifecycle.uri, on_create=lifecycle.on_create
        )
        if lifecycle
        else None,
        image_id=plan.image_id,
        on_start_deep_health_checks=list(plan.deep_health_checks) or None,
        training_plan_arn=plan.training_plan_arn,
        network_interface=cluster.ClusterNetworkInterfaceProperty(interface_type=plan.network_interface)
        if plan.network_interface
        else None,
        scheduled_update_config=_update(plan.update) if plan.update else None,
        auto_patch_config=cluster.AutoPatchConfigProperty(patching_strategy=plan.auto_patch)
        if plan.auto_patch
        else None,
        capacity_requirements=cluster.ClusterCapacityRequirementsProperty(spot={})
        if plan.capacity == "spot"
        else None,
    )


def _update(plan: Update) -> sagemaker.CfnCluster.ScheduledUpdateConfigProperty:
    """Some of the nodes at a time, put back when one of the alarms rings."""
    cluster = sagemaker.CfnCluster

    def share(percent: int) -> sagemaker.CfnCluster.CapacitySizeConfigProperty:
        return cluster.CapacitySizeConfigProperty(type="CAPACITY_PERCENTAGE", value=percent)

    return cluster.ScheduledUpdateConfigProperty(
        schedule_expression=plan.window,
        deployment_config=cluster.DeploymentConfigProperty(
            rolling_update_policy=cluster.RollingUpdatePolicyProperty(
                maximum_batch_size=share(plan.batch_percent)
                if plan.batch_nodes is None
                else cluster.CapacitySizeConfigProperty(type="INSTANCE_COUNT", value=plan.batch_nodes),
                rollback_maximum_batch_size=share(plan.rollback_batch_percent)
                if plan.rollback_batch_percent is not None
                else None,
            ),
            wait_interval_in_seconds=plan.wait_seconds,
            auto_rollback_configuration=[
                cluster.AlarmDetailsProperty(alarm_name=name) for name in plan.alarms
            ],
        ),
    )


def _kubernetes(
    plan: InstanceGroupPlan,
) -> sagemaker.CfnCluster.ClusterKubernetesConfigProperty | None:
    """Labels and taints that the nodes carry when they join."""
    cluster = sagemaker.CfnCluster
    if not plan.labels and not plan.taints:
        return None
    taints = [
        cluster.ClusterKubernetesTaintProperty(key=t.key, value=t.value, effect=t.effect) for t in plan.taints
    ]
    return cluster.ClusterKubernetesConfigProperty(labels=dict(plan.labels) or None, taints=taints or None)


def _volumes(
    plan: InstanceGroupPlan, key_arn: str | None
) -> list[sagemaker.CfnCluster.ClusterInstanceStorageConfigProperty]:
    """The extra volume, and the root volume where it has a key of ours: its size is HyperPod's choice."""
    cluster = sagemaker.CfnCluster
    volumes = []
    if plan.ebs_gib is not None:
        volumes.append(
            cluster.ClusterEbsVolumeConfigProperty(volume_size_in_gb=plan.ebs_gib, volume_kms_key_id=key_arn)
        )
    if key_arn is not None:
        volumes.append(cluster.ClusterEbsVolumeConfigProperty(root_volume=True, volume_kms_key_id=key_arn))
    return [cluster.ClusterInstanceStorageConfigProperty(ebs_volume_config=v) for v in volumes]
