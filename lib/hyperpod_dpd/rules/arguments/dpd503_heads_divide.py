"""
What it checks
--------------
That the tensor-parallel size of each role divides the attention heads, and that it and the number of KV heads divide
one another.

Why it matters
--------------
vLLM gives each rank whole heads and refuses to start otherwise.

When this is fine
-----------------
Never.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.sizing.errors import SizingError, UnevenSplit
from hyperpod_dpd.sizing.kv_cache import bytes_per_token_per_rank

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD503",
    name="heads-divide",
    severity=Severity.ERROR,
    title="The tensor-parallel size does not divide the model's heads",
    fix="choose a tensor-parallel size that divides the attention heads, and the KV heads or a multiple of them",
    sources=("vLLM 0.19.0, sharding of attention heads",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R92",),
    tags=("arguments", "model"),
    example=Example(
        before="spec: {worker: {args: {--tensor-parallel-size: 6}}}",
        after="spec: {worker: {args: {--tensor-parallel-size: 8}}}",
    ),
)

FLAG = "--tensor-parallel-size"


def check(endpoint: EndpointView) -> Iterator[Hit]:
    judged: set[int] = set()
    for role in endpoint.roles:
        size = role.tensor_parallel_size
        if size <= 1 or size in judged:
            continue
        judged.add(size)
        try:
            bytes_per_token_per_rank(endpoint.model.geometry, tensor_parallel_size=size)
        except UnevenSplit as error:
            yield Hit(role.where(FLAG), f"{role.role} runs at {size}: {str(error).partition(': ')[0]}")
        except SizingError:
            continue
