from hyperpod_dpd.catalog import operator_releases
from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule


@rule(
    ("DPD207", "operator-with-known-faults", WARNING, DISAGGREGATED),
    title="The operator release has faults that touch disaggregation",
    what="""That the operator's release is not one of those with disaggregation but with faults, repaired
    since, that touch it.""",
    why="""The faults are of the silent kind: every request answered with 503 while all health is green, an
    endpoint registration that never ends, a cache switched off that stays on.""",
    fine="Until the next maintenance window, when the three faults are known to the people on call.",
    fix="upgrade the inference operator to the release that repaired them",
    sources="HyperPod inference release notes, 3.3",
    covers=("R21",),
    tags=("operator",),
    of="environment",
    before='operator: {release: "3.2"}',
    after='operator: {release: "3.3"}',
)
def check(endpoint: EndpointView) -> Matches:
    release = endpoint.operator
    if not operator_releases.dpd_release() <= release:
        return
    faults = operator_releases.fixes_missing_in(release)
    if faults:
        wanted = max(fault.fixed_in for fault in faults)
        problems = "; ".join(fault.problem for fault in faults)
        yield Match(
            ("spec", "pdSpec"),
            f"operator {release} has faults repaired in {wanted}: {problems}",
            fix=f"set the operator's release to {wanted} or later",
        )
