import difflib

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.catalog import kubernetes
from hyperpod_dpd.rules.rule import ENVIRONMENT, WARNING, EnvironmentView, Match, Matches, Path, rule


@rule(
    ("DPD212", "addon-setting-without-effect", WARNING, ENVIRONMENT),
    title="An add-on version is given that nothing uses",
    what="""That every add-on named in addon_versions is one that the environment installs, that the inference
    add-on's own version stands in operator.addon_version, and that it is given only where the operator comes
    as an add-on.""",
    why="""A pin under a wrong name pins nothing: the add-on is installed in the version of the catalogue, and
    the difference shows only in the cluster.""",
    fine="Never; remove the entry.",
    fix="correct the name, or move the version to where it counts",
    sources="This project's environment document: addon_versions and operator.addon_version",
    covers=("HI-1.10a",),
    tags=("addons",),
    before="addon_versions: {certmanager: v1.19.1-eksbuild.1}",
    after="addon_versions: {cert-manager: v1.19.1-eksbuild.1}",
)
def check(environment: EnvironmentView) -> Matches:
    installed = kubernetes.install_order()
    for name in environment.document.addon_versions:
        path: Path = ("addon_versions", name)
        if name == names.OPERATOR_ADDON:
            yield Match(
                path, f"the version of {name} is not read from here", fix="set operator.addon_version"
            )
        elif name not in installed:
            close = difflib.get_close_matches(name, installed, n=1)
            meant = f"; did you mean {close[0]}?" if close else ""
            yield Match(
                path, f"no add-on '{name}' is installed{meant}", fix=f"use one of {', '.join(installed)}"
            )
    operator = environment.document.operator
    if operator.install != "addon" and operator.addon_version is not None:
        yield Match(
            ("operator", "addon_version"),
            f"the operator is installed by {operator.install}, so add-on {operator.addon_version} is not used",
            fix="remove operator.addon_version, or set operator.install to addon",
        )
