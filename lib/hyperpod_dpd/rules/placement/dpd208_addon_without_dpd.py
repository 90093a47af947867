from hyperpod_dpd.catalog import operator_releases
from hyperpod_dpd.catalog.versions import AddonVersion
from hyperpod_dpd.rules.rule import ENVIRONMENT, ERROR, EnvironmentView, Match, Matches, rule


@rule(
    ("DPD208", "addon-without-dpd", ERROR, ENVIRONMENT),
    title="The add-on version is older than disaggregation",
    what="""That a pinned version of the inference add-on is at least the first one that carries
    disaggregation. Add-on versions are compared with add-on versions only; operator releases are another
    series of numbers.""",
    why="""The version that is pinned is the one that is installed, whatever release the document names beside
    it.""",
    fine="Where no endpoint of the environment is disaggregated; the rule is then silent.",
    fix="set operator.addon_version to a version that has disaggregation, or leave it out",
    sources="HyperPod inference release notes, 3.2",
    covers=("R20",),
    tags=("addons",),
    before="operator: {addon_version: v1.2.1-eksbuild.1}",
    after="operator: {addon_version: v1.5.0-eksbuild.1}",
)
def check(environment: EnvironmentView) -> Matches:
    pinned = environment.document.operator.addon_version
    if pinned is None or environment.document.operator.install != "addon":
        return
    disaggregated = any(e.topology == "disaggregated" for e in environment.blueprint.endpoints)
    if disaggregated and not operator_releases.addon_supports_dpd(AddonVersion.parse(pinned)):
        yield Match(
            ("operator", "addon_version"),
            f"add-on {pinned} has no disaggregation; {operator_releases.dpd_addon()} is the first that has",
        )
