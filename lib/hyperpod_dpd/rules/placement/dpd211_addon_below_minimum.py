"""
What it checks
--------------
That each entry of addon_versions is a version of that add-on and not below the least that HyperPod or the
inference add-on needs.

Why it matters
--------------
The operator's first container looks for the CSI drivers and for cert-manager's resources and exits without
them. The add-on then stays in CREATING for hours before it fails.

When this is fine
-----------------
Never.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import kubernetes
from hyperpod_dpd.catalog.versions import AddonVersion
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.document import Path
    from hyperpod_dpd.view.environment import EnvironmentView

RULE = Rule(
    id="DPD211",
    name="addon-below-minimum",
    severity=Severity.ERROR,
    title="A pinned add-on is older than the inference add-on accepts",
    fix="raise the version of the add-on, or leave it out: the catalogue's pin is used then",
    sources=(
        "SageMaker developer guide, model-deployment setup, dependency add-ons",
        "SageMaker developer guide, HyperPod EKS prerequisites (VPC CNI)",
    ),
    applies_to=AppliesTo.ENVIRONMENT,
    covers=(
        "R37",
        "HI-1.10",
    ),
    tags=("addons",),
    example=Example(
        of="environment",
        before="addon_versions: {cert-manager: v1.17.2-eksbuild.1}",
        after="addon_versions: {cert-manager: v1.19.1-eksbuild.1}",
    ),
)


def check(environment: EnvironmentView) -> Iterator[Hit]:
    for name, text in environment.document.addon_versions.items():
        path: Path = ("addon_versions", name)
        known = kubernetes.addon(name)
        try:
            version = AddonVersion.parse(text)
        except ValueError as error:
            yield Hit(path, str(error), fix="write the version as EKS lists it, such as v1.18.2-eksbuild.2")
            continue
        if known is not None and known.minimum is not None and version < known.minimum:
            yield Hit(path, f"{name} {text} is below {known.minimum}, the least that is supported")
