from hyperpod_dpd.rules.rule import DISAGGREGATED, INFO, EndpointView, Match, Matches, rule


@rule(
    ("DPD310", "disputed-contents", INFO, DISAGGREGATED),
    title="Sources disagree on what the worker image holds",
    what="""Whether AWS's documentation and the build history of the worker image disagree on the vLLM inside,
    while the user declares nothing.""",
    why="""Which flags exist, and which routing strategies are supported, depends on vLLM's release. For AWS's
    HyperPod image the guide names one release and the repository it was built from another; what the
    published digest holds is not confirmed.""",
    fine="Always: it is a note. Read the version from a running pod once and declare it.",
    fix="read vLLM's version from the log of a pod and declare it under the image's versions",
    sources="""SageMaker developer guide, DPD page, versions in the worker images | AWS
    deep-learning-containers repository, build history of the HyperPod image""",
    tags=("image", "divergence"),
    of="environment",
    before="images: {worker: {tag: server-hyperpod-cuda-v1.1}}",
    after="images: {worker: {tag: server-hyperpod-cuda-v1.1, versions: {vllm: 0.19.0}}}",
)
def check(endpoint: EndpointView) -> Matches:
    image = endpoint.image
    if "vllm" in image.declared or image.known is None:
        return
    stated, built = image.known.stated, image.known.built
    if stated is None or built is None or stated.vllm is None or built.vllm is None:
        return
    if stated.vllm != built.vllm:
        yield Match(
            ("spec", "worker", "image"),
            f"the documentation says vLLM {stated.vllm}, the build history {built.vllm}; "
            "what the published image holds is not confirmed",
        )
