"""
What it checks
--------------
That --kv-cache-dtype of each role is one whose width the sizing knows.

Why it matters
--------------
Page, buffer and memory follow from the width of an element. With a type that nobody knows they are not judged;
and vLLM refuses a misspelled one at start.

When this is fine
-----------------
For a type of a newer vLLM than the catalogue knows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.document import Path
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.rules.variables.switches import is_placeholder
from hyperpod_dpd.sizing.errors import UnknownKvDtype
from hyperpod_dpd.sizing.kv_dtype import bits_of

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD529",
    name="kv-dtype-unknown",
    severity=Severity.WARNING,
    title="A data type of the KV cache whose size is not known",
    fix="write one of the types that vLLM lists, such as fp8 or bfloat16",
    sources=("vLLM 0.19.0, cache configuration",),
    applies_to=AppliesTo.DISAGGREGATED,
    tags=(
        "arguments",
        "sizing",
    ),
    example=Example(
        before="""
spec: {worker: {args: {--kv-cache-dtype: fp9}}}
""",
        after="""
spec: {worker: {args: {--kv-cache-dtype: fp8}}}
""",
    ),
)

_FLAG = "--kv-cache-dtype"


def check(endpoint: EndpointView) -> Iterator[Hit]:
    seen: set[Path] = set()
    for role in endpoint.roles:
        item = role.arguments.last(_FLAG)
        if item is None or not item.value or item.value == "auto" or is_placeholder(item.value):
            continue
        try:
            bits_of(item.value)
        except UnknownKvDtype:
            path = role.where(_FLAG)
            if path not in seen:
                seen.add(path)
                yield Hit(path, f"{_FLAG} is '{item.value}'; page, buffer and memory are not judged")
