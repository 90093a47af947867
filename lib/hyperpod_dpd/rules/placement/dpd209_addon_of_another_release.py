from hyperpod_dpd.catalog import operator_releases
from hyperpod_dpd.catalog.versions import AddonVersion, OperatorRelease
from hyperpod_dpd.rules.rule import ENVIRONMENT, ERROR, WARNING, EnvironmentView, Match, Matches, Path, rule

_PATH: Path = ("operator", "addon_version")


@rule(
    ("DPD209", "addon-of-another-release", ERROR, ENVIRONMENT),
    title="The add-on version carries another operator release",
    what="""That operator.release and a pinned operator.addon_version belong together. The two series of
    numbers are never compared, only looked up.""",
    why="""Every rule that depends on the operator judges by the release the document names. With another one
    installed, fields are rendered that it drops, or faults are not reported that it has.""",
    fine="""For an add-on newer than the catalogue, whose release is not known to it: then this is a warning
    to check by hand.""",
    fix="leave operator.addon_version out, or name the release that it carries",
    sources="HyperPod inference release notes, pairs of operator release and add-on version",
    covers=("HI-0.1",),
    tags=("addons",),
    before='operator: {release: "3.4", addon_version: v1.3.0-eksbuild.1}',
    after='operator: {release: "3.4", addon_version: v1.5.0-eksbuild.1}',
)
def check(environment: EnvironmentView) -> Matches:
    operator = environment.document.operator
    if operator.addon_version is None or operator.install != "addon":
        return
    release = OperatorRelease.parse(operator.release)
    carried = operator_releases.release_for(AddonVersion.parse(operator.addon_version))
    if carried is None:
        yield Match(
            _PATH,
            f"which operator release add-on {operator.addon_version} carries is not in the catalogue; that it is "
            f"{release} is not confirmed",
            WARNING,
            fix="check the release notes and acknowledge this, or pin a version of the catalogue",
        )
    elif carried != release:
        paired = operator_releases.addon_for(release)
        yield Match(
            _PATH,
            f"add-on {operator.addon_version} carries operator {carried}, the document says {release}",
            fix=f"set operator.release to {carried}"
            + (f", or operator.addon_version to {paired}" if paired else ""),
        )
