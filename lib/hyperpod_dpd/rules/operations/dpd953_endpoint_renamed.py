"""
What it checks
--------------
That an endpoint keeps its name, its namespace and the name of its SageMaker endpoint.

Why it matters
--------------
Kubernetes sees a new object: the new endpoint needs GPUs while the old one still holds its own, and on a full cluster
its pods stay pending. Every name that follows from it changes too: router, Services, the SageMaker endpoint, and
whatever callers, dashboards and alerts refer to.

When this is fine
-----------------
When both endpoints are meant to run side by side for a while, with nodes for both.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.change import ChangeView
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD953",
    name="endpoint-renamed",
    severity=Severity.WARNING,
    title="An endpoint changes its name, and is replaced",
    fix="keep the name, or plan nodes for two endpoints, move the callers, and delete the old one",
    sources=(
        "Kubernetes, identity of objects by namespace and name",
        "hyperpod-dpd, names that the operator derives from the endpoint's",
    ),
    applies_to=AppliesTo.CHANGE,
    tags=("change", "identity"),
    example=Example(
        before="metadata: {name: llama-70b-new}",
        after="metadata: {name: llama-70b}",
        of="change",
    ),
)


def check(change: ChangeView) -> Iterator[Hit]:
    before, after = change.before, change.after
    if change.renamed:
        key = "name" if before.name != after.name else "namespace"
        yield Hit(
            ("metadata", key),
            f"{before.namespace}/{before.name} becomes {after.namespace}/{after.name}: a new endpoint, while the old "
            f"one keeps {_gpus(before)} GPUs until it is deleted",
        )
    elif change.changed("endpointName"):
        was, now = before.get("endpointName"), after.get("endpointName")
        yield Hit(
            ("spec", "endpointName"),
            f"the SageMaker endpoint was '{was or ''}' and is '{now or ''}': callers of the old name fail; whether the "
            "operator deletes the old one is not confirmed",
        )


def _gpus(endpoint: EndpointView) -> int:
    return sum(role.replicas * (role.gpus or 0) for role in endpoint.roles)
