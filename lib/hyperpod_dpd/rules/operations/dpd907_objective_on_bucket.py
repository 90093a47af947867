from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import DISAGGREGATED, INFO, EndpointView, Match, Matches, rule


@rule(
    ("DPD907", "objective-on-bucket", INFO, DISAGGREGATED),
    title="The latency objective lies between two histogram bounds",
    what="That the objective for inter-token latency equals a bound of the histogram vLLM exports.",
    why="""A histogram counts requests up to its bounds only. Between two of them a quantile is interpolated
    and a burn rate cannot be computed exactly.""",
    fine="Where the nearest bound is close enough.",
    fix="choose a bound of vLLM's histogram as the objective",
    sources="vLLM 0.19.0, bounds of the inter-token latency histogram",
    covers=("O-slo-bucket",),
    tags=("observability", "objectives"),
    of="environment",
    before="endpoints: {llama-70b: {objectives: {inter_token_latency_p99_ms: 40}}}",
    after="endpoints: {llama-70b: {objectives: {inter_token_latency_p99_ms: 50}}}",
)
def check(endpoint: EndpointView) -> Matches:
    target = endpoint.objectives.inter_token_latency_p99_ms
    bounds = [round(b * 1000, 3) for b in engine_defaults.vllm().inter_token_latency_bounds_seconds]
    if target is None or target in bounds or target > bounds[-1]:
        return
    below = max((b for b in bounds if b < target), default=None)
    above = min(b for b in bounds if b > target)
    near = f"{below:g} and {above:g}" if below is not None else f"0 and {above:g}"
    yield Match(
        ("objectives", "inter_token_latency_p99_ms"),
        f"{target:g} ms lies between the histogram's bounds {near} ms",
        fix=f"choose {above:g} ms" + (f" or {below:g} ms" if below is not None else ""),
    )
