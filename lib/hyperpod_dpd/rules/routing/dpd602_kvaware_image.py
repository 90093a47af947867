from hyperpod_dpd.rules.images.floors import floor
from hyperpod_dpd.rules.rule import ENDPOINT, ERROR, INFO, WARNING, EndpointView, Match, Matches, rule

_FLOORS = {"vllm": "kvaware_vllm", "lmcache": "kvaware_lmcache"}
_PATH = ("spec", "worker", "image")


@rule(
    ("DPD602", "kvaware-image", WARNING, ENDPOINT),
    title="kvaware routing with an image below its documented versions",
    what="""vLLM and LMCache inside the image against what AWS's table asks for kvaware: an error where the
    user declares an LMCache below it, a warning where the documentation says so of the image or where the
    versions are not known.""",
    why="""Below the table's versions workers do not register at the router, or not rightly; it then falls
    back without a word. AWS's own DPD image is documented just below the floor for vLLM and was built from a
    newer one: the two pages contradict each other.""",
    fine="With a test that shows requests with a common prefix on one prefiller.",
    fix="""use another strategy, or an image with the documented versions and a test that requests follow the
    cache""",
    sources="""SageMaker developer guide, KV caching and intelligent routing, table of versions | SageMaker
    developer guide, DPD page, contents of the images | deep-learning-containers, build history""",
    covers=("R121",),
    tags=("routing", "images"),
    waivable=True,
    before="spec: {intelligentRoutingSpec: {routingStrategy: kvaware}, invocationEndpoint: v1/completions}",
    after="spec: {intelligentRoutingSpec: {routingStrategy: prefixaware}, invocationEndpoint: v1/completions}",
)
def check(endpoint: EndpointView) -> Matches:
    if endpoint.routing_strategy != "kvaware":
        return
    image = endpoint.image
    for component, name in _FLOORS.items():
        least = floor(name)
        found = image.version(component)
        if found is None:
            yield Match(
                _PATH,
                f"which {component} is in '{image.text}' is not known; kvaware asks for {least} or later",
                INFO,
                fix="declare the versions inside the image under `images.worker.versions` of the environment",
            )
        elif found.version < least:
            built = getattr(image.known.built, component, None) if image.known and image.known.built else None
            certain = component == "lmcache" and found.by == "declared"
            yield Match(
                _PATH,
                f"{component} {found.version} ({found.by}) is below the {least} that kvaware asks for"
                + (f"; the image's build history says {built}, which is not confirmed" if built else ""),
                ERROR if certain else None,
            )
