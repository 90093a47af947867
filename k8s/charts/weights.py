"""Copy weights into the model bucket once, from a system node, under an identity that reaches one prefix."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.apps import StagingPlan
from hyperpod_dpd.blueprint.model import Blueprint
from k8s.api import core
from k8s.api.manifest import add
from k8s.api.pods import container_security, pod_security, variables
from k8s.charts.app_charts import AppCharts

_SCRIPT = Path(__file__).resolve().parent.parent / "scripts" / "stage_weights.py"
_DAY_SECONDS = 86_400
_HEADROOM_GIB = 2
"""Beside the files in flight: the libraries, and what the client keeps of its own."""


@cache
def script() -> str:
    """The program that the Job runs, as text."""
    return _SCRIPT.read_text(encoding="utf-8")


def add_weights(charts: AppCharts, blueprint: Blueprint) -> None:
    """A Job for each copy. A Job cannot be changed, so its name says what it copies: another commit, another Job."""
    if not blueprint.apps.staging:
        return
    chart = charts.chart("weights")
    for namespace in sorted({plan.namespace for plan in blueprint.apps.staging}):
        core.config_map(chart, name=_program(), namespace=namespace, data={_SCRIPT.name: script()})
    for plan in blueprint.apps.staging:
        core.service_account(chart, name=plan.service_account, namespace=plan.namespace)
        add(chart, _job(plan, system_nodes(blueprint)))


def system_nodes(blueprint: Blueprint) -> dict[str, str]:
    """Selector of nodes without endpoints; empty where every group serves one."""
    system = any(group.role == "system" for group in blueprint.cluster.groups)
    return {names.ROLE_LABEL: "system"} if system else {}


def _program() -> str:
    return f"stage-weights-{sha256(script().encode()).hexdigest()[:8]}"


def _job(plan: StagingPlan, nodes: dict[str, str]) -> dict[str, Any]:
    pod: dict[str, Any] = {
        "restartPolicy": "Never",
        "serviceAccountName": plan.service_account,
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        "priorityClassName": names.BACKGROUND_PRIORITY_CLASS,
        **({"nodeSelector": nodes} if nodes else {}),
        "securityContext": pod_security(),
        "containers": [_container(plan)],
        "volumes": [
            {"name": "program", "configMap": {"name": _program()}},
            {"name": "disk", "emptyDir": {"sizeLimit": f"{plan.disk_gib + _HEADROOM_GIB}Gi"}},
        ],
    }
    labels = {names.PURPOSE_LABEL: "staging"}
    spec = {
        "backoffLimit": plan.max_retries,
        "activeDeadlineSeconds": plan.deadline_seconds,
        "ttlSecondsAfterFinished": 7 * _DAY_SECONDS,
        "template": {"metadata": {"labels": labels}, "spec": pod},
    }
    digest = sha256(json.dumps(spec, sort_keys=True).encode()).hexdigest()[:8]
    metadata = {"name": f"stage-{plan.endpoint}-{digest}", "namespace": plan.namespace, "labels": labels}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": spec}


def _container(plan: StagingPlan) -> dict[str, Any]:
    disk = f"{plan.disk_gib + _HEADROOM_GIB}Gi"
    arguments = [
        f"--repository={plan.model_id}",
        f"--commit={plan.commit}",
        f"--bucket={plan.bucket}",
        f"--prefix={plan.prefix}",
        f"--disk-gib={plan.disk_gib}",
        f"--parallel={plan.parallel_files}",
        *(f"--include={pattern}" for pattern in plan.include),
        *(f"--package={package}" for package in plan.packages),
    ]
    return {
        "name": "stage",
        "image": plan.image,
        "command": ["python", f"/program/{_SCRIPT.name}", *arguments],
        "env": variables({"HOME": "/disk"}, {"HF_TOKEN": plan.token} if plan.token else {}),
        "resources": {
            "requests": {"cpu": "2", "memory": "4Gi", "ephemeral-storage": disk},
            "limits": {"memory": "8Gi", "ephemeral-storage": disk},
        },
        "securityContext": container_security(),
        "volumeMounts": [
            {"name": "program", "mountPath": "/program", "readOnly": True},
            {"name": "disk", "mountPath": "/disk"},
        ],
    }
