from hyperpod_dpd.rules.facts import RoleView
from hyperpod_dpd.rules.rule import ENDPOINT, ERROR, WARNING, EndpointView, Match, Matches, once, rule
from hyperpod_dpd.view.engine import runs_vllm

_FORMAT, _DUMMY = "--load-format", "dummy"
_TLS = "the engine speaks TLS, and the proxy in the pod plain HTTP; that this works is not confirmed"
_FLAGS = {
    _FORMAT: ("the weights are random numbers", None),
    "--headless": ("the engine starts without a server", None),
    "--skip-tokenizer-init": ("requests in text cannot be answered", WARNING),
    "--tokens-only": ("requests in text cannot be answered", WARNING),
    "--grpc": ("the engine speaks gRPC, and the router HTTP; that this works is not confirmed", WARNING),
    "--ssl-keyfile": (_TLS, WARNING),
    "--ssl-certfile": (_TLS, WARNING),
}


@rule(
    ("DPD527", "engine-not-serving", ERROR, ENDPOINT),
    title="A flag keeps the engine from serving the model",
    what="""--load-format dummy and --headless (errors); --skip-tokenizer-init and --tokens-only, --grpc, and
    TLS in the engine by --ssl-keyfile or --ssl-certfile (warnings), in any role.""",
    why="""With dummy weights every answer is noise at full speed, and all probes pass. Without a server
    nothing listens on the port. Without a tokenizer only requests that bring token ids are answered. The
    proxy in the pod and the probes speak plain HTTP to the engine; that another protocol works is not
    confirmed.""",
    fine="""For a load test that needs no answers, on an endpoint nobody calls (dummy weights are an error all
    the same); where clients send token ids.""",
    fix="remove the flag",
    sources="""vLLM 0.19.0, engine and server arguments | HyperPod inference, proxy beside the worker: HTTP to
    the worker's port""",
    tags=("arguments",),
    before="spec: {worker: {args: {--load-format: dummy}}}",
    after="spec: {worker: {args: {--load-format: auto}}}",
)
def check(endpoint: EndpointView) -> Matches:
    if not runs_vllm(endpoint):
        return
    yield from once(match for role in endpoint.roles for match in _found(role))


def _found(role: RoleView) -> Matches:
    for flag, (what, severity) in _FLAGS.items():
        item = role.arguments.last(flag)
        if item and not item.negated and (flag != _FORMAT or item.value == _DUMMY):
            shown = f"{flag} {item.value}" if flag == _FORMAT else flag
            yield Match(role.where(flag), f"{shown}: {what}", severity, f"remove {flag}")
