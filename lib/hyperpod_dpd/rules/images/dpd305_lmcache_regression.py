from hyperpod_dpd.rules.images.floors import floor
from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule


@rule(
    ("DPD305", "lmcache-regression", WARNING, DISAGGREGATED),
    title="LMCache in the worker image is of a line that regressed on HyperPod",
    what="""That the LMCache inside the worker image is older than the release from which AWS saw a regression
    on HyperPod.""",
    why="""AWS pinned LMCache in its image because the next release regressed on HyperPod. What exactly broke,
    and whether a later release mended it, is not published: not confirmed.""",
    fine="With a later release that you tested under load, on both paths.",
    fix="use a supported worker image, or test transfers under load and acknowledge this",
    sources="AWS deep-learning-containers repository, commit that pinned LMCache in the HyperPod image",
    covers=("R53",),
    tags=("image",),
    before="spec: {worker: {image: lmcache/vllm-openai:v0.4.4}}",
    after="spec: {worker: {image: lmcache/vllm-openai:v0.4.3}}",
)
def check(endpoint: EndpointView) -> Matches:
    first = floor("lmcache_regression")
    found = endpoint.image.version("lmcache")
    if found is not None and found.version >= first:
        yield Match(
            ("spec", "worker", "image"),
            f"LMCache {found}; AWS kept to the release before {first} because of a regression on HyperPod",
        )
