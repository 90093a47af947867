"""
What it checks
--------------
CPU, memory, storage and huge pages of each role and of the worker: not negative and no request above its limit
(errors); not zero, and memory not in thousandths of a byte or below one MiB (warnings).

Why it matters
--------------
The custom resource takes any quantity. The API server refuses the pods that the operator makes of such amounts;
zero, or bytes where GiB were meant, is taken, and the pods are the first to be evicted.

When this is fine
-----------------
For a zero that is meant as "unset" (the warning).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING

from hyperpod_dpd.document import Path
from hyperpod_dpd.iec.quantities import QuantityError, parse_quantity
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD723",
    name="amounts",
    severity=Severity.ERROR,
    title="An amount of a resource that no pod can ask for",
    fix="give a positive amount, and a limit that is not below the request",
    sources=("Kubernetes documentation, resource management for pods and containers",),
    applies_to=AppliesTo.ENDPOINT,
    tags=("resources",),
    example=Example(
        before="""
spec: {pdSpec: {decodingSpec: {resources: {requests: {cpu: "-4"}}}}}
""",
        after="""
spec: {pdSpec: {decodingSpec: {resources: {requests: {cpu: "96"}}}}}
""",
    ),
)

_MEBIBYTE = 1024 * 1024


def check(endpoint: EndpointView) -> Iterator[Hit]:
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
                yield Hit((*path, "requests", name), message)


def _single(name: str, value: object, amount: Decimal, path: Path) -> Iterator[Hit]:
    if amount < 0:
        yield Hit(path, f"{name} is {value}; an amount is not negative")
    elif amount == 0:
        yield Hit(path, f"{name} is {value}, which asks for nothing", Severity.WARNING)
    elif name == "memory" and amount < _MEBIBYTE:
        message = f"memory is {value}, which is {math.ceil(amount)} bytes; was a unit such as Gi meant?"
        yield Hit(path, message, Severity.WARNING)


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
