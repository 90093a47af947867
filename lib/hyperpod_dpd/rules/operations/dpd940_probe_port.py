"""
What it checks
--------------
That HTTP, TCP and gRPC probes of the worker ask its own port, or one of the proxy's.

Why it matters
--------------
A liveness probe to a port without a listener kills the engine again and again; a readiness probe keeps it from
ever getting a request.

When this is fine
-----------------
For a port that a program of your own image serves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD940",
    name="probe-port",
    severity=Severity.WARNING,
    title="A probe asks a port that nothing is known to serve",
    fix="let the probe ask the container's port",
    sources=(
        "Kubernetes documentation, probes of containers",
        "AWS machine learning blog on DPD and inference observability: ports of the proxy",
    ),
    applies_to=AppliesTo.ENDPOINT,
    tags=("probes",),
    example=Example(
        before="""
spec: {worker: {probes: {readinessProbe: {httpGet: {path: /health, port: 9000}}}}}
""",
        after="""
spec: {worker: {probes: {readinessProbe: {httpGet: {path: /health, port: 8000}}}}}
""",
    ),
)

_KINDS = ("httpGet", "tcpSocket", "grpc")


def check(endpoint: EndpointView) -> Iterator[Hit]:
    own, router = endpoint.port, engine_defaults.router()
    of_proxy = (router.worker_port, router.sidecar_metrics_port)
    probes = endpoint.get("worker", "probes")
    if own is None or not isinstance(probes, Mapping):
        return
    for name, probe in probes.items():
        for kind in _KINDS:
            action = probe.get(kind) if isinstance(probe, Mapping) else None
            port = action.get("port") if isinstance(action, Mapping) else None
            if str(port).isdecimal() and int(str(port)) not in (own, *of_proxy):
                path = ("spec", "worker", "probes", name, kind, "port")
                yield Hit(path, f"{name} asks port {port}, and the engine is served on {own}")
