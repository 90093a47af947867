from hyperpod_dpd.iec.arguments import Arguments
from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, Path, rule


@rule(
    ("DPD526", "own-command", WARNING, DISAGGREGATED),
    title="The container's entry point is replaced",
    what="worker.command, and arguments that begin with a command such as vllm serve.",
    why="""The operator wires the roles through what it adds to the container. An entry point of one's own may
    pass it by; that it does is not confirmed. A command in args runs twice, as the images already begin with
    it.""",
    fine="With an image that has no entry point, once both roles' start-up lines show their role.",
    fix="remove worker.command and leave the entry point to the image and the operator",
    sources="""InferenceEndpointConfig CRD, operator 3.2, worker.command | observed in manifests that repeat
    the image's entry point in args""",
    tags=("arguments",),
    before="spec: {worker: {command: [vllm, serve]}}",
    after="spec: {worker: {args: {--tensor-parallel-size: 8}}}",
)
def check(endpoint: EndpointView) -> Matches:
    command = endpoint.get("worker", "command")
    if command:
        shown = " ".join(map(str, command)) if isinstance(command, list) else str(command)
        yield Match(
            ("spec", "worker", "command"),
            f"command is '{shown}'; that the operator's wiring of the roles survives it is not confirmed",
        )
        return
    lists: list[tuple[Arguments, Path]] = [(endpoint.worker_arguments, ("spec", "worker"))]
    lists += [(role.own_arguments, role.path) for role in endpoint.roles]
    for arguments, place in lists:
        if arguments.command:
            yield Match(
                (*place, "args", 0),
                f"the arguments begin with '{' '.join(arguments.command)}', which the image runs itself",
                fix=f"remove {' '.join(arguments.command)} from the arguments",
            )
            return
