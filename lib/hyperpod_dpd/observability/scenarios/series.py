"""Names of series as an exporter of this endpoint would print them, for recorded scenarios."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint import names

if TYPE_CHECKING:
    from hyperpod_dpd.observability.signals import Signals


def series(name: str, **labels: str) -> str:
    """``name{a="b",...}`` in the order given."""
    inside = ",".join(f'{key}="{value}"' for key, value in labels.items())
    return f"{name}{{{inside}}}" if inside else name


def of_decode(s: Signals, name: str, *, pod: int = 0, **labels: str) -> str:
    """A series of one decoder pod."""
    return _of(s, name, s.decode_deployment, pod, labels)


def of_prefill(s: Signals, name: str, *, pod: int = 0, **labels: str) -> str:
    """A series of one prefiller pod."""
    return _of(s, name, s.prefill_deployment, pod, labels)


def _of(s: Signals, name: str, deployment: str, pod: int, labels: dict[str, str]) -> str:
    given = {
        "namespace": s.namespace,
        "resource_name": deployment,
        "pod_name": pod_name(deployment, pod),
        "node_name": node_name(deployment, pod % 10),
    }
    return series(name, **given, **labels)


def of_router(s: Signals, name: str, **labels: str) -> str:
    """A series of the router."""
    return series(name, namespace=names.OPERATOR_NAMESPACE, resource_name=s.router_deployment, **labels)


def of_workload(s: Signals, name: str, **labels: str) -> str:
    """A series of kube-state-metrics about an object in the endpoint's namespace."""
    return series(name, namespace=s.namespace, **labels)


def pod_name(deployment: str, pod: int = 0) -> str:
    """Name of a pod of a Deployment, for series that carry it."""
    return f"{deployment}-{pod}"


def node_name(deployment: str, place: int = 0) -> str:
    """Name of the node that a pod of a Deployment stands on."""
    return f"node-{deployment}-{place}"
