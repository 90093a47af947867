from hyperpod_dpd.rules.arguments.problems import runs_another_release
from hyperpod_dpd.rules.arguments.start_checks import refusals
from hyperpod_dpd.rules.rule import ENDPOINT, ERROR, WARNING, EndpointView, Match, Matches, once, rule
from hyperpod_dpd.view.engine import runs_vllm


@rule(
    ("DPD530", "start-check", ERROR, ENDPOINT),
    title="Arguments that vLLM refuses together",
    what="""The checks across settings that vLLM makes when it starts, on each role's effective arguments:
    batch against length without chunked prefill, batch against sequences, partial prefills, speculative
    decoding, adapters, offloading, one setting given in two places. Only what the arguments say is judged, not
    defaults that depend on the machine. Where the image's vLLM is another release than the one that was read,
    and on a colocated endpoint, they are warnings.""",
    why="""Each value is right alone, so the parser takes it; the engine ends when it builds its configuration,
    and the pods restart until the deployment times out.""",
    fine="Never with the release that was read.",
    fix="change one of the two settings",
    sources="vLLM 0.19.0, checks of the scheduler, parallel, speculative, offload and adapter configuration",
    tags=("arguments",),
    before="spec: {worker: {args: {--max-num-batched-tokens: 2048, --no-enable-chunked-prefill: true}}}",
    after="spec: {worker: {args: {--max-num-batched-tokens: 16384, --no-enable-chunked-prefill: true}}}",
)
def check(endpoint: EndpointView) -> Matches:
    if not runs_vllm(endpoint):
        return
    sure = endpoint.disaggregated and not runs_another_release(endpoint)
    severity = None if sure else WARNING
    yield from once(
        Match(role.where(flag), f"{flag}: {why}; vLLM does not start", severity)
        for role in endpoint.roles
        for flag, why in refusals(role.arguments)
    )
