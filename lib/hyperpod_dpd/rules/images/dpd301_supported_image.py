from hyperpod_dpd.catalog import worker_images
from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule

_PATH = ("spec", "worker", "image")


@rule(
    ("DPD301", "supported-image", WARNING, DISAGGREGATED),
    title="The worker image is not one that AWS lists for DPD",
    what="""That the worker image of a disaggregated endpoint is one that AWS lists for DPD, at its own
    registry or at a mirror, or a digest whose library versions the environment declares.""",
    why="""The operator wires vLLM, LMCache, NIXL and the EFA provider inside the image by their names and
    versions. Another image may start and serve, without transferring a single page; some builds leave EFA out
    altogether.""",
    fine="""With an image of your own that was tested with DPD: pin its digest and declare its versions, or
    acknowledge this.""",
    fix="use a supported worker image, or pin the digest of your own and declare its versions",
    sources="""SageMaker developer guide, DPD page, supported worker images | llm-d pull request 675, an image
    built without EFA""",
    covers=("R50", "C-05"),
    tags=("image",),
    before="spec: {worker: {image: registry.example.com/serving/engine:2.1}}",
    after="spec: {worker: {image: registry.example.com/mirror/lmcache/vllm-openai:v0.4.3}}",
)
def check(endpoint: EndpointView) -> Matches:
    image = endpoint.image
    reference = image.reference
    if reference is None or (image.kind is not None and not image.kind.lmcache_inside):
        return
    if image.known is not None and image.known.supported:
        return
    if reference.digest is not None and "lmcache" in image.declared:
        return
    known = f": {image.known.note}" if image.known is not None and image.known.note else ""
    yield Match(
        _PATH,
        f"'{image.text}' is not on AWS's list of images for DPD{known}",
        fix="use one of "
        + ", ".join(i.reference for i in worker_images.supported())
        + " (a mirror will do), or pin the digest of your own image and declare its versions",
    )
