from hyperpod_dpd.catalog import operator_releases
from hyperpod_dpd.rules.rule import ENVIRONMENT, ERROR, EnvironmentView, Match, Matches, rule


@rule(
    ("DPD210", "operator-left-out", ERROR, ENVIRONMENT),
    title="No add-on version is known, so no operator would be installed",
    what="""That the inference operator comes with the environment: its release has a known add-on version, or
    one is given.""",
    why="""Without a version to pin, the add-on is left out of the templates. The endpoints are applied to a
    cluster that nobody reconciles: no pod starts and no error appears.""",
    fine="Where the operator is already on an existing cluster and managed elsewhere.",
    fix="give operator.addon_version, or name a release whose add-on is known",
    sources="HyperPod inference release notes, pairs of operator release and add-on version",
    covers=("HI-5",),
    tags=("addons",),
    waivable=True,
    before='operator: {release: "3.6"}',
    after='operator: {release: "3.4"}',
)
def check(environment: EnvironmentView) -> Matches:
    operator = environment.blueprint.operator
    if operator.install == "addon" and operator.addon_version is None:
        known = ", ".join(
            f"{e.release} ({e.addon})" for e in operator_releases.all() if e.release and e.addon
        )
        yield Match(
            ("operator", "release"),
            f"no EKS add-on version is known for operator {operator.release}, so the add-on is left out",
            fix=f"give operator.addon_version, or use a release whose add-on is known: {known}",
        )
