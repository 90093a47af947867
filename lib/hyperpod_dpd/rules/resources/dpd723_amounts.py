import math
from collections.abc import Mapping
from decimal import Decimal
from functools import cache

from hyperpod_dpd.iec.quantities import QuantityError, parse_quantity
from hyperpod_dpd.rules.rule import ENDPOINT, ERROR, WARNING, EndpointView, Match, Matches, Path, rule

_MEBIBYTE = 1024 * 1024


@rule(
    ("DPD723", "amounts", ERROR, ENDPOINT),
    title="An amount of a resource that no pod can ask for",
    what="""CPU, memory, storage and huge pages of each role and of the worker: not negative and no
    request above its limit (errors); not zero, and memory not in thousandths of a byte or below one MiB
    (warnings).""",
    why="""The custom resource takes any quantity. The API server refuses the pods that the operator makes of
    such amounts; zero, or bytes where GiB were meant, is taken, and the pods are the first to be evicted.""",
    fine='For a zero that is meant as "unset" (the warning).',
    fix="give a positive amount, and a limit that is not below the request",
    sources="Kubernetes documentation, resource management for pods and containers",
    tags=("resources",),
    before='spec: {pdSpec: {decodingSpec: {resources: {requests: {cpu: "-4"}}}}}',
    after='spec: {pdSpec: {decodingSpec: {resources: {requests: {cpu: "96"}}}}}',
)
def check(endpoint: EndpointView) -> Matches:
    blocks = {role.path: role.resources for role in endpoint.roles}
    worker = endpoint.get("worker", "resources")
    if isinstance(worker, Mapping):
        blocks[("spec", "worker")] = {k: v for k, v in worker.items() if isinstance(v, Mapping)}
    for place, block in blocks.items():
        path: Path = (*place, "resources")
        for kind in ("requests", "limits"):
            for name, value in block.get(kind, {}).items():
                amount = _amount(value)
                if amount is not None and _is_plain(name):
                    yield from _single(name, value, amount, (*path, kind, name))
        for name, value in block.get("requests", {}).items():
            most = block.get("limits", {}).get(name)
            asked, limit = _amount(value), _amount(most)
            if asked is not None and limit is not None and _is_plain(name) and asked > limit:
                message = f"{name}: the request of {value} is above the limit of {most}"
                yield Match((*path, "requests", name), message)


def _single(name: str, value: object, amount: Decimal, path: Path) -> Matches:
    if amount < 0:
        yield Match(path, f"{name} is {value}; an amount is not negative")
    elif amount == 0:
        yield Match(path, f"{name} is {value}, which asks for nothing", WARNING)
    elif name == "memory" and amount < _MEBIBYTE:
        message = f"memory is {value}, which is {math.ceil(amount)} bytes; was a unit such as Gi meant?"
        yield Match(path, message, WARNING)


def _amount(value: object) -> Decimal | None:
    """None where the schema finds the fault."""
    return _read(value) if isinstance(value, str | int) and not isinstance(value, bool) else None


@cache
def _read(value: str | int) -> Decimal | None:
    """The same few amounts stand in most manifests, each of them eight times."""
    try:
        return parse_quantity(value)
    except QuantityError:
        return None


def _is_plain(name: str) -> bool:
    """Devices are counted by rules of their own."""
    return "/" not in name
