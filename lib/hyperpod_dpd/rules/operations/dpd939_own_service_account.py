"""
What it checks
--------------
Whether the endpoint's pods are to run under a service account of the user's.

Why it matters
--------------
The operator admits such accounts only where its configuration says so; what it does with the field otherwise
is not documented.

When this is fine
-----------------
Where the switch is on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD939",
    name="own-service-account",
    severity=Severity.INFO,
    title="An own service account needs a switch of the operator",
    fix="set enableCustomServiceAccounts in the operator's configuration, or leave kubernetes.serviceAccountName out",
    sources=("HyperPod CLI repository, values of the inference operator chart",),
    applies_to=AppliesTo.ENDPOINT,
    covers=("N-service-account",),
    tags=("operations",),
    example=Example(
        before="spec: {kubernetes: {serviceAccountName: llm-reader}}",
        after="spec: {kubernetes: null}",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    account = endpoint.get("kubernetes", "serviceAccountName")
    if account:
        yield Hit(
            ("spec", "kubernetes", "serviceAccountName"),
            f"service account '{account}' works only where the operator has enableCustomServiceAccounts",
        )
