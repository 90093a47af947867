"""
What it checks
--------------
Whether enableL1Cache or enableL2Cache is false under an operator release that ignores false.

Why it matters
--------------
Earlier releases read the switch as absent: the cache stays on, with the memory it takes, and the manifest
says otherwise.

When this is fine
-----------------
Where the upgrade is on its way and the memory does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import operator_releases
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD824",
    name="cache-switch-ignored",
    severity=Severity.WARNING,
    title="The operator ignores a cache that is switched off",
    fix="upgrade the operator to 3.3 or later, or expect the cache to stay on",
    sources=("SageMaker developer guide, HyperPod inference release notes",),
    applies_to=AppliesTo.ENDPOINT,
    covers=("R177",),
    tags=(
        "cache",
        "operator",
    ),
    example=Example(
        before="""
operator: {release: "3.2"}
endpoints: {llama-70b: {cache: {l1: false}}}
""",
        after="""
operator: {release: "3.4"}
endpoints: {llama-70b: {cache: {l1: false}}}
""",
        of="environment",
    ),
)

FAULT = "cache-switches-ignored"


def check(endpoint: EndpointView) -> Iterator[Hit]:
    switches = [k for k in ("enableL1Cache", "enableL2Cache") if endpoint.get("kvCacheSpec", k) is False]
    if not switches:
        return
    release = endpoint.operator
    for fault in operator_releases.fixes_missing_in(release):
        if fault.key == FAULT:
            for switch in switches:
                yield Hit(
                    ("spec", "kvCacheSpec", switch),
                    f"operator {release} ignores {switch}: false; {fault.fixed_in} is the first release to obey it",
                    fix=f"upgrade the operator to {fault.fixed_in} or later, or expect the cache to stay on",
                )
