"""
What it checks
--------------
That partial chunks are kept: LMCACHE_SAVE_UNFULL_CHUNK off is an error, discard_partial_chunks on, among the
arguments, a warning.

Why it matters
--------------
The end of a prompt rarely fills a chunk. If it is not saved, the decoder computes it again for every request.
The supported LMCache switches it on by itself in PD mode, other releases do not.

When this is fine
-----------------
Never on a disaggregated endpoint.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.rules.variables.switches import is_on, is_placeholder, literals

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD421",
    name="partial-chunks",
    severity=Severity.ERROR,
    title="The last, partial chunk of a prompt would not be transferred",
    fix="remove LMCACHE_SAVE_UNFULL_CHUNK",
    sources=("LMCache issue 2540", "LMCache 0.4.3, start of the PD mode"),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("B-23",),
    tags=("kv-transfer",),
    example=Example(
        before='spec: {worker: {environmentVariables: [{name: LMCACHE_SAVE_UNFULL_CHUNK, value: "False"}]}}',
        after='spec: {worker: {environmentVariables: [{name: LMCACHE_SAVE_UNFULL_CHUNK, value: "True"}]}}',
    ),
)

NAME = "LMCACHE_SAVE_UNFULL_CHUNK"
_TRANSFER = "--kv-transfer-config"
_DISCARD = re.compile(r"discard_partial_chunks\W+true", re.IGNORECASE)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    for variable, value in literals(endpoint, (NAME,)):
        if not is_on(value) and not is_placeholder(value):
            yield Hit(variable.value_path, f"{NAME} is '{value}': the end of each prompt is computed twice")
    for role in endpoint.roles:
        for argument in role.arguments.occurrences(_TRANSFER):
            if any(_DISCARD.search(value) for value in argument.values):
                yield Hit(
                    argument.path,
                    f"{_TRANSFER} of {role.role} sets discard_partial_chunks",
                    Severity.WARNING,
                    "remove discard_partial_chunks",
                )
