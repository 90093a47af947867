"""Keep worker images on the accelerated nodes, so that a restart does not wait for ten gigabytes."""

from __future__ import annotations

from hashlib import sha256

from constructs import Construct

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.apps import PrePullPlan
from hyperpod_dpd.blueprint.model import Blueprint
from k8s.api import core
from k8s.api.manifest import add
from k8s.api.pods import container_security, pod_security
from k8s.charts.app_charts import AppCharts

_WAIT = "trap 'exit 0' TERM; while :; do sleep 3600 & wait $!; done"


def add_images(charts: AppCharts, blueprint: Blueprint) -> None:
    """One DaemonSet for each image, on the instance groups whose roles run it."""
    if not blueprint.apps.pre_pull:
        return
    chart = charts.chart("images")
    core.namespace(
        chart,
        name=names.PRE_PULL_NAMESPACE,
        labels={"pod-security.kubernetes.io/enforce": "restricted"},
    )
    for plan in blueprint.apps.pre_pull:
        _pre_pull(chart, plan)


def _pre_pull(chart: Construct, plan: PrePullPlan) -> None:
    name = f"pre-pull-{sha256(plan.image.encode()).hexdigest()[:8]}"
    labels = {names.PURPOSE_LABEL: "pre-pull", "app.kubernetes.io/name": name}
    groups = {"key": names.INSTANCE_GROUP_LABEL, "operator": "In", "values": list(plan.groups)}
    placement = {"nodeSelectorTerms": [{"matchExpressions": [groups]}]}
    add(
        chart,
        {
            "apiVersion": "apps/v1",
            "kind": "DaemonSet",
            "metadata": {"name": name, "namespace": names.PRE_PULL_NAMESPACE, "labels": labels},
            "spec": {
                "selector": {"matchLabels": {"app.kubernetes.io/name": name}},
                "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": "100%"}},
                "template": {
                    "metadata": {"labels": labels},
                    "spec": {
                        "automountServiceAccountToken": False,
                        "enableServiceLinks": False,
                        "priorityClassName": names.BACKGROUND_PRIORITY_CLASS,
                        "terminationGracePeriodSeconds": 1,
                        "affinity": {
                            "nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": placement}
                        },
                        "securityContext": pod_security(),
                        "containers": [
                            {
                                "name": "hold",
                                "image": plan.image,
                                "imagePullPolicy": "IfNotPresent",
                                "command": ["/bin/sh", "-c", _WAIT],
                                "resources": {
                                    "requests": {"cpu": "10m", "memory": "16Mi"},
                                    "limits": {"memory": "64Mi"},
                                },
                                "securityContext": container_security(),
                            }
                        ],
                    },
                },
            },
        },
    )
