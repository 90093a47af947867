from hyperpod_dpd.rules.rule import ENDPOINT, WARNING, EndpointView, Match, Matches, once, rule
from hyperpod_dpd.view.engine import runs_vllm


@rule(
    ("DPD528", "arguments-in-a-file", WARNING, ENDPOINT),
    title="Arguments stand in a file that nobody judges",
    what="That --config, which reads arguments from a file in the image or a volume, is absent.",
    why="""What the file says is seen neither here nor by the operator when it merges the arguments of a role:
    ports, parallel sizes and lengths may be others than those that every rule judged.""",
    fine="Where the file holds nothing that the roles must agree on.",
    fix="write the arguments into the manifest",
    sources="vLLM 0.19.0, server arguments: --config",
    tags=("arguments",),
    before="spec: {worker: {args: {--config: /etc/vllm.yaml}}}",
    after="spec: {worker: {args: {--tensor-parallel-size: 8}}}",
)
def check(endpoint: EndpointView) -> Matches:
    if runs_vllm(endpoint):
        yield from once(
            Match(role.where("--config"), f"arguments in {item.value} are not judged")
            for role in endpoint.roles
            if (item := role.arguments.last("--config"))
        )
