from hyperpod_dpd.catalog import worker_images
from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, EndpointView, Match, Matches, rule


@rule(
    ("DPD302", "image-without-lmcache", ERROR, DISAGGREGATED),
    title="The worker image brings no LMCache",
    what="""That the worker image of a disaggregated endpoint is not of a line that brings no LMCache, such as
    plain vllm/vllm-openai.""",
    why="""Prefill hands its KV cache over through LMCache, NIXL and NIXL's libfabric plugin. An image without
    them cannot load the connector that the operator configures.""",
    fine="""For colocated endpoints, which are not judged. An image of your own built on such a base belongs
    under a name of its own.""",
    fix="use a supported worker image",
    sources="SageMaker developer guide, DPD page, supported worker images",
    covers=("R51",),
    tags=("image",),
    before="spec: {worker: {image: vllm/vllm-openai:v0.19.0}}",
    after="spec: {worker: {image: lmcache/vllm-openai:v0.4.3}}",
)
def check(endpoint: EndpointView) -> Matches:
    image = endpoint.image
    if image.kind is None or image.kind.lmcache_inside:
        return
    yield Match(
        ("spec", "worker", "image"),
        f"'{image.text}' brings no LMCache, NIXL and libfabric plugin, so nothing can be transferred",
        fix=f"use {worker_images.supported()[0].reference} or another supported worker image",
    )
