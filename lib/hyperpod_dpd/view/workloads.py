"""What pods an InferenceEndpointConfig asks for, and on which nodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.iec.quantities import QuantityError, to_count


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """Pods of one role, or of a colocated endpoint; ``pods`` is the most that autoscaling may reach."""

    subject: str
    path: str
    selector: Mapping[str, str]
    pods: int
    gpus: int
    efa_interfaces: int


def object_name(manifest: Mapping[str, Any]) -> str:
    """``Kind namespace/name``, as messages name an object."""
    metadata = manifest.get("metadata") or {}
    return (
        f"{manifest.get('kind')} {metadata.get('namespace', 'default')}/{metadata.get('name', '(unnamed)')}"
    )


def workloads(endpoint: Mapping[str, Any]) -> Iterator[Workload]:
    """One for the prefill and one for the decode role, or one for a colocated endpoint's workers."""
    spec = endpoint.get("spec") or {}
    disaggregation = spec.get("pdSpec")
    if disaggregation is None:
        affinity = spec.get("nodeAffinity") or {}
        worker = spec.get("worker") or {}
        yield _workload(endpoint, "spec.worker", worker, spec.get("replicas", 1), _required(affinity))
        return
    scaling = disaggregation.get("autoScalingSpec", {})
    for key, scale in (("prefillSpec", "prefillAutoScaling"), ("decodingSpec", "decodingAutoScaling")):
        role = disaggregation.get(key)
        if role is None:
            continue
        most = max(role.get("replicas", 1), scaling.get(scale, {}).get("maxReplicaCount", 0))
        yield _workload(endpoint, f"spec.pdSpec.{key}", role, most, role.get("nodeSelector", {}))


def _workload(
    endpoint: Mapping[str, Any], path: str, body: Mapping[str, Any], pods: int, selector: Mapping[str, str]
) -> Workload:
    amounts = body.get("resources", {}).get("limits") or body.get("resources", {}).get("requests") or {}
    return Workload(
        subject=object_name(endpoint),
        path=path,
        selector=selector,
        pods=pods,
        gpus=_count(amounts.get(names.GPU_RESOURCE, 0)),
        efa_interfaces=_count(amounts.get(names.EFA_RESOURCE, 0)),
    )


def _count(amount: Any) -> int:
    """Whole units; none where the amount is malformed, which other checks report."""
    try:
        return to_count(amount)
    except QuantityError:
        return 0


def _required(affinity: Mapping[str, Any]) -> dict[str, str]:
    """Labels that a node affinity requires with exactly one allowed value."""
    required = affinity.get("requiredDuringSchedulingIgnoredDuringExecution") or {}
    terms = required.get("nodeSelectorTerms") or []
    if len(terms) != 1:
        return {}
    return {
        rule["key"]: rule["values"][0]
        for rule in terms[0].get("matchExpressions", [])
        if "key" in rule and rule.get("operator") == "In" and len(rule.get("values", [])) == 1
    }
