"""
What it checks
--------------
That LMCACHE_USE_LAYERWISE is off on a disaggregated endpoint.

Why it matters
--------------
The layer-by-layer store does not pass on where the pages are to go. The PD backend then fails on every store
and nothing is sent. That transfers overlap layer by layer, as an AWS text puts it, is not what this LMCache
does.

When this is fine
-----------------
Never with the supported images.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.rules.variables.switches import is_on, literals

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD415",
    name="layerwise",
    severity=Severity.ERROR,
    title="LMCache's layerwise mode is on",
    fix="remove LMCACHE_USE_LAYERWISE",
    sources=("LMCache 0.4.3, cache engine and PD backend", "LMCache pull request 4221"),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R73",),
    tags=("kv-transfer", "silent"),
    example=Example(
        before='spec: {worker: {environmentVariables: [{name: LMCACHE_USE_LAYERWISE, value: "True"}]}}',
        after='spec: {worker: {environmentVariables: [{name: LMCACHE_USE_LAYERWISE, value: "False"}]}}',
    ),
)

NAME = "LMCACHE_USE_LAYERWISE"


def check(endpoint: EndpointView) -> Iterator[Hit]:
    for variable, value in literals(endpoint, (NAME,)):
        if is_on(value):
            yield Hit(
                variable.value_path, f"{NAME} is '{value}': in this mode no page is sent to the decoder"
            )
