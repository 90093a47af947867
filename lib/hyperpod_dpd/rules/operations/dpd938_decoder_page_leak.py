from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.images.floors import floor
from hyperpod_dpd.rules.rule import DISAGGREGATED, INFO, EndpointView, Match, Matches, rule

FLAG = "--enable-prefix-caching"


@rule(
    ("DPD938", "decoder-page-leak", INFO, DISAGGREGATED),
    title="The decoder's prefix cache may leak pages of the PD buffer",
    what="""Whether the decoder keeps vLLM's prefix cache, on by default, under an LMCache release with the
    reported leak.""",
    why="""Pages that the decoder's own prefix cache covers are never fetched from the PD buffer, hence never
    freed, until allocation retries for ever and only a restart helps. Reported, and seen on a pair of vLLM 0.19.0
    and LMCache 0.4.3: after five healthy prompts an idle decoder held 10 of 64 pages. Whether the operator
    switches the decoder's prefix cache off is not known.""",
    fine="Where prompts share no prefix, or the buffer is watched while idle.",
    fix="""add --no-enable-prefix-caching to the arguments of decode, or alert on a buffer that stays filled
    while idle""",
    sources="""LMCache issue 2933 (open) | LMCache 0.4.3, PD backend, pinning of pages |
    recorded: vLLM 0.19.0 with LMCache 0.4.3 over UCX""",
    covers=("O-page-leak", "D2"),
    tags=("kv-transfer", "silent"),
    before="spec: {pdSpec: {decodingSpec: {args: {--enable-prefix-caching: true}}}}",
    after="spec: {pdSpec: {decodingSpec: {args: {--no-enable-prefix-caching: true}}}}",
)
def check(endpoint: EndpointView) -> Matches:
    decode = endpoint.decode
    if decode is None:
        return
    on = decode.arguments.enabled(FLAG)
    if not (engine_defaults.vllm().enable_prefix_caching if on is None else on):
        return
    known = endpoint.image.version("lmcache")
    if known is None or known.version > floor("lmcache_page_leak"):
        return
    yield Match(
        decode.where(FLAG),
        f"decode keeps its prefix cache with LMCache {known.version}, for which a leak of PD buffer pages is reported "
        "and was recorded (not confirmed on HyperPod)",
    )
