from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, EndpointView, Match, Matches, Path, rule

_ALL = frozenset({"0.0.0.0", "::", "[::]", "*", ""})


@rule(
    ("DPD509", "host", ERROR, DISAGGREGATED),
    title="The engine does not listen on the pod's address",
    what="""That --host, where it is set, is the address of all interfaces, and that --uds does not move the
    server to a socket.""",
    why="""Probes, metrics and the proxy reach the engine over the network. Bound to the loopback or to one
    address, the pod is never ready or its metrics are missing.""",
    fine="Never; leaving --host out is fine.",
    fix="write --host 0.0.0.0, or leave --host out",
    sources="SageMaker developer guide, DPD page, example | vLLM 0.19.0, engine arguments",
    covers=("R96",),
    tags=("arguments", "routing"),
    before="spec: {worker: {args: {--host: 127.0.0.1}}}",
    after="spec: {worker: {args: {--host: 0.0.0.0}}}",
)
def check(endpoint: EndpointView) -> Matches:
    seen: set[Path] = set()
    for role in endpoint.roles:
        host, socket = role.arguments.last("--host"), role.arguments.last("--uds")
        for given, wrong in ((host, ((host and host.value) or "") not in _ALL), (socket, True)):
            if given is not None and wrong and given.path not in seen:
                seen.add(given.path)
                yield Match(
                    given.value_path,
                    f"{given.flag} is '{given.value}', and the engine is reached on the pod's address",
                    fix="remove --uds" if given is socket else None,
                )
