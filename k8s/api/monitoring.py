"""Custom resources of the Prometheus operator and of the observability add-on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_API = "monitoring.coreos.com/v1"


def prometheus_rule(*, name: str, namespace: str, spec: Mapping[str, Any]) -> dict[str, Any]:
    """Rules for clusters that run the Prometheus operator; the spec is that of a rule file."""
    return {
        "apiVersion": _API,
        "kind": "PrometheusRule",
        "metadata": {"name": name, "namespace": namespace},
        "spec": dict(spec),
    }


def pod_monitor(
    *,
    name: str,
    namespace: str,
    pods_in: str,
    labels: Mapping[str, str],
    pods: str,
    container: str,
    port: int | None,
    path: str,
    interval_seconds: int,
    target_labels: Mapping[str, str],
) -> dict[str, Any]:
    """Scrapes the pods whose labels match and whose name matches the regular expression ``pods``.

    Discovery makes a target of each declared port of each container, and the Prometheus operator labels them with
    the container: without ``container`` every series would be there as often as the pod has ports.

    ``port`` is a number; None takes the ports that ``container`` declares. All of them then count as one instance of
    the pod: two that show the same series write it once, and one that shows none is only down. An empty ``labels``
    selects every pod of the namespace, so that the name alone decides.

    The labels that the managed collector would add come from relabelling, so that one set of rules serves both.
    """
    relabelings: list[dict[str, Any]] = [
        {"sourceLabels": ["__meta_kubernetes_pod_name"], "regex": pods, "action": "keep"},
        {"sourceLabels": ["__meta_kubernetes_pod_container_name"], "regex": container, "action": "keep"},
        {"sourceLabels": ["__meta_kubernetes_pod_name"], "targetLabel": "pod_name"},
        {"sourceLabels": ["__meta_kubernetes_pod_node_name"], "targetLabel": "node_name"},
        {"sourceLabels": ["__meta_kubernetes_namespace"], "targetLabel": "namespace"},
    ]
    if port is not None:
        # One address for all ports of the container: targets that are equal in everything are one.
        relabelings.append(
            {
                "sourceLabels": ["__meta_kubernetes_pod_ip"],
                "targetLabel": "__address__",
                "replacement": f"$1:{port}",
            }
        )
    else:
        relabelings.append({"sourceLabels": ["__meta_kubernetes_pod_name"], "targetLabel": "instance"})
    relabelings += [
        {"targetLabel": label, "replacement": value} for label, value in sorted(target_labels.items())
    ]
    return {
        "apiVersion": _API,
        "kind": "PodMonitor",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {
            "namespaceSelector": {"matchNames": [pods_in]},
            "selector": {"matchLabels": dict(labels)},
            "podMetricsEndpoints": [
                {"path": path, "interval": f"{interval_seconds}s", "relabelings": relabelings}
            ],
        },
    }


def service_monitor(
    *, name: str, namespace: str, labels: Mapping[str, str], port: str, interval_seconds: int
) -> dict[str, Any]:
    """Scrapes a Service; labels that the target sets itself are kept."""
    return {
        "apiVersion": _API,
        "kind": "ServiceMonitor",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {
            "selector": {"matchLabels": dict(labels)},
            "endpoints": [{"port": port, "interval": f"{interval_seconds}s", "honorLabels": True}],
        },
    }


def observability_config(
    *, api_version: str, name: str, namespace: str, targets: Sequence[str], interval_seconds: int
) -> dict[str, Any]:
    """Scrape targets of the add-on's collector. A merge patch by anybody else replaces the whole list."""
    return {
        "apiVersion": api_version,
        "kind": "ObservabilityConfig",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {
            "customServiceScrapeTargets": [
                {"target": target, "metricsPath": "/metrics", "scrapeInterval": interval_seconds}
                for target in targets
            ]
        },
    }
