"""
What it checks
--------------
That no probe of the worker runs a command that asks for a completion.

Why it matters
--------------
Probes run in prefill pods too, past the router. A completion that did not come through it carries no
receiver, on which LMCache 0.4.3's sender fails.

When this is fine
-----------------
Never on a disaggregated endpoint.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD937",
    name="probe-sends-completions",
    severity=Severity.ERROR,
    title="A probe asks the engine for a completion",
    fix="probe /health instead",
    sources=("LMCache 0.4.3, PD backend, sender",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R194",),
    tags=(
        "operations",
        "kv-transfer",
    ),
    example=Example(
        before="""
spec:
  worker:
    probes:
      startupProbe: {exec: {command: [curl, -sf, "http://localhost:8000/health"]}, failureThreshold: 120}
      livenessProbe: {exec: {command: [curl, -sf, "http://localhost:8000/v1/completions"]}}
""",
        after="""
spec:
  worker:
    probes:
      startupProbe: {exec: {command: [curl, -sf, "http://localhost:8000/health"]}, failureThreshold: 120}
      livenessProbe: {exec: {command: [curl, -sf, "http://localhost:8000/health"]}}
""",
    ),
)

_ASKS = ("/completions", "/invocations")


def check(endpoint: EndpointView) -> Iterator[Hit]:
    probes = endpoint.get("worker", "probes")
    if not isinstance(probes, dict):
        return
    for name in probes:
        command = endpoint.get("worker", "probes", name, "exec", "command")
        for index, word in enumerate(command if isinstance(command, list) else []):
            if isinstance(word, str) and any(path in word for path in _ASKS):
                yield Hit(
                    ("spec", "worker", "probes", name, "exec", "command", index),
                    f"{name} sends a completion to the engine of every pod, prefill pods included",
                )
