"""
What it checks
--------------
That every add-on named in addon_versions is one that the environment installs, that the inference add-on's own
version stands in operator.addon_version, and that it is given only where the operator comes as an add-on.

Why it matters
--------------
A pin under a wrong name pins nothing: the add-on is installed in the version of the catalogue, and the
difference shows only in the cluster.

When this is fine
-----------------
Never; remove the entry.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.catalog import kubernetes
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.document import Path
    from hyperpod_dpd.view.environment import EnvironmentView

RULE = Rule(
    id="DPD212",
    name="addon-setting-without-effect",
    severity=Severity.WARNING,
    title="An add-on version is given that nothing uses",
    fix="correct the name, or move the version to where it counts",
    sources=("This project's environment document: addon_versions and operator.addon_version",),
    applies_to=AppliesTo.ENVIRONMENT,
    covers=("HI-1.10a",),
    tags=("addons",),
    example=Example(
        of="environment",
        before="addon_versions: {certmanager: v1.19.1-eksbuild.1}",
        after="addon_versions: {cert-manager: v1.19.1-eksbuild.1}",
    ),
)


def check(environment: EnvironmentView) -> Iterator[Hit]:
    installed = kubernetes.install_order()
    for name in environment.document.addon_versions:
        path: Path = ("addon_versions", name)
        if name == names.OPERATOR_ADDON:
            yield Hit(path, f"the version of {name} is not read from here", fix="set operator.addon_version")
        elif name not in installed:
            close = difflib.get_close_matches(name, installed, n=1)
            meant = f"; did you mean {close[0]}?" if close else ""
            yield Hit(
                path, f"no add-on '{name}' is installed{meant}", fix=f"use one of {', '.join(installed)}"
            )
    operator = environment.document.operator
    if operator.install != "addon" and operator.addon_version is not None:
        yield Hit(
            ("operator", "addon_version"),
            f"the operator is installed by {operator.install}, so add-on {operator.addon_version} is not used",
            fix="remove operator.addon_version, or set operator.install to addon",
        )
