"""Hand-built blueprints for the cloud side: the usual ones, and edge cases no example document has."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.apps import AppsPlan, StagingPlan
from hyperpod_dpd.blueprint.cloud import LifecyclePlan
from hyperpod_dpd.blueprint.model import (
    AddonPlan,
    Blueprint,
    ClusterPlan,
    InstanceGroupPlan,
    NetworkPlan,
    OperatorPlan,
    SubnetPlan,
)
from hyperpod_dpd.blueprint.stores import BucketPlan, FileSystemPlan
from hyperpod_dpd.config.cluster import Taint

ACCOUNT, REGION = "111122223333", "us-west-2"

TAINTS = (
    Taint(key="dpd", value="spare", effect="NoSchedule"),
    Taint(key="alone", value=None, effect="NoExecute"),
)

ADDONS = (
    AddonPlan(name="vpc-cni", version="v1.20.4-eksbuild.1", after=(), needs_nodes=False),
    AddonPlan(name="kube-proxy", version="v1.33.5-eksbuild.2", after=(), needs_nodes=False),
    AddonPlan(name="eks-pod-identity-agent", version="v1.3.9-eksbuild.3", after=(), needs_nodes=False),
    AddonPlan(
        name="coredns", version="v1.12.4-eksbuild.1", after=("vpc-cni", "kube-proxy"), needs_nodes=True
    ),
    AddonPlan(name="cert-manager", version="v1.18.2-eksbuild.2", after=("coredns",), needs_nodes=True),
    AddonPlan(name=names.S3_DRIVER_ADDON, version="v1.14.1-eksbuild.1", after=("coredns",), needs_nodes=True),
    AddonPlan(
        name=names.FSX_DRIVER_ADDON,
        version="v1.6.0-eksbuild.1",
        after=("coredns", "eks-pod-identity-agent"),
        needs_nodes=True,
    ),
    AddonPlan(name="metrics-server", version="v0.7.2-eksbuild.4", after=("coredns",), needs_nodes=True),
    AddonPlan(
        name=names.OPERATOR_ADDON,
        version="v1.5.0-eksbuild.1",
        after=("cert-manager", names.S3_DRIVER_ADDON, names.FSX_DRIVER_ADDON, "metrics-server"),
        needs_nodes=True,
    ),
)


def subnet(kind: Any, zone: str, cidr: str | None, existing_id: str | None = None) -> SubnetPlan:
    return SubnetPlan(
        key=f"{kind}-{zone}", kind=kind, zone_id=zone, zone_name=None, cidr=cidr, existing_id=existing_id
    )


def group(name: str, role: Any, instance_type: str, count: int, **changes: Any) -> InstanceGroupPlan:
    return replace(
        InstanceGroupPlan(
            name=name,
            role=role,
            instance_type=instance_type,
            count=count,
            max_count=count,
            min_count=None,
            subnet="accelerator-usw2-az2",
            zone_id="usw2-az2",
            labels={names.ROLE_LABEL: role},
            threads_per_core=2,
            ebs_gib=500,
            capacity="on-demand",
            training_plan_arn=None,
            deep_health_checks=(),
            efa=role != "system",
        ),
        **changes,
    )


def blueprint(name: str = "dev", **changes: Any) -> Blueprint:
    """A development environment; ``changes`` replace fields of the blueprint."""
    network = NetworkPlan(
        vpc_cidr="10.192.0.0/16",
        secondary_cidrs=(),
        existing_vpc_id=None,
        existing_cidrs=(),
        private_route_table_ids=(),
        nat="single",
        subnets=(
            subnet("public", "usw2-az1", "10.192.0.0/24"),
            subnet("public", "usw2-az2", "10.192.1.0/24"),
            subnet("control-plane", "usw2-az1", "10.192.16.0/24"),
            subnet("control-plane", "usw2-az2", "10.192.17.0/24"),
            subnet("accelerator", "usw2-az2", "10.192.64.0/18"),
        ),
        interface_endpoints=(),
        flow_logs=True,
    )
    cluster = ClusterPlan(
        eks_name=names.eks_cluster(name),
        hyperpod_name=names.hyperpod_cluster(name),
        kubernetes_version="1.33",
        endpoint_public_access=False,
        public_access_cidrs=(),
        admin_role_arns=(f"arn:aws:iam::{ACCOUNT}:role/Platform",),
        node_recovery=True,
        tiered_storage_percent=None,
        lifecycle_scripts=None,
        groups=(
            group("system", "system", "ml.m5.4xlarge", 2),
            group("prefill", "prefill", "ml.p5.48xlarge", 1),
            group("decode", "decode", "ml.p5.48xlarge", 1),
        ),
    )
    made = Blueprint(
        name=name,
        account=ACCOUNT,
        region=REGION,
        partition="aws",
        production=False,
        tags={"dpd:environment": name},
        network=network,
        cluster=cluster,
        operator=OperatorPlan(
            release="3.4",
            addon_version="v1.5.0-eksbuild.1",
            install="addon",
            role_name=names.operator_role(name, REGION),
        ),
        addons=ADDONS,
        buckets=BucketPlan(
            models=names.model_bucket(name, ACCOUNT, REGION),
            lifecycle=names.lifecycle_bucket(name, ACCOUNT, REGION),
            tls=names.tls_bucket(name, ACCOUNT, REGION),
            access_logs=names.access_log_bucket(name, ACCOUNT, REGION),
            retain=False,
        ),
        file_system=None,
        own_kms_keys=False,
        endpoints=(),
        notes=(),
    )
    return replace(made, **changes)


def production(name: str = "prod", **changes: Any) -> Blueprint:
    """Own keys, a file system, retention, training-plan capacity, a NAT gateway per zone, two ranges."""
    base = blueprint(name)
    plan = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:training-plan/p6-2026"
    groups = (
        base.cluster.groups[0],
        group(
            "prefill",
            "prefill",
            "ml.p6-b200.48xlarge",
            3,
            capacity="training-plan",
            training_plan_arn=plan,
            deep_health_checks=("InstanceStress", "InstanceConnectivity"),
            min_count=1,
        ),
        group("decode", "decode", "ml.p6-b200.48xlarge", 1, ebs_gib=None),
    )
    made = replace(
        base,
        production=True,
        protected=True,
        operator=replace(base.operator, gateway=True),
        network=replace(base.network, nat="per-zone", secondary_cidrs=("10.193.0.0/16",)),
        cluster=replace(base.cluster, groups=groups, tiered_storage_percent=20),
        buckets=replace(base.buckets, retain=True),
        own_kms_keys=True,
        apps=AppsPlan(staging=(staging(base.buckets.models),)),
        file_system=FileSystemPlan(
            subnet="accelerator-usw2-az2",
            capacity_gib=4800,
            throughput_mbps_per_tib=250,
            data_prefix="models",
            lustre_version="2.15",
        ),
    )
    return replace(made, **changes)


def staging(bucket: str) -> StagingPlan:
    """Weights of one endpoint, copied by a Job of its own identity."""
    return StagingPlan(
        endpoint="llama-70b",
        namespace="inference",
        service_account=names.staging_service_account("llama-70b"),
        image="python:3.13",
        packages=(),
        model_id="meta-llama/Llama-3.3-70B-Instruct",
        commit="0" * 40,
        include=("*.safetensors",),
        bucket=bucket,
        prefix="models/llama-3.3-70b-instruct",
        token=None,
        disk_gib=64,
        parallel_files=4,
        max_retries=6,
        deadline_seconds=21600,
    )


def closed(name: str = "closed", **changes: Any) -> Blueprint:
    """Somebody else's VPC without a way out."""
    base = blueprint(name)
    network = NetworkPlan(
        vpc_cidr=None,
        secondary_cidrs=(),
        existing_vpc_id="vpc-0123456789abcdef0",
        existing_cidrs=("10.0.0.0/16",),
        private_route_table_ids=("rtb-0123456789abcdef0",),
        nat="none",
        subnets=(
            subnet("control-plane", "usw2-az1", None, "subnet-0a1a1a1a1a1a1a1a1"),
            subnet("control-plane", "usw2-az2", None, "subnet-0b2b2b2b2b2b2b2b2"),
            subnet("accelerator", "usw2-az2", None, "subnet-0c3c3c3c3c3c3c3c3"),
        ),
        interface_endpoints=("ec2", "ecr.api", "ecr.dkr", "sts", "logs", "sagemaker.api"),
        flow_logs=False,
        closed=True,
    )
    return replace(base, network=network, **changes)


def unusual(name: str = "unusual", **changes: Any) -> Blueprint:
    """Spot, no extra volume, no labels, a type that linters doubt, two accelerator zones, no NAT, Helm."""
    base = blueprint(name)
    far = {"subnet": "accelerator-usw2-az3", "zone_id": "usw2-az3"}
    groups = (
        group("system", "system", "ml.m5.4xlarge", 2, labels={}, ebs_gib=None),
        group("prefill", "prefill", "ml.p5e.48xlarge", 1, linter_refuses=True, **far),
        group("decode", "decode", "ml.p5e.48xlarge", 1, linter_refuses=True, **far),
        group("spare", "worker", "ml.g6.12xlarge", 0, capacity="spot", threads_per_core=1, taints=TAINTS),
    )
    network = replace(
        base.network,
        nat="none",
        flow_logs=False,
        subnets=(
            *(s for s in base.network.subnets if s.kind != "public"),
            subnet("accelerator", "usw2-az3", "10.192.128.0/18"),
        ),
    )
    made = replace(
        base,
        network=network,
        cluster=replace(
            base.cluster,
            groups=groups,
            node_recovery=False,
            admin_role_arns=(),
            endpoint_public_access=True,
            public_access_cidrs=("192.0.2.0/24",),
        ),
        operator=replace(base.operator, install="helm", addon_version=None),
        addons=tuple(a for a in base.addons if a.name != names.OPERATOR_ADDON),
    )
    return replace(made, **changes)


def with_scripts(base: Blueprint, folder: str) -> ClusterPlan:
    """The cluster of ``base`` whose nodes run the scripts of ``folder``."""
    bucket = base.buckets.lifecycle
    uri = f"s3://{bucket}/{names.lifecycle_prefix(base.name)}/"
    source = LifecyclePlan(bucket=bucket, uri=uri, on_create=names.LIFECYCLE_ENTRYPOINT)
    return replace(base.cluster, lifecycle_scripts=folder, lifecycle=source)
