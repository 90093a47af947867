"""
What it checks
--------------
That --host, where it is set, is the address of all interfaces, and that --uds does not move the server to a socket.

Why it matters
--------------
Probes, metrics and the proxy reach the engine over the network. Bound to the loopback or to one address, the pod is
never ready or its metrics are missing.

When this is fine
-----------------
Never; leaving --host out is fine.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.document import Path
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD509",
    name="host",
    severity=Severity.ERROR,
    title="The engine does not listen on the pod's address",
    fix="write --host 0.0.0.0, or leave --host out",
    sources=("SageMaker developer guide, DPD page, example", "vLLM 0.19.0, engine arguments"),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R96",),
    tags=("arguments", "routing"),
    example=Example(
        before="spec: {worker: {args: {--host: 127.0.0.1}}}",
        after="spec: {worker: {args: {--host: 0.0.0.0}}}",
    ),
)

_ALL = frozenset({"0.0.0.0", "::", "[::]", "*", ""})


def check(endpoint: EndpointView) -> Iterator[Hit]:
    seen: set[Path] = set()
    for role in endpoint.roles:
        host, socket = role.arguments.last("--host"), role.arguments.last("--uds")
        for given, wrong in ((host, ((host and host.value) or "") not in _ALL), (socket, True)):
            if given is not None and wrong and given.path not in seen:
                seen.add(given.path)
                yield Hit(
                    given.value_path,
                    f"{given.flag} is '{given.value}', and the engine is reached on the pod's address",
                    fix="remove --uds" if given is socket else None,
                )
