"""Roles, storage, observability, task governance and node software of the official templates' parameters."""

from __future__ import annotations

from typing import Any

from hyperpod_dpd.catalog import tools
from hyperpod_dpd.importing.official_groups import number
from hyperpod_dpd.importing.parameters import Given, NotParameters

_ROLES = {
    "HyperPodClusterRole": "autoscaling",
    "InferenceOperatorExecutionRoleArn": "operator",
    "AlbControllerRoleArn": "load_balancer",
    "KedaRoleArn": "keda",
    "S3CsiDriverRoleArn": "s3_driver",
    "FsxCsiDriverRoleArn": "fsx_driver",
}
_LEVELS = {
    "TrainingMetricLevel": "training",
    "TaskGovernanceMetricLevel": "task_governance",
    "ScalingMetricLevel": "scaling",
    "ClusterMetricLevel": "custom",
    "NodeMetricLevel": "node",
    "AcceleratedComputeMetricLevel": "accelerated_compute",
}
_FILE_SYSTEM = {
    "capacity_gib": ("StorageCapacity", 1200),
    "throughput_mbps_per_tib": ("PerUnitStorageThroughput", 250),
}
_CHART = {
    "repository": ("HelmRepoUrl", "https://github.com/aws/sagemaker-hyperpod-cli.git"),
    "path": ("HelmRepoPath", "helm_chart/HyperPodHelmChart"),
}
_DEFAULT_RELEASES = ("dependencies", "hyperpod-dependencies")
_DEFAULT_NAMESPACE = "kube-system"
_ON_BY_DEFAULT = frozenset(
    {
        "aws-efa-k8s-device-plugin",
        "cluster-role-and-bindings",
        "deep-health-check",
        "health-monitoring-agent",
        "hyperpod-patching",
        "job-auto-restart",
        "mlflow",
        "mpi-operator",
        "namespaced-role-and-bindings",
        "neuron-device-plugin",
        "nvidia-device-plugin",
        "storage",
        "trainingOperators",
    }
)


def roles_section(given: Given, *, account: str) -> dict[str, str]:
    """Roles that exist already; the templates give some by name only."""
    roles = {}
    if not given.flag("CreateSageMakerIAMRoleStack", default=True):
        roles["nodes"] = _arn(given.text("SageMakerIAMRoleName"), account)
    for name, key in _ROLES.items():
        if given.says(name):
            roles[key] = _arn(given.text(name), account)
    for create, name, key in (
        ("CreateHyperPodObservabilityRole", "HyperPodObservabilityRole", "observability"),
        ("CreateGrafanaRole", "GrafanaRole", "grafana"),
    ):
        if given.says(name) and not given.flag(create, default=False):
            roles[key] = _arn(given.text(name), account)
    if given.says("GrafanaWorkspaceId") and not given.flag("CreateGrafanaWorkspace", default=False):
        roles.pop("grafana", None)  # that workspace has one
    return roles


def _arn(role: str, account: str) -> str:
    return role if role.startswith("arn:") else f"arn:aws:iam::{account}:role/{role}"


def storage_section(given: Given, zones: list[str], notes: list[str]) -> dict[str, Any]:
    """Buckets that exist, and the file system that the templates make unless they are told not to."""
    storage: dict[str, Any] = {}
    buckets = {}
    if not given.flag("CreateS3BucketStack", default=True) and given.says("S3BucketName"):
        buckets["lifecycle"] = given.text("S3BucketName")
    if given.says("TlsCertificateBucketName"):
        buckets["tls"] = given.text("TlsCertificateBucketName")
    if given.says("AccessLogsBucketName"):
        buckets["access_logs"] = given.text("AccessLogsBucketName")
    if buckets:
        storage["existing_buckets"] = buckets
    if given.flag("CreateFsxStack", default=True) and not given.says("FsxFileSystemId"):
        storage["file_system"] = _file_system(given, zones, notes)
    return storage


def _file_system(given: Given, zones: list[str], notes: list[str]) -> dict[str, Any]:
    system: dict[str, Any] = {}
    for key, (name, default) in _FILE_SYSTEM.items():
        system[key] = number(given.text(name, str(default)))
    if given.text("DataCompressionType", "NONE") == "LZ4":
        system["compression"] = "lz4"
    zone = given.text("FsxAvailabilityZoneId")
    if zone in zones:
        system["zone"] = zone
    elif zone:
        notes.append(
            f"FsxAvailabilityZoneId: {zone} holds no instance group; the file system stands beside the accelerators"
        )
    if "zone" not in system and len(zones) > 1:
        system["zone"] = zones[0]
    return system


def observability_section(given: Given, notes: list[str]) -> dict[str, Any]:
    """What the file says; what it leaves out keeps our defaults, which watch more than the templates' do."""
    watch: dict[str, Any] = {}
    if given.says("EnableObservabilityFeature"):
        watch["enabled"] = given.flag("EnableObservabilityFeature", default=False)
    else:
        notes.append(
            "observability: the template leaves it off, here it is on; observability.enabled: false is its default"
        )
    if given.says("NetworkMetricLevel"):
        watch["network_metrics"] = given.text("NetworkMetricLevel") != "DISABLED"
    if given.says("Logging"):
        watch["logging"] = given.flag("Logging", default=False)
    if given.says("PrometheusWorkspaceId") and not given.flag("CreatePrometheusWorkspace", default=False):
        watch["prometheus_workspace_id"] = given.text("PrometheusWorkspaceId")
    if given.text("CreateGrafanaWorkspace") == "disabled":
        watch["grafana"] = "none"
    elif given.says("GrafanaWorkspaceId") and not given.flag("CreateGrafanaWorkspace", default=False):
        workspace = {"id": given.text("GrafanaWorkspaceId"), "name": given.text("GrafanaWorkspaceName")}
        watch["grafana_workspace"] = workspace
    return watch


def addons_section(given: Given, *, account: str) -> dict[str, Any]:
    """Settings of add-ons by our names for them."""
    addons: dict[str, Any] = {}
    levels = {key: given.text(name) for name, key in _LEVELS.items() if given.says(name)}
    if levels:
        addons["observability"] = {"metrics": levels}
    if given.says("JumpstartGatedModelDownloadRoleArn"):
        role = _arn(given.text("JumpstartGatedModelDownloadRoleArn"), account)
        addons["inference"] = {"gated_models_role_arn": role}
    return addons


def scheduling(given: Given) -> dict[str, Any]:
    """The top-level keys of task governance."""
    if not given.flag("CreateTaskGovernanceClusterPolicyStack", default=False):
        return {}
    classes = given.parsed("PriorityClasses") or []
    if not isinstance(classes, list) or not all(
        isinstance(each, dict) and "Name" in each for each in classes
    ):
        raise NotParameters("PriorityClasses: is no list of objects with Name and Weight")
    policy: dict[str, Any] = {}
    if given.text("FairShare", "Disabled") == "Enabled":
        policy["fair_share"] = True
    if classes:
        policy["priority_classes"] = {str(each["Name"]): number(each.get("Weight")) for each in classes}
    return {"task_governance": True, "scheduling": policy or None}


def dependencies(given: Given) -> dict[str, Any]:
    """The chart that nodes need, where the file says something else than the template's default."""
    section: dict[str, Any] = {}
    if not given.flag("CreateHelmChartStack", default=True):
        section["install"] = False
    chart = {
        key: given.text(name)
        for key, (name, default) in _CHART.items()
        if given.says(name) and given.text(name) != default
    }
    if chart:
        section["chart"] = {"commit": str(tools.value("dependencies_chart_commit").value), **chart}
    if given.says("HelmRelease") and given.text("HelmRelease") not in _DEFAULT_RELEASES:
        section["release"] = given.text("HelmRelease")
    if given.says("Namespace") and given.text("Namespace") != _DEFAULT_NAMESPACE:
        section["namespace"] = given.text("Namespace")
    values = _helm_values(given.text("HelmOperators"))
    if values:
        section["values"] = values
    return section


def _helm_values(text: str) -> dict[str, Any]:
    """What Helm's ``--set`` makes of the text, without what the template turns on by default: ours decide there."""
    values: dict[str, Any] = {}
    for pair in text.split(","):
        path, found, value = pair.strip().partition("=")
        *outer, last = path.split(".")
        if not found or not outer or (value == "true" and outer[0] in _ON_BY_DEFAULT):
            continue
        place = values
        for key in outer:
            place = place.setdefault(key, {})
        place[last] = {"true": True, "false": False}.get(value, value)
    return values


def scripts(given: Given) -> dict[str, Any]:
    """Scripts that are in somebody's bucket already; those that the template downloads are for the user to fetch."""
    copied = given.flag("CreateLifeCycleScriptStack", default=True)
    if copied or given.flag("CreateS3BucketStack", default=True):
        return {}
    folder, _, name = given.text("OnCreatePath", "on_create.sh").rpartition("/")
    bucket = given.text("S3BucketName")
    uri = f"s3://{bucket}/{folder}" if folder else f"s3://{bucket}"
    return {"lifecycle": {"uri": uri, "on_create": name}}
