from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, EndpointView, Match, Matches, rule

_ASKS = ("/completions", "/invocations")


@rule(
    ("DPD937", "probe-sends-completions", ERROR, DISAGGREGATED),
    title="A probe asks the engine for a completion",
    what="That no probe of the worker runs a command that asks for a completion.",
    why="""Probes run in prefill pods too, past the router. A completion that did not come through it carries
    no receiver, on which LMCache 0.4.3's sender fails.""",
    fine="Never on a disaggregated endpoint.",
    fix="probe /health instead",
    sources="LMCache 0.4.3, PD backend, sender",
    covers=("R194",),
    tags=("operations", "kv-transfer"),
    before="""spec:
      worker:
        probes:
          startupProbe: {exec: {command: [curl, -sf, "http://localhost:8000/health"]}, failureThreshold: 120}
          livenessProbe: {exec: {command: [curl, -sf, "http://localhost:8000/v1/completions"]}}""",
    after="""spec:
      worker:
        probes:
          startupProbe: {exec: {command: [curl, -sf, "http://localhost:8000/health"]}, failureThreshold: 120}
          livenessProbe: {exec: {command: [curl, -sf, "http://localhost:8000/health"]}}""",
)
def check(endpoint: EndpointView) -> Matches:
    probes = endpoint.get("worker", "probes")
    if not isinstance(probes, dict):
        return
    for name in probes:
        command = endpoint.get("worker", "probes", name, "exec", "command")
        for index, word in enumerate(command if isinstance(command, list) else []):
            if isinstance(word, str) and any(path in word for path in _ASKS):
                yield Match(
                    ("spec", "worker", "probes", name, "exec", "command", index),
                    f"{name} sends a completion to the engine of every pod, prefill pods included",
                )
