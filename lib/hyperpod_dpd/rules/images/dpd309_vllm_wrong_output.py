from hyperpod_dpd.rules.images.floors import floor
from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule


@rule(
    ("DPD309", "vllm-wrong-output", WARNING, DISAGGREGATED),
    title="vLLM in the worker image is reported to answer wrongly after a transfer",
    what="""That the vLLM inside the worker image is not the release reported to answer wrongly with LMCache's
    PD mode.""",
    why="""With that release every page is found and the answer still differs from its first token on. No log
    line and no metric shows it; only comparing answers of the two paths does. The report is open: not
    confirmed by its maintainers.""",
    fine="After a test at temperature zero that compares answers below and above the routing threshold.",
    fix="use an image with another vLLM release, or compare answers of both paths at temperature zero",
    sources="vLLM issue 52617",
    covers=("B-26",),
    tags=("image", "silent"),
    of="environment",
    before="images: {worker: {versions: {vllm: 0.26.0}}}",
    after="images: {worker: {versions: {vllm: 0.19.0}}}",
)
def check(endpoint: EndpointView) -> Matches:
    found = endpoint.image.version("vllm")
    wrong = floor("vllm_wrong_output")
    if found is not None and found.version == wrong:
        yield Match(
            ("spec", "worker", "image"),
            f"vLLM {found} is reported, not confirmed, to give wrong answers after a full KV transfer",
        )
