"""
What it checks
--------------
Whether endpointName, where it is set, equals metadata.name.

Why it matters
--------------
AWS's pages name the containers of a role once after the object and once after the endpoint. While both are equal,
every documented kubectl command works as printed.

When this is fine
-----------------
Whenever you know which of the two names your commands need; containers are named after the object.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD113",
    name="endpoint-name-differs",
    severity=Severity.INFO,
    title="endpointName is not the object's name",
    fix="give endpointName the value of metadata.name",
    sources=("SageMaker developer guide, DPD page and DPD troubleshooting page, names of containers",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R10",),
    tags=("names",),
    example=Example(before="spec: {endpointName: other}", after="spec: {endpointName: llama-70b}"),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    wanted = endpoint.get("endpointName")
    if isinstance(wanted, str) and wanted and endpoint.name and wanted != endpoint.name:
        yield Hit(
            ("spec", "endpointName"),
            f"endpointName is '{wanted}' and the object '{endpoint.name}'; documented commands mix the two",
        )
