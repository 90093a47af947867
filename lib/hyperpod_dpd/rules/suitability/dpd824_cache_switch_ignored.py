from hyperpod_dpd.catalog import operator_releases
from hyperpod_dpd.rules.rule import ENDPOINT, WARNING, EndpointView, Match, Matches, rule

FAULT = "cache-switches-ignored"


@rule(
    ("DPD824", "cache-switch-ignored", WARNING, ENDPOINT),
    title="The operator ignores a cache that is switched off",
    what="Whether enableL1Cache or enableL2Cache is false under an operator release that ignores false.",
    why="""Earlier releases read the switch as absent: the cache stays on, with the memory it takes, and the
    manifest says otherwise.""",
    fine="Where the upgrade is on its way and the memory does not matter.",
    fix="upgrade the operator to 3.3 or later, or expect the cache to stay on",
    sources="SageMaker developer guide, HyperPod inference release notes",
    covers=("R177",),
    tags=("cache", "operator"),
    of="environment",
    before="""operator: {release: "3.2"}
    endpoints: {llama-70b: {cache: {l1: false}}}""",
    after="""operator: {release: "3.4"}
    endpoints: {llama-70b: {cache: {l1: false}}}""",
)
def check(endpoint: EndpointView) -> Matches:
    switches = [k for k in ("enableL1Cache", "enableL2Cache") if endpoint.get("kvCacheSpec", k) is False]
    if not switches:
        return
    release = endpoint.operator
    for fault in operator_releases.fixes_missing_in(release):
        if fault.key == FAULT:
            for switch in switches:
                yield Match(
                    ("spec", "kvCacheSpec", switch),
                    f"operator {release} ignores {switch}: false; {fault.fixed_in} is the first release to obey it",
                    fix=f"upgrade the operator to {fault.fixed_in} or later, or expect the cache to stay on",
                )
