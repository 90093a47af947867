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

from lib.document import Path
from lib.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from lib.rules.variables.switches import is_placeholder
from lib.sizing.errors import UnknownKvDtype
from lib.sizing.kv_dtype import bits_of

if TYPE_CHECKING:
    from lib.view.endpoint import EndpointView

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
