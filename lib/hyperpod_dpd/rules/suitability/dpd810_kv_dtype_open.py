from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule

FLAG = "--kv-cache-dtype"


@rule(
    ("DPD810", "kv-dtype-open", WARNING, DISAGGREGATED),
    title="The model leaves open how wide its KV cache is",
    what="""Whether the model's files leave two widths of the KV cache possible while --kv-cache-dtype is not
    given.""",
    why="""A second quantisation file may ask for an 8-bit cache that config.json does not mention. Which one
    holds decides by a factor of two over pages, buffer and concurrency, and every figure here with them.""",
    fine="Where the start-up log of both roles shows the width that is assumed here.",
    fix="give both roles the same --kv-cache-dtype",
    sources="config.json and hf_quant_config.json of published FP8 models, which disagree",
    covers=("F-10",),
    tags=("sizing",),
    of="environment",
    before="endpoints: {llama-70b: {model: {catalogue: llama-3.1-70b-instruct-fp8-nvidia}}}",
    after="""endpoints:
      llama-70b:
        model: {catalogue: llama-3.1-70b-instruct-fp8-nvidia}
        engine: {kv_cache_dtype: fp8}""",
)
def check(endpoint: EndpointView) -> Matches:
    roles = [role for role in endpoint.roles if role.arguments.get(FLAG) in (None, "auto")]
    if not roles:
        return
    model = endpoint.model
    width = model.geometry.kv_dtype
    settled = model.entry is not None and model.entry.kv_dtype is not None
    if settled or width.alternative_bits is None:
        return
    yield Match(
        roles[0].where(FLAG),
        f"the cache may take {width.bits} or {width.alternative_bits} bits an element; {width.bits} are assumed "
        f"({width.source})",
    )
