"""The chart every app is made from, so that the standard labels are said once."""

from __future__ import annotations

from cdk8s import Chart
from constructs import Construct

from lib.blueprint.model import Blueprint

MANAGED_BY = "hyperpod-dpd"


def app_chart(scope: Construct, app: str, blueprint: Blueprint) -> Chart:
    """An empty chart whose objects all carry the standard labels.

    ``app.kubernetes.io/instance`` stays free: Argo CD writes its own value there.
    """
    return Chart(
        scope,
        app,
        disable_resource_name_hashes=True,
        labels={
            "app.kubernetes.io/managed-by": MANAGED_BY,
            "app.kubernetes.io/part-of": f"dpd-{blueprint.name}",
        },
    )
