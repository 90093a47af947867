"""
What it checks
--------------
That each role limits the sequences it runs at once.

Why it matters
--------------
AWS's tuning table starts with a low number on prefill and twice that on decode. vLLM's own default is far above both,
so that the first overload shows as memory pressure and not as a queue.

When this is fine
-----------------
Where a load test showed that vLLM's default does no harm.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD513",
    name="max-num-seqs-unset",
    severity=Severity.INFO,
    title="--max-num-seqs is left to vLLM",
    fix="set --max-num-seqs in the arguments of each role",
    sources=("SageMaker developer guide, DPD page, tuning table",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R105",),
    tags=("arguments",),
    example=Example(
        before="spec: {pdSpec: {prefillSpec: {args: {--max-num-seqs: null}}}}",
        after="spec: {pdSpec: {prefillSpec: {args: {--max-num-seqs: 16}}, decodingSpec: {args: {--max-num-seqs: 32}}}}",
    ),
)

FLAG = "--max-num-seqs"


def check(endpoint: EndpointView) -> Iterator[Hit]:
    documented = engine_defaults.documented()
    advised = {"prefill": documented.prefill_max_num_seqs, "decode": documented.decode_max_num_seqs}
    without = [role for role in endpoint.roles if role.arguments.last(FLAG) is None]
    if without:
        wanted = " and ".join(f"{advised[role.role]} on {role.role}" for role in without)
        yield Hit(
            (*without[0].path, "args"),
            f"{FLAG} is unset; AWS starts with {wanted}",
            fix=f"set {FLAG} to {wanted}",
        )
