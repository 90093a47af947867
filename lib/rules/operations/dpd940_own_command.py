"""
What it checks
--------------
Whether worker.command replaces the image's entrypoint on a disaggregated endpoint.

Why it matters
--------------
The operator merges arguments and adds the connector, the roles and the transport for the entrypoint it knows.
A command of your own may never see them, and the pods then come up without a role. This is inferred, not
confirmed.

When this is fine
-----------------
Where `dpd verify` shows a sender and a receiver.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lib.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from lib.view.endpoint import EndpointView

RULE = Rule(
    id="DPD940",
    name="own-command",
    severity=Severity.WARNING,
    title="The worker's entrypoint is replaced",
    fix="leave worker.command out and pass flags in worker.args",
    sources=(
        "inferred: the operator wires the roles through the image's entrypoint and arguments; its source is closed",
    ),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("N-command",),
    tags=(
        "operations",
        "kv-transfer",
    ),
    example=Example(
        before="spec: {worker: {command: [python3, -m, vllm.entrypoints.openai.api_server]}}",
        after="spec: {worker: {command: null}}",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    if endpoint.has("worker", "command"):
        yield Hit(
            ("spec", "worker", "command"),
            "worker.command replaces the entrypoint that the operator wires (its effect is not confirmed)",
        )
