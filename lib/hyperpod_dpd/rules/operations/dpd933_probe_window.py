from hyperpod_dpd.catalog import engine_defaults, kubernetes
from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule


@rule(
    ("DPD933", "probe-window", WARNING, DISAGGREGATED),
    title="A probe ends the pod before the model is loaded",
    what="That the startup probe, or without one the liveness probe, waits as long as a cold load may take.",
    why="""The kubelet restarts a container whose startup or liveness probe keeps failing. A pod that needs
    ten minutes to load and gets five never becomes Ready, and each restart begins the load anew.""",
    fine="Where weights are on the node and loading is known to be quick.",
    fix="give the startup probe failureThreshold times periodSeconds of 900 s or more",
    sources="""SageMaker developer guide, DPD troubleshooting page, slow loads | Kubernetes documentation,
    probes""",
    covers=("N-probes",),
    tags=("operations",),
    before="""spec:
      worker:
        probes:
          startupProbe:
            httpGet: {path: /health, port: 8000}
            failureThreshold: 30
            periodSeconds: 10""",
    after="""spec:
      worker:
        probes:
          startupProbe:
            httpGet: {path: /health, port: 8000}
            failureThreshold: 120
            periodSeconds: 10""",
)
def check(endpoint: EndpointView) -> Matches:
    probes = endpoint.get("worker", "probes")
    if not isinstance(probes, dict):
        return
    name = next((n for n in ("startupProbe", "livenessProbe") if isinstance(probes.get(n), dict)), None)
    if name is None:
        return
    window = _window_seconds(probes[name])
    least = engine_defaults.documented().shortest_deploy_seconds
    if window < least:
        yield Match(
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
