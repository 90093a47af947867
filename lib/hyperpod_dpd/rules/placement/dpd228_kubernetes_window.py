"""
What it checks
--------------
That the Kubernetes version is among those the documentation states (below them is an error, above them
unconfirmed and a warning), and among those for which every add-on that disaggregation needs is published.

Why it matters
--------------
An EKS cluster cannot go back to an older version. Outside the window the cluster stands and an add-on cannot be
installed on it.

When this is fine
-----------------
For a version above the window, once the prerequisites page names it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import kubernetes
from hyperpod_dpd.catalog.versions import KubernetesVersion
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.environment import EnvironmentView

RULE = Rule(
    id="DPD228",
    name="kubernetes-window",
    severity=Severity.ERROR,
    title="The Kubernetes version is outside what HyperPod and its add-ons take",
    fix="choose a version that HyperPod and every add-on take",
    sources=(
        "SageMaker developer guide, HyperPod EKS prerequisites, Kubernetes versions",
        "EKS add-on versions and their Kubernetes ranges, as listed in one account",
    ),
    applies_to=AppliesTo.ENVIRONMENT,
    covers=("HI-1.5a",),
    waivable=True,
    tags=("addons",),
    example=Example(
        of="environment",
        before='cluster: {kubernetes_version: "1.28"}',
        after='cluster: {kubernetes_version: "1.33"}',
    ),
)


def check(environment: EnvironmentView) -> Iterator[Hit]:
    version = KubernetesVersion.parse(environment.document.cluster.kubernetes_version)
    stated, safe = kubernetes.stated_window(), kubernetes.safe_window()
    path = ("cluster", "kubernetes_version")
    fix = f"choose a version from {safe}"
    if version in safe:
        return
    if version < stated.lowest:
        yield Hit(path, f"Kubernetes {version} is below {stated}, which HyperPod takes", fix=fix)
    elif version in stated:
        yield Hit(
            path,
            f"HyperPod takes Kubernetes {version}, but the add-ons are published for {safe} only",
            Severity.WARNING,
            fix=fix,
        )
    else:
        yield Hit(
            path,
            f"Kubernetes {version} is above {stated}, which the documentation states; that HyperPod takes it is not "
            "confirmed",
            Severity.WARNING,
            fix=fix,
        )
