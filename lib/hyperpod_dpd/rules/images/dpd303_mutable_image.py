from hyperpod_dpd.rules.rule import ENDPOINT, INFO, WARNING, EndpointView, Match, Matches, rule

_MOVING = "latest"


@rule(
    ("DPD303", "mutable-image", WARNING, ENDPOINT),
    title="The worker image is not pinned by digest",
    what="""That the worker image is pinned: a note for a supported tag without a digest, a warning for
    another tag on a disaggregated endpoint, and a warning for `latest` or no tag on any endpoint.""",
    why="""Both roles must run one and the same build. A pod that starts later, on another node or after a
    scale-out, pulls whatever the tag means by then; with different libraries on the two sides transfers fail
    without failing a request.""",
    fine="In development. The two supported tags have not been seen to move, so they give a note only.",
    fix="pin the digest (`dpd images pin ENV`), and write it after the tag as @sha256:...",
    sources="""SageMaker developer guide, DPD troubleshooting page, same image on both roles | LMCache issue
    1712 and llm-d issue 325, mismatched builds""",
    covers=("R52", "B-25"),
    tags=("image",),
    before="spec: {worker: {image: lmcache/vllm-openai:latest}}",
    after="spec: {worker: {image: 'lmcache/vllm-openai:v0.4.3@"
    "sha256:9f2c4f0c2f1a6f5d0a1c6f5be0c3a6f0b8f6f2f7f8f1c2d3e4f5a6b7c8d9e0f1'}}",
)
def check(endpoint: EndpointView) -> Matches:
    image = endpoint.image
    reference = image.reference
    if reference is None or not reference.is_mutable:
        return
    path = ("spec", "worker", "image")
    if reference.tag is None or reference.tag == _MOVING or reference.tag.endswith(f"-{_MOVING}"):
        tag = f"tag '{reference.tag}'" if reference.tag else "no tag"
        yield Match(path, f"'{image.text}' has {tag}, which means another image with every release")
    elif not endpoint.disaggregated:
        return
    elif image.known is not None and image.known.supported:
        yield Match(path, f"'{image.text}' is a supported tag without a digest", INFO)
    else:
        yield Match(path, f"'{image.text}' is a tag that can move; both roles must run one build")
