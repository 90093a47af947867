from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, EndpointView, Match, Matches, rule
from hyperpod_dpd.rules.variables.switches import is_on, literals

REMOTE = "LMCACHE_REMOTE_URL"
PEER_TO_PEER = "LMCACHE_ENABLE_P2P"


@rule(
    ("DPD412", "other-cache-modes", ERROR, DISAGGREGATED),
    title="An LMCache mode that excludes disaggregation is on",
    what="""That no LMCache mode is switched on that excludes PD mode: a remote store (LMCACHE_REMOTE_URL) or
    peer-to-peer sharing (LMCACHE_ENABLE_P2P).""",
    why="""LMCache's check of the configuration refuses peer-to-peer sharing in PD mode; whether that check runs
    when the settings come from variables alone is not confirmed, and without it the start wants a controller
    that is not there. A remote store is excluded by LMCache's own documentation of the mode, not by the check.
    Where the cache does not start, the next request ends the engine (recorded).""",
    fine="Never on a disaggregated endpoint with the supported images.",
    fix="remove LMCACHE_REMOTE_URL and LMCACHE_ENABLE_P2P",
    sources="LMCache 0.4.3, checks of the configuration | recorded: vLLM 0.19.0 with LMCache 0.4.3, degraded start",
    covers=("R70",),
    tags=("kv-transfer",),
    before="""spec:
      worker:
        environmentVariables:
        - {name: LMCACHE_REMOTE_URL, value: "redis://cache.example.com:6379"}""",
    after="""spec:
      worker:
        environmentVariables:
        - {name: LMCACHE_ENABLE_P2P, value: "false"}""",
)
def check(endpoint: EndpointView) -> Matches:
    remote = endpoint.environment.get(REMOTE)
    if remote is not None and remote.value != "":
        yield Match(
            remote.value_path, f"{REMOTE} is set; PD mode allows no remote store", fix=f"remove {REMOTE}"
        )
    for variable, value in literals(endpoint, (PEER_TO_PEER,)):
        if is_on(value):
            yield Match(
                variable.value_path,
                f"{PEER_TO_PEER} is '{value}'; PD mode excludes peer-to-peer sharing",
                fix=f"remove {PEER_TO_PEER}",
            )
