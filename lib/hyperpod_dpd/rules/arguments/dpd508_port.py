from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import ENDPOINT, ERROR, WARNING, EndpointView, Match, Matches, Path, rule
from hyperpod_dpd.view.engine import runs_vllm

FLAG = "--port"


@rule(
    ("DPD508", "port", ERROR, ENDPOINT),
    title="The engine listens on another port than the pod's",
    what="""That --port, or vLLM's own default where it is absent, is containerPort, for each role. On a
    colocated endpoint it is a warning, and only where the image is one of vLLM's.""",
    why="""The proxy in the pod forwards to containerPort. If nobody listens there, the pod is never ready, or
    requests to the prefiller are refused and the decoder does all the work.""",
    fine="Where the container's entry point sets the port by other means than arguments.",
    fix="give --port the value of worker.modelInvocationPort.containerPort",
    sources="""SageMaker developer guide, DPD page, example | llm-d-benchmark pull request 878, a sidecar that
    asked another port""",
    covers=("R96", "B-30", "E-97"),
    tags=("arguments", "routing"),
    before="spec: {worker: {args: {--port: 8200}}}",
    after="spec: {worker: {args: {--port: 8000}}}",
)
def check(endpoint: EndpointView) -> Matches:
    port = endpoint.port
    if port is None or not runs_vllm(endpoint):
        return
    seen: set[Path] = set()
    for role in endpoint.roles:
        given = role.arguments.last(FLAG)
        listens = role.arguments.integer(FLAG) if given else engine_defaults.vllm().port
        if listens is None or listens == port:
            continue
        path = given.value_path if given else ("spec", "worker", "modelInvocationPort", "containerPort")
        if path not in seen:
            seen.add(path)
            yield Match(
                path,
                f"vLLM listens on {listens}{'' if given else ', its default, since --port is absent'}, "
                f"and containerPort is {port}",
                None if endpoint.disaggregated else WARNING,
                fix=f"add --port {port} to worker.args" if given is None else None,
            )
