"""The log exporter: its text for a ConfigMap, and what it is told to follow. It is run as a file, never imported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.blueprint import names

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.model import Blueprint

FILE = Path(__file__).parent / "dpd_log_exporter.py"
_COUNTS = Path(__file__).parent / "dpd_log_counts.py"
PORT = 9400


def texts() -> dict[str, str]:
    """The program as it goes into the ConfigMap, file by file."""
    return {path.name: path.read_text(encoding="utf-8") for path in (FILE, _COUNTS)}


def targets(blueprint: Blueprint) -> list[dict[str, Any]]:
    """Deployments whose logs are followed: both roles and the router of each disaggregated endpoint."""
    found = []
    for plan in blueprint.endpoints:
        if plan.topology != "disaggregated":
            continue
        for deployment in (names.prefill_deployment(plan.name), names.decode_deployment(plan.name)):
            found.append(_target(plan.namespace, deployment, deployment, plan.routing_threshold_tokens))
        router = names.router_deployment(plan.name, plan.namespace)
        found.append(
            _target(names.OPERATOR_NAMESPACE, router, names.ROUTER_CONTAINER, plan.routing_threshold_tokens)
        )
    return found


def targets_text(blueprint: Blueprint) -> str:
    """The same as the one line of JSON that the exporter reads."""
    return json.dumps(targets(blueprint), sort_keys=True)


def _target(namespace: str, deployment: str, container: str, threshold_tokens: int) -> dict[str, Any]:
    return {
        "namespace": namespace,
        "deployment": deployment,
        "container": container,
        "threshold_tokens": threshold_tokens,
    }
