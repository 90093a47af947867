"""
What it checks
--------------
That the PD buffer of one rank has at least as many pages as the longest prompt the engine accepts.

Why it matters
--------------
The decoder's allocation loop has one thread and no timeout. A prompt that needs more pages than the buffer has can
never be received: it waits for ever, and every disaggregated request of every prefiller waits behind it.

When this is fine
-----------------
Never; lower --max-model-len if memory allows no larger buffer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lib.catalog import engine_defaults
from lib.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from lib.sizing.pd_buffer import PdBuffer, smallest_buffer_bytes

if TYPE_CHECKING:
    from lib.view.endpoint import EndpointView

RULE = Rule(
    id="DPD402",
    name="buffer-holds-longest-prompt",
    severity=Severity.ERROR,
    title="The PD buffer is smaller than the longest prompt",
    fix="raise PD_BUFFER_SIZE or lower --max-model-len",
    sources=(
        "LMCache 0.4.3, PD backend, allocation loop (R65)",
        "LMCache issue 4209",
    ),
    applies_to=AppliesTo.DISAGGREGATED,
    waivable=False,
    tags=("kv-transfer", "sizing"),
    example=Example(
        before='spec: {worker: {environmentVariables: [{name: PD_BUFFER_SIZE, value: "536870912"}]}}',
        after='spec: {worker: {environmentVariables: [{name: PD_BUFFER_SIZE, value: "8587837440"}]}}',
    ),
)

NAME = "PD_BUFFER_SIZE"


def check(endpoint: EndpointView) -> Iterator[Hit]:
    chunk = engine_defaults.lmcache().chunk_tokens
    text = endpoint.environment.value(NAME)
    if text is not None and not text.isdecimal():
        return
    size = int(text) if text is not None else engine_defaults.documented().pd_buffer_bytes
    model = endpoint.model
    lengths = [(role, _longest(role.arguments.integer("--max-model-len"), model)) for role in endpoint.roles]
    for role, tokens in lengths:
        page = model.page_bytes(role)
        if page is None or tokens is None:
            continue
        buffer = PdBuffer(bytes=size, page_bytes=page, chunk_tokens=chunk)
        if buffer.can_hold(tokens):
            continue
        need = smallest_buffer_bytes(page_bytes=page, chunk_tokens=chunk, max_prompt_tokens=tokens)
        yield Hit(
            endpoint.where_variable(NAME),
            f"{size:,} bytes hold {buffer.pages:,} pages of {page:,} bytes, so prompts up to "
            f"{buffer.capacity_tokens:,} tokens; {role.role} accepts {tokens:,} tokens",
            fix=f"set PD_BUFFER_SIZE to {need} or more, or --max-model-len to {buffer.capacity_tokens} or less",
        )
        return


def _longest(declared: int | None, model: object) -> int | None:
    """The engine's own limit where no flag sets one: what the model was trained for."""
    geometry = getattr(model, "geometry", None)
    return declared if declared is not None else getattr(geometry, "max_position_tokens", None)
