"""genai-bench against one endpoint's router, held ready and started by hand."""

from __future__ import annotations

from typing import Any

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.apps import BenchmarkPlan
from hyperpod_dpd.blueprint.model import Blueprint
from k8s.api import core
from k8s.api.manifest import add
from k8s.api.pods import container_security, pod_security, variables
from k8s.charts.app_charts import AppCharts
from k8s.charts.weights import system_nodes

_NEVER = "0 0 31 2 *"
_WEEK_SECONDS = 604_800
_SPARE_MINUTES = 30


def add_benchmark(charts: AppCharts, blueprint: Blueprint, plan: BenchmarkPlan) -> None:
    """A suspended CronJob, which a GitOps controller leaves at rest: `kubectl create job --from=cronjob/NAME`."""
    chart = charts.chart(names.benchmark_app(plan.endpoint))
    core.service_account(chart, name=plan.service_account, namespace=plan.namespace)
    labels = {names.PURPOSE_LABEL: "benchmark"}
    nodes = system_nodes(blueprint)
    pod: dict[str, Any] = {
        "restartPolicy": "Never",
        "serviceAccountName": plan.service_account,
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        "priorityClassName": names.BACKGROUND_PRIORITY_CLASS,
        **({"nodeSelector": nodes} if nodes else {}),
        "securityContext": pod_security(),
        "containers": [_container(plan, blueprint.region)],
        "volumes": [{"name": "results", "emptyDir": {"sizeLimit": "10Gi"}}],
    }
    runs = len(plan.scenarios) * len(plan.concurrency)
    job = {
        "backoffLimit": 0,
        "activeDeadlineSeconds": 60 * (runs * plan.max_minutes_per_run + _SPARE_MINUTES),
        "ttlSecondsAfterFinished": _WEEK_SECONDS,
        "template": {"metadata": {"labels": labels}, "spec": pod},
    }
    add(
        chart,
        {
            "apiVersion": "batch/v1",
            "kind": "CronJob",
            "metadata": {"name": f"bench-{plan.endpoint}", "namespace": plan.namespace, "labels": labels},
            "spec": {
                "schedule": _NEVER,
                "suspend": True,
                "concurrencyPolicy": "Forbid",
                "jobTemplate": {"metadata": {"labels": labels}, "spec": job},
            },
        },
    )


def _container(plan: BenchmarkPlan, region: str) -> dict[str, Any]:
    command = ["genai-bench", "benchmark", "--api-backend=vllm", "--api-key=unused"]
    command += [
        f"--api-base={plan.api_base}",
        f"--api-model-name={plan.model}",
        f"--model-tokenizer={plan.tokenizer}",
        "--task=text-to-text",
        *(f"--traffic-scenario={scenario}" for scenario in plan.scenarios),
        *(f"--num-concurrency={concurrency}" for concurrency in plan.concurrency),
        f"--max-time-per-run={plan.max_minutes_per_run}",
        f"--max-requests-per-run={plan.max_requests_per_run}",
        "--server-engine=vLLM",
        *([f"--server-gpu-type={plan.gpu_type}"] if plan.gpu_type else []),
        f"--server-gpu-count={plan.gpu_count}",
        "--experiment-base-dir=/results",
        "--log-dir=/results",
        "--upload-results",
        "--storage-provider=aws",
        f"--storage-bucket={plan.bucket}",
        f"--storage-prefix={plan.prefix}",
        f"--storage-aws-region={region}",
    ]
    return {
        "name": "genai-bench",
        "image": plan.image,
        "command": command,
        "workingDir": "/results",
        "env": variables(
            {"HOME": "/results", "HF_HOME": "/results/hf"}, {"HF_TOKEN": plan.token} if plan.token else {}
        ),
        "resources": {"requests": {"cpu": "4", "memory": "8Gi"}, "limits": {"memory": "16Gi"}},
        "securityContext": container_security(),
        "volumeMounts": [{"name": "results", "mountPath": "/results"}],
    }
