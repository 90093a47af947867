from hyperpod_dpd.rules.images.floors import floor
from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, EndpointView, Match, Matches, rule


@rule(
    ("DPD304", "lmcache-floor", ERROR, DISAGGREGATED),
    title="LMCache in the worker image is too old for DPD",
    what="""That the LMCache inside the worker image of a disaggregated endpoint is at least the release DPD
    needs.""",
    why="""Older releases lack parts of the PD backend that the operator configures; some refuse a buffer that
    is not cut to whole pages, some never free pages when hashes differ.""",
    fine="Never; declare the version where the catalogue is wrong about your image.",
    fix="use a supported worker image",
    sources="""SageMaker developer guide, DPD page, versions in the worker images | SageMaker developer guide,
    KV caching and intelligent routing, version matrix""",
    covers=("R54",),
    tags=("image",),
    before="spec: {worker: {image: lmcache/vllm-openai:v0.3.7}}",
    after="spec: {worker: {image: lmcache/vllm-openai:v0.4.3}}",
)
def check(endpoint: EndpointView) -> Matches:
    least = floor("lmcache")
    found = endpoint.image.version("lmcache")
    if found is not None and found.version < least:
        yield Match(
            ("spec", "worker", "image"), f"LMCache {found} is below {least}, the first that DPD works with"
        )
