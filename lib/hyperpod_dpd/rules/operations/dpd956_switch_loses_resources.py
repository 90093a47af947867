from collections.abc import Mapping
from typing import Any

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.iec.quantities import QuantityError, to_bytes, to_millicores
from hyperpod_dpd.rules.rule import CHANGE, ERROR, WARNING, ChangeView, EndpointView, Match, Matches, rule

_WORKER = ("spec", "worker")
_HARD = (names.GPU_RESOURCE, names.EFA_RESOURCE)


@rule(
    ("DPD956", "switch-loses-resources", ERROR, CHANGE),
    title="Switching the topology loses resources of the pods",
    what="""When an endpoint goes from colocated to disaggregated or back: that CPU, memory, GPUs and EFA
    interfaces of its pods are named in the block that counts from then on, and no less of them.""",
    why="""The two forms read different blocks: worker.resources there, the resources of each role here. What
    was only in the old block is lost without a word: pods without a memory request are the first to be
    evicted, pods without GPUs never start.""",
    fine="When the smaller amount is what was measured to suffice (the warning).",
    fix="repeat cpu, memory, GPUs and EFA interfaces under resources of the block that counts now",
    sources="""SageMaker developer guide, DPD page, resources per role | hyperpod-dpd, practice: switching
    between the two forms""",
    tags=("change", "resources"),
    previous="spec: {pdSpec: null}",
    before="spec: {pdSpec: {prefillSpec: {resources: {limits: {memory: null}, requests: {memory: null}}}}}",
    after="spec: {}",
)
def check(change: ChangeView) -> Matches:
    if not change.switched:
        return
    had = _most(_blocks(change.before))
    for path, resources in _blocks(change.after).items():
        has = _named(resources)
        for resource, amount in had.items():
            if resource not in has:
                if resource == names.EFA_RESOURCE and not change.after.disaggregated:
                    continue  # a colocated endpoint moves no KV pages over the network
                severity = None if resource in _HARD else WARNING
                yield Match(
                    (*path, "resources"),
                    f"{resource}: {amount} was asked for before and nothing is now",
                    severity,
                )
            elif _less(resource, has[resource], amount):
                message = f"{resource}: {amount} was asked for before, {has[resource]} is now"
                yield Match((*path, "resources"), message, WARNING)


def _blocks(endpoint: EndpointView) -> dict[tuple[str | int, ...], Mapping[str, Mapping[str, Any]]]:
    return {role.path: role.resources for role in endpoint.roles}


def _named(resources: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    return {**resources.get("requests", {}), **resources.get("limits", {})}


def _most(blocks: Mapping[tuple[str | int, ...], Mapping[str, Mapping[str, Any]]]) -> dict[str, Any]:
    """The largest amount of each resource that a pod of any block asked for."""
    most: dict[str, Any] = {}
    for resources in blocks.values():
        for resource, amount in _named(resources).items():
            if resource not in most or _less(resource, most[resource], amount):
                most[resource] = amount
    return most


def _less(resource: str, one: Any, other: Any) -> bool:
    read = to_millicores if resource == "cpu" else to_bytes
    try:
        return read(one) < read(other)
    except QuantityError:
        return False
