from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.images.floors import floor
from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.rules.variables.switches import is_off, is_on, is_placeholder

NAME = "LMCACHE_SAVE_DECODE_CACHE"


@rule(
    ("DPD411", "save-decode-cache", ERROR, DISAGGREGATED),
    title="LMCACHE_SAVE_DECODE_CACHE is on or not set",
    what="""That LMCACHE_SAVE_DECODE_CACHE is off on a disaggregated endpoint: on is an error; not set, or a
    text that is no switch, a warning.""",
    why="""AWS's guide has it off in PD mode, and LMCache's PD backend goes one way, from prefill to decode: what a
    decoder saves while decoding has nowhere to go. LMCache 0.4.3 does not check it at the start, so nothing
    says so; what happens then is not confirmed. A later LMCache lifts the restriction, so for such an image
    this is a warning.""",
    fine="With an image whose declared LMCache lifts the restriction, after a test.",
    fix='set the environment variable LMCACHE_SAVE_DECODE_CACHE to "False", in quotes',
    sources="""SageMaker developer guide, DPD page, environment variables | LMCache 0.4.3, PD
    backend and check of the configuration | LMCache pull request 2509""",
    covers=("R69", "B-28"),
    tags=("kv-transfer",),
    before='spec: {worker: {environmentVariables: [{name: LMCACHE_SAVE_DECODE_CACHE, value: "True"}]}}',
    after='spec: {worker: {environmentVariables: [{name: LMCACHE_SAVE_DECODE_CACHE, value: "False"}]}}',
)
def check(endpoint: EndpointView) -> Matches:
    variable = endpoint.environment.get(NAME)
    if variable is None:
        wanted = engine_defaults.documented().save_decode_cache
        yield Match(
            endpoint.where_variable(NAME),
            f"{NAME} is not set; LMCache's default is off, AWS's guide sets '{wanted}'",
            WARNING,
        )
    elif variable.value is None:
        yield Match(
            variable.value_path,
            f"{NAME} comes from a {variable.source}, so its value cannot be judged",
            WARNING,
        )
    elif is_on(variable.value):
        lifted = floor("lmcache_saves_decode_cache")
        inside = endpoint.image.version("lmcache")
        if inside is not None and inside.version >= lifted:
            yield Match(
                variable.value_path,
                f"{NAME} is on; that LMCache {inside} allows it in PD mode is not confirmed on HyperPod",
                WARNING,
            )
            return
        version = f"LMCache {inside}" if inside else "LMCache before the lines that lift this"
        yield Match(
            variable.value_path,
            f"{NAME} is '{variable.value}', which {version} does not support in PD mode",
        )
    elif not is_off(variable.value) and not is_placeholder(variable.value):
        yield Match(
            variable.value_path,
            f"{NAME} is '{variable.value}', which LMCache reads as off though it says neither on nor off",
            WARNING,
        )
