from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.buffer import longest_tokens
from hyperpod_dpd.view.memory import UTILIZATION, as_utilization, in_gib, model_memory, roles_by_setting


@rule(
    ("DPD410", "cache-holds-one-request", ERROR, DISAGGREGATED),
    title="The KV cache cannot hold one request of the longest length",
    what="""That what the weights leave of vLLM's share holds the KV cache of one request of --max-model-len
    tokens: an error where it does not even without any memory for the forward pass, else a warning on an
    estimate.""",
    why="vLLM refuses to start when its cache cannot hold one request of the longest length it accepts.",
    fine="The warning rests on measured constants of another project, not confirmed on HyperPod.",
    fix="lower --max-model-len, or raise --gpu-memory-utilization as far as the PD buffer allows",
    sources="""vLLM 0.19.0, check of the KV cache at start | llm-d planner, measured constants for the memory
    of a forward pass""",
    tags=("gpu-memory", "sizing"),
    before="""spec:
      worker:
        args: {--max-model-len: 131072, --gpu-memory-utilization: 0.25}""",
    after="""spec:
      worker:
        args: {--max-model-len: 131072, --gpu-memory-utilization: 0.75}""",
)
def check(endpoint: EndpointView) -> Matches:
    for role, roles, memory in roles_by_setting(endpoint, "--max-model-len"):
        model = model_memory(endpoint, role)
        length = longest_tokens(endpoint, role.arguments.integer("--max-model-len"))
        if model is None or length is None or model.weight_bytes >= memory.share_bytes:
            continue
        room = model.cache_tokens(memory.share_bytes, with_work=True)
        most = model.cache_tokens(memory.share_bytes, with_work=False)
        if room >= length:
            continue
        certain = most < length and model.kv_exact and memory.given
        if not certain and room <= 0:
            continue  # the rule on weights warns of that
        tokens = most if certain else max(0, room)
        estimate = "" if certain else ", by estimate"
        yield Match(
            role.where("--max-model-len"),
            f"{roles} on {memory.instance.name}: vLLM's share of {in_gib(memory.share_bytes)} leaves "
            f"{tokens:,} tokens of KV cache{estimate}, one request may have {length:,}",
            None if certain else WARNING,
            f"set --max-model-len to {max(0, room)} or less, or raise {UTILIZATION} "
            f"({as_utilization(memory.largest_hundredths)} is the largest safe value)",
        )
