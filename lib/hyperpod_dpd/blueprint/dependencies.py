"""The Helm release of what HyperPod needs before nodes join: values for inference, and for the types that it has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hyperpod_dpd.blueprint.addon_values import laid_over
from hyperpod_dpd.blueprint.apps import ReleasePlan
from hyperpod_dpd.blueprint.registry import private_copy
from hyperpod_dpd.catalog import instance_types, tools, worker_images

if TYPE_CHECKING:
    from hyperpod_dpd.config import LoadedEnvironment

DEVICE_PLUGIN = "nvidia_device_plugin"
_OFF = (
    "cert-manager",  # an EKS add-on
    "inferenceOperators",  # an EKS add-on, or a release of its own
    "trainingOperators",
    "mpi-operator",
    "kuberay",
    "mlflow",
    "storage",
    "cluster-role-and-bindings",
    "namespaced-role-and-bindings",
    "team-role-and-bindings",
)
_ON = ("deep-health-check", "job-auto-restart", "hyperpod-patching")
_INSTANCE_TYPE = "node.kubernetes.io/instance-type"


def plan_dependencies(loaded: LoadedEnvironment) -> ReleasePlan | None:
    """None where somebody else has installed them."""
    given = loaded.environment.cluster.dependencies
    if not given.install:
        return None
    chart = given.chart
    return ReleasePlan(
        release=given.release,
        namespace=given.namespace,
        repository=(chart and chart.repository) or str(tools.value("operator_chart_repository").value),
        commit=chart.commit if chart else str(tools.value("dependencies_chart_commit").value),
        path=(chart and chart.path) or str(tools.value("dependencies_chart_path").value),
        values=laid_over(_values(loaded), given.values),
    )


def _values(loaded: LoadedEnvironment) -> dict[str, Any]:
    """The chart's own lists of instance types lag behind, so the environment's types take their place."""
    types = [t for group in loaded.environment.cluster.instance_groups.values() for t in _types(group)]
    known = {name: instance_types.get(name) for name in sorted(set(types))}
    gpu = [name for name, facts in known.items() if facts is None or facts.gpus]
    efa = [name for name, facts in known.items() if facts is None or facts.efa_interfaces]
    nvidia: dict[str, Any] = {"devicePlugin": {"enabled": bool(gpu)}}
    fabric: dict[str, Any] = {"devicePlugin": {"enabled": bool(efa)}}
    if gpu:
        terms = [{"matchExpressions": [{"key": _INSTANCE_TYPE, "operator": "In", "values": gpu}]}]
        required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
        nvidia["affinity"] = {"nodeAffinity": required}
    if efa:
        fabric["supportedInstanceLabels"] = {"values": efa}
    copy = private_copy(loaded, tools.image(DEVICE_PLUGIN).reference)
    if gpu and copy is not None:
        image = worker_images.parse_reference(copy)
        nvidia["image"] = {"repository": f"{image.registry}/{image.repository}", "tag": image.tag}
    region = loaded.environment.region
    return {
        "global": {"region": region},
        "health-monitoring-agent": {"enabled": True, "region": region},
        "nvidia-device-plugin": nvidia,
        "aws-efa-k8s-device-plugin": fabric,
        "neuron-device-plugin": {"devicePlugin": {"enabled": False}},
        **{name: {"enabled": True} for name in _ON},
        **{name: {"enabled": False} for name in _OFF},
    }


def _types(group: Any) -> list[str]:
    return [group.instance_type, *group.alternatives]
