"""
What it checks
--------------
Whether the model's files leave two widths of the KV cache possible while --kv-cache-dtype is not given.

Why it matters
--------------
A second quantisation file may ask for an 8-bit cache that config.json does not mention. Which one holds
decides by a factor of two over pages, buffer and concurrency, and every figure here with them.

When this is fine
-----------------
Where the start-up log of both roles shows the width that is assumed here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD810",
    name="kv-dtype-open",
    severity=Severity.WARNING,
    title="The model leaves open how wide its KV cache is",
    fix="give both roles the same --kv-cache-dtype",
    sources=("config.json and hf_quant_config.json of published FP8 models, which disagree",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("F-10",),
    tags=("sizing",),
    example=Example(
        before="endpoints: {llama-70b: {model: {catalogue: llama-3.1-70b-instruct-fp8-nvidia}}}",
        after="""
endpoints:
  llama-70b:
    model: {catalogue: llama-3.1-70b-instruct-fp8-nvidia}
    engine: {kv_cache_dtype: fp8}
""",
        of="environment",
    ),
)

FLAG = "--kv-cache-dtype"


def check(endpoint: EndpointView) -> Iterator[Hit]:
    roles = [role for role in endpoint.roles if role.arguments.get(FLAG) in (None, "auto")]
    if not roles:
        return
    model = endpoint.model
    width = model.geometry.kv_dtype
    settled = model.entry is not None and model.entry.kv_dtype is not None
    if settled or width.alternative_bits is None:
        return
    yield Hit(
        roles[0].where(FLAG),
        f"the cache may take {width.bits} or {width.alternative_bits} bits an element; {width.bits} are assumed "
        f"({width.source})",
    )
