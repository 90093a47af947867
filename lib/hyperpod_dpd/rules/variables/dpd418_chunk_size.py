"""
What it checks
--------------
That LMCACHE_CHUNK_SIZE is LMCache's default, or at least a plain number.

Why it matters
--------------
A page is one chunk of tokens: another number changes every figure about the buffer, AWS's included, and the
keys under which pages are found. Our rules count with the number given; AWS's guidance does not.

When this is fine
-----------------
Where it was chosen on purpose and the same reaches everything that shares the cache (the warning).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.rules.variables.switches import is_placeholder, literals
from hyperpod_dpd.view.buffer import CHUNK_SIZE, whole_number

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD418",
    name="chunk-size",
    severity=Severity.WARNING,
    title="LMCache's chunk is not the default number of tokens",
    fix="remove LMCACHE_CHUNK_SIZE",
    sources=("LMCache 0.4.3, configuration and cache keys",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R76",),
    tags=("kv-transfer", "sizing"),
    example=Example(
        before='spec: {worker: {environmentVariables: [{name: LMCACHE_CHUNK_SIZE, value: "512"}]}}',
        after='spec: {worker: {environmentVariables: [{name: LMCACHE_CHUNK_SIZE, value: "256"}]}}',
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    default = engine_defaults.lmcache().chunk_tokens
    for variable, value in literals(endpoint, (CHUNK_SIZE,)):
        tokens = whole_number(value.strip())
        if tokens == default or is_placeholder(value):
            continue
        if not tokens:
            yield Hit(
                variable.value_path,
                f"{CHUNK_SIZE} is '{value}', which is no number of tokens: LMCache cannot start",
                Severity.ERROR,
            )
        else:
            yield Hit(
                variable.value_path,
                f"{CHUNK_SIZE} is {tokens}; documented figures for the buffer count with {default}",
            )
