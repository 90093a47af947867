from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule

_FLAGS = ("--enable-lora", "--lora-modules")


@rule(
    ("DPD525", "adapters", WARNING, DISAGGREGATED),
    title="LoRA adapters with disaggregation",
    what="--enable-lora or --lora-modules on either role.",
    why="""Pages are found by the hash of the prompt's tokens. Whether an adapter's pages are kept apart from
    the base model's, in the cache and in prefix routing, is not confirmed; mixed up, answers are wrong
    without an error.""",
    fine="With a test that shows the adapters' answers over both paths.",
    fix="serve adapters from a colocated endpoint, or test each of them over both paths and acknowledge",
    sources="inferred from LMCache 0.4.3's cache key, whose tags do not name the adapter",
    covers=("R115",),
    tags=("model",),
    before="spec: {worker: {args: [--enable-lora]}}",
    after="spec: {worker: {args: {--tensor-parallel-size: 8}}}",
)
def check(endpoint: EndpointView) -> Matches:
    for role in endpoint.roles:
        for flag in _FLAGS:
            if role.arguments.has(flag):
                yield Match(
                    role.where(flag), f"{flag} is set; that DPD keeps adapters apart is not confirmed"
                )
                return
