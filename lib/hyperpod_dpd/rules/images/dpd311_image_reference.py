from hyperpod_dpd.rules.rule import ENDPOINT, ERROR, EndpointView, Match, Matches, rule

_PLACEHOLDER = ("$", "<", "{{")


@rule(
    ("DPD311", "image-reference", ERROR, ENDPOINT),
    title="The worker image is no image reference",
    what="That the worker image reads as an image reference: registry, path in lower case, tag or digest.",
    why="""The API takes any text here. The pods then stay in InvalidImageName, and the endpoint never becomes
    ready.""",
    fine="Never. Placeholders that are still to be filled in are reported by their own rule.",
    fix="write registry/path:tag or registry/path@sha256:<64 hex digits>, the path in lower case",
    sources="OCI distribution specification, names of repositories, tags and digests",
    tags=("image",),
    before="spec: {worker: {image: 'https://public.ecr.aws/deep-learning-containers/vllm:v1'}}",
    after="spec: {worker: {image: 'public.ecr.aws/deep-learning-containers/vllm:server-hyperpod-cuda-v1.1'}}",
)
def check(endpoint: EndpointView) -> Matches:
    image = endpoint.image
    if endpoint.get("worker", "image") is None or image.reference is not None:
        return
    if any(mark in image.text for mark in _PLACEHOLDER):
        return
    yield Match(("spec", "worker", "image"), f"'{image.text}' cannot be read as an image reference")
