from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, WARNING, EndpointView, Match, Matches, rule

_EXACT = frozenset(
    {
        "LMCACHE_CONFIG_FILE",
        "LMCACHE_ENABLE_NIXL",
        "LMCACHE_ENABLE_PD",
        "LMCACHE_ENABLE_XPYD",
        "LMCACHE_NIXL_PEER_ALLOC_PORT",
        "LMCACHE_NIXL_PEER_HOST",
        "LMCACHE_NIXL_PEER_INIT_PORT",
        "LMCACHE_NIXL_PEER_PORT",
        "LMCACHE_NIXL_PROXY_HOST",
        "LMCACHE_NIXL_PROXY_PORT",
        "LMCACHE_NIXL_RECEIVER_HOST",
        "LMCACHE_NIXL_RECEIVER_PORT",
        "LMCACHE_NIXL_ROLE",
    }
)
_PREFIX = "LMCACHE_PD_"
_BUFFER = "LMCACHE_PD_BUFFER_SIZE"  # judged by the rule on the buffer's name
_SAME_ON_BOTH = frozenset(
    {
        "LMCACHE_PD_ALLOCATION_TIMEOUT_SEC",
        "LMCACHE_PD_BACKEND_MODE",
        "LMCACHE_PD_BIDIRECTIONAL",
        "LMCACHE_PD_MAX_PREFILL_LEN",
        "LMCACHE_PD_RETRIEVE_LOCATIONS",
        "LMCACHE_PD_SKIP_PROXY_NOTIFICATION",
        "LMCACHE_PD_STORE_LOCATION",
    }
)


@rule(
    ("DPD413", "operator-wiring", ERROR, DISAGGREGATED),
    title="Settings that the operator wires per role are overridden",
    what="""That nothing the operator wires for each role is set by hand: LMCACHE_PD_*, the role and peers
    under their older NIXL names, LMCACHE_ENABLE_PD, LMCACHE_CONFIG_FILE, or kvCacheSpec.cacheConfigFile.""",
    why="""Both roles share the environment variables. A role, host or port set there reaches both, and the
    endpoint ends up with two senders or two receivers; with a configuration file LMCache ignores its
    environment altogether, the operator's included.""",
    fine="""For a setting of a newer LMCache that is the same on both sides (a time limit, a length), which is
    a warning, or after a test, acknowledged.""",
    fix="remove the setting; the operator gives each role its own",
    sources="""LMCache 0.4.3, names and aliases of the configuration | InferenceEndpointConfig CRD, operator
    3.2, kvCacheSpec.cacheConfigFile""",
    covers=("R71",),
    tags=("kv-transfer", "silent"),
    waivable=True,
    before="spec: {worker: {environmentVariables: [{name: LMCACHE_PD_ROLE, value: sender}]}}",
    after="spec: {worker: {environmentVariables: [{name: LMCACHE_LOG_LEVEL, value: INFO}]}}",
)
def check(endpoint: EndpointView) -> Matches:
    for name, variable in endpoint.environment.items():
        if name in _SAME_ON_BOTH:
            yield Match(
                variable.path,
                f"{name} reaches both roles; that the operator leaves room for it is not confirmed",
                WARNING,
                "test it on both roles, or remove it",
            )
        elif name in _EXACT or (name.startswith(_PREFIX) and name != _BUFFER):
            yield Match(
                variable.path, f"{name} reaches both roles and overrides what the operator sets for each"
            )
    path = ("spec", "kvCacheSpec", "cacheConfigFile")
    if endpoint.get("kvCacheSpec", "cacheConfigFile"):
        yield Match(
            path, "cacheConfigFile gives both roles one LMCache configuration in place of the operator's"
        )
