from hyperpod_dpd.catalog.versions import ComponentVersion
from hyperpod_dpd.rules.images.floors import floor
from hyperpod_dpd.rules.rule import DISAGGREGATED, INFO, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.image import ImageView


@rule(
    ("DPD306", "nixl-floor", WARNING, DISAGGREGATED),
    title="NIXL in the worker image may lack the EFA transport",
    what="""That NIXL inside the worker image is not older than AWS documents for DPD (a warning), and that it
    is the release from which AWS's own build takes the libfabric plugin (a note).""",
    why="""Without NIXL's libfabric plugin transfers cannot use EFA. AWS's documentation names one release as
    the baseline; the build history of its image asks for the next one and gives the plugin as the reason.
    Both statements stand.""",
    fine="Where the log of a pod shows the LIBFABRIC plugin loaded, whatever the version.",
    fix="check that a worker pod's log shows NIXL's LIBFABRIC plugin, or use an image with a newer NIXL",
    sources="""SageMaker developer guide, DPD page, versions in the worker images | AWS
    deep-learning-containers repository, NIXL requirement of the HyperPod image""",
    covers=("R55",),
    tags=("image", "efa"),
    before="spec: {worker: {image: lmcache/vllm-openai:v0.4.3}}",
    after="spec: {worker: {image: 'public.ecr.aws/deep-learning-containers/vllm:server-hyperpod-cuda-v1.1'}}",
)
def check(endpoint: EndpointView) -> Matches:
    image = endpoint.image
    found = image.version("nixl")
    if found is None:
        return
    path = ("spec", "worker", "image")
    least = floor("nixl")
    with_plugin = floor("nixl_with_libfabric_plugin")
    if found.version < least:
        yield Match(path, f"NIXL {found} is below {least}, what AWS documents for DPD")
    elif found.version < with_plugin and not _built_with(image, with_plugin):
        yield Match(
            path,
            f"NIXL {found}; AWS's own build asks for {with_plugin} to have the libfabric plugin, "
            "whether this image has it is not confirmed",
            INFO,
        )


def _built_with(image: ImageView, wanted: ComponentVersion) -> bool:
    """Whether the build history, which the documentation may contradict, shows the release."""
    if "nixl" in image.declared or image.known is None or image.known.built is None:
        return False
    built = image.known.built.nixl
    return built is not None and built >= wanted
