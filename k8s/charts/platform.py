"""What endpoints stand on in the cluster: namespaces, who may do what there, and what may be used and reached.

The only quota counts GPUs, planned replicas and their surge: one of exactly the replicas would block a rolling
update, and one of CPU or memory refuses the operator's sidecars, which state neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from constructs import Construct

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.apps import ClaimPlan, NamespacePlan
from hyperpod_dpd.blueprint.model import Blueprint
from hyperpod_dpd.config.platform import Platform
from hyperpod_dpd.iec.endpoint import API_VERSION
from k8s.api import core
from k8s.api.external_secrets import external_secret, secret_store
from k8s.api.manifest import add
from k8s.charts.app_charts import AppCharts

_FSX_DRIVER = "fsx.csi.aws.com"
_BACKGROUND_PRIORITY = -10
"""Below the 0 of every pod without a class: the operator's pods have no field for one."""


def add_platform(charts: AppCharts, blueprint: Blueprint) -> None:
    """Namespaces of the endpoints and all that stands in them before any endpoint does.

    A namespace that exists without us is not rendered: pruning the app would delete it.
    """
    plan = blueprint.apps
    if not plan.namespaces:
        return
    chart = charts.chart("platform")
    _priority_class(chart)
    for namespace in plan.namespaces:
        _namespace(chart, namespace, plan.platform)
    if plan.claims:
        _storage_class(chart)
    for claim in plan.claims:
        _claim(chart, claim)
    for name in sorted({secret.namespace for secret in plan.secrets.values()}):
        secret_store(chart, name=names.SECRET_STORE, namespace=name, region=blueprint.region)
    for name, secret in plan.secrets.items():
        external_secret(
            chart,
            name=name,
            namespace=secret.namespace,
            store=names.SECRET_STORE,
            refresh=secret.refresh,
            keys={key: (remote.name, remote.property) for key, remote in secret.keys.items()},
        )


def _namespace(chart: Construct, namespace: NamespacePlan, platform: Platform) -> None:
    if namespace.owned:
        core.namespace(chart, name=namespace.name)
    core.service_account(chart, name=names.CLIENT_SERVICE_ACCOUNT, namespace=namespace.name)
    if namespace.name != names.OPERATOR_NAMESPACE:  # there the app 'operator' says who may look
        core.role_for_group(
            chart,
            name="dpd-reader",
            namespace=namespace.name,
            group=platform.readers_group,
            rules=_reader_rules(),
        )
    core.role_for_group(
        chart,
        name="dpd-deployer",
        namespace=namespace.name,
        group=platform.deployers_group,
        rules=_deployer_rules(),
    )
    if namespace.gpus is not None:
        _gpu_quota(chart, namespace.name, namespace.gpus)
    if not namespace.disaggregated:
        return
    if platform.network_policies:
        _worker_policy(chart, namespace.name, platform.worker_clients)
    budgets = platform.disruption_budgets
    if budgets is None:
        return
    for role, most in (
        ("decode", budgets.decode_max_unavailable),
        ("prefill", budgets.prefill_max_unavailable),
    ):
        core.disruption_budget(
            chart,
            name=f"dpd-{role}",
            namespace=namespace.name,
            pod_labels={names.POD_ROLE_LABEL: role},
            max_unavailable=most,
        )


def _reader_rules() -> list[dict[str, Any]]:
    """To look, and to read logs; no Secret."""
    look = ["get", "list", "watch"]
    return [
        {
            "apiGroups": [""],
            "resources": ["pods", "pods/log", "services", "events", "configmaps"],
            "verbs": look,
        },
        {"apiGroups": ["apps"], "resources": ["deployments", "replicasets", "daemonsets"], "verbs": look},
        {"apiGroups": ["batch"], "resources": ["jobs", "cronjobs"], "verbs": look},
        {"apiGroups": ["networking.k8s.io"], "resources": ["ingresses"], "verbs": look},
        {"apiGroups": ["keda.sh"], "resources": ["scaledobjects"], "verbs": look},
        {"apiGroups": [API_VERSION.partition("/")[0]], "resources": ["*"], "verbs": look},
    ]


def _deployer_rules() -> list[dict[str, Any]]:
    """To change endpoints and to run Jobs such as a benchmark."""
    change = ["create", "update", "patch", "delete"]
    return [
        {
            "apiGroups": [API_VERSION.partition("/")[0]],
            "resources": ["inferenceendpointconfigs"],
            "verbs": change,
        },
        {"apiGroups": ["batch"], "resources": ["jobs"], "verbs": change},
    ]


def _gpu_quota(chart: Construct, namespace: str, gpus: int) -> None:
    add(
        chart,
        {
            "apiVersion": "v1",
            "kind": "ResourceQuota",
            "metadata": {"name": "dpd-gpus", "namespace": namespace},
            "spec": {"hard": {f"requests.{names.GPU_RESOURCE}": str(gpus)}},
        },
    )


def _worker_policy(chart: Construct, namespace: str, clients: Sequence[str]) -> None:
    """Workers hear each other, the router and the collectors. A prefiller that a client reaches directly fails:
    its connector expects the transfer's address, which only the router adds.
    """
    in_namespace = "kubernetes.io/metadata.name"
    worker = {"matchExpressions": [{"key": names.POD_ROLE_LABEL, "operator": "Exists"}]}
    sources: list[dict[str, Any]] = [{"podSelector": worker}]
    for source in dict.fromkeys((names.OPERATOR_NAMESPACE, names.OBSERVABILITY_NAMESPACE, *clients)):
        sources.append({"namespaceSelector": {"matchLabels": {in_namespace: source}}})
    add(
        chart,
        {
            "apiVersion": "networking.k8s.io/v1",
            "kind": "NetworkPolicy",
            "metadata": {"name": "dpd-workers", "namespace": namespace},
            "spec": {"podSelector": worker, "policyTypes": ["Ingress"], "ingress": [{"from": sources}]},
        },
    )


def _priority_class(chart: Construct) -> None:
    add(
        chart,
        {
            "apiVersion": "scheduling.k8s.io/v1",
            "kind": "PriorityClass",
            "metadata": {"name": names.BACKGROUND_PRIORITY_CLASS},
            "value": _BACKGROUND_PRIORITY,
            "globalDefault": False,
            "preemptionPolicy": "Never",
            "description": "Image pulls, staging and benchmarks: they give way to decoders and prefillers.",
        },
    )


def _storage_class(chart: Construct) -> None:
    add(
        chart,
        {
            "apiVersion": "storage.k8s.io/v1",
            "kind": "StorageClass",
            "metadata": {"name": names.STATIC_STORAGE_CLASS},
            "provisioner": "kubernetes.io/no-provisioner",
            "reclaimPolicy": "Retain",
            "volumeBindingMode": "WaitForFirstConsumer",
        },
    )


def _claim(chart: Construct, claim: ClaimPlan) -> None:
    if claim.host_path:
        access_mode = "ReadOnlyMany"
        source: dict[str, Any] = {"hostPath": {"path": claim.host_path, "type": "Directory"}}
    else:
        access_mode = "ReadWriteMany"
        source = {
            "mountOptions": ["flock"],
            "csi": {
                "driver": _FSX_DRIVER,
                "volumeHandle": claim.file_system_id,
                "volumeAttributes": {"dnsname": claim.dns_name, "mountname": claim.mount_name},
            },
        }
    core.static_claim(
        chart,
        name=claim.name,
        namespace=claim.namespace,
        volume=names.static_volume(claim.namespace, claim.name),
        storage_class=names.STATIC_STORAGE_CLASS,
        size_gib=claim.size_gib,
        access_mode=access_mode,
        source=source,
    )
