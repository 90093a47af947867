from hyperpod_dpd.rules.images.floors import floor
from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, EndpointView, Match, Matches, rule


@rule(
    ("DPD307", "libfabric-floor", ERROR, DISAGGREGATED),
    title="libfabric in the worker image is too old for NIXL's plugin",
    what="That a declared libfabric version is one that NIXL's libfabric plugin can use.",
    why="""With an older libfabric the plugin does not load and NIXL takes another transport: KV pages then
    travel over TCP at a small part of EFA's rate, and no request fails.""",
    fine="Never. Where no version is declared nothing is said, since AWS's images do not state theirs.",
    fix="build the image with a newer EFA installer",
    sources="NIXL repository, readme of the libfabric plugin",
    covers=("R56",),
    tags=("image", "efa"),
    of="environment",
    before='images: {worker: {versions: {libfabric: "1.20.1"}}}',
    after='images: {worker: {versions: {libfabric: "2.1.0"}}}',
)
def check(endpoint: EndpointView) -> Matches:
    found = endpoint.image.version("libfabric")
    if found is None:
        return
    least = floor("libfabric")
    if found.version < least:
        yield Match(("spec", "worker", "image"), f"libfabric {found} is below {least}")
