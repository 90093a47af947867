from collections.abc import Mapping

from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import ENDPOINT, WARNING, EndpointView, Match, Matches, rule

_KINDS = ("httpGet", "tcpSocket", "grpc")


@rule(
    ("DPD940", "probe-port", WARNING, ENDPOINT),
    title="A probe asks a port that nothing is known to serve",
    what="That HTTP, TCP and gRPC probes of the worker ask its own port, or one of the proxy's.",
    why="""A liveness probe to a port without a listener kills the engine again and again; a readiness probe
    keeps it from ever getting a request.""",
    fine="For a port that a program of your own image serves.",
    fix="let the probe ask the container's port",
    sources="""Kubernetes documentation, probes of containers | AWS machine learning blog on DPD and inference
    observability: ports of the proxy""",
    tags=("probes",),
    before="spec: {worker: {probes: {readinessProbe: {httpGet: {path: /health, port: 9000}}}}}",
    after="spec: {worker: {probes: {readinessProbe: {httpGet: {path: /health, port: 8000}}}}}",
)
def check(endpoint: EndpointView) -> Matches:
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
                yield Match(path, f"{name} asks port {port}, and the engine is served on {own}")
