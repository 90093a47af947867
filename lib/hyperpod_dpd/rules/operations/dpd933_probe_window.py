"""
What it checks
--------------
That the startup probe, or without one the liveness probe, waits as long as a cold load may take.

Why it matters
--------------
The kubelet restarts a container whose startup or liveness probe keeps failing. A pod that needs ten minutes
to load and gets five never becomes Ready, and each restart begins the load anew.

When this is fine
-----------------
Where weights are on the node and loading is known to be quick.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import engine_defaults, kubernetes
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD933",
    name="probe-window",
    severity=Severity.WARNING,
    title="A probe ends the pod before the model is loaded",
    fix="give the startup probe failureThreshold times periodSeconds of 900 s or more",
    sources=(
        "SageMaker developer guide, DPD troubleshooting page, slow loads",
        "Kubernetes documentation, probes",
    ),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("N-probes",),
    tags=("operations",),
    example=Example(
        before="""
spec:
  worker:
    probes:
      startupProbe:
        httpGet: {path: /health, port: 8000}
        failureThreshold: 30
        periodSeconds: 10
""",
        after="""
spec:
  worker:
    probes:
      startupProbe:
        httpGet: {path: /health, port: 8000}
        failureThreshold: 120
        periodSeconds: 10
""",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    probes = endpoint.get("worker", "probes")
    if not isinstance(probes, dict):
        return
    name = next((n for n in ("startupProbe", "livenessProbe") if isinstance(probes.get(n), dict)), None)
    if name is None:
        return
    window = _window_seconds(probes[name])
    least = engine_defaults.documented().shortest_deploy_seconds
    if window < least:
        yield Hit(
            ("spec", "worker", "probes", name),
            f"{name} gives up after {window:,} s; a cold load with the image pull may take {least:,} s",
            fix=f"raise failureThreshold or periodSeconds of the startupProbe to {least:,} s in all",
        )


def _window_seconds(probe: dict[str, object]) -> int:
    defaults = kubernetes.probe_defaults()

    def number(key: str) -> int:
        value = probe.get(key)
        return value if isinstance(value, int) else defaults[key]

    return number("initialDelaySeconds") + number("failureThreshold") * number("periodSeconds")
