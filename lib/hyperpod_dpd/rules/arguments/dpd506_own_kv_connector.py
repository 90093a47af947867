"""
What it checks
--------------
That neither the shared arguments nor a role's set --kv-transfer-config, whole or key by key.

Why it matters
--------------
The operator gives the sender to prefill and the receiver to decode. A second configuration meets both roles alike or
replaces the operator's, and then neither side speaks to the other.

When this is fine
-----------------
Never with pdSpec; on self-managed vLLM the flag is how it is done.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD506",
    name="own-kv-connector",
    severity=Severity.ERROR,
    title="The KV connector is configured by hand",
    fix="remove --kv-transfer-config; the operator adds it for each role",
    sources=(
        "AWS machine learning blog on DPD, what the operator injects",
        "SageMaker developer guide, DPD page",
    ),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R94",),
    tags=("kv-transfer",),
    example=Example(
        before="""spec: {worker: {args: {--kv-transfer-config: '{"kv_connector":"NixlConnector"}'}}}""",
        after="spec: {worker: {args: {--kv-transfer-config: null}}}",
    ),
)

FLAG = "--kv-transfer-config"


def check(endpoint: EndpointView) -> Iterator[Hit]:
    lists = (endpoint.worker_arguments, *(role.own_arguments for role in endpoint.roles))
    for arguments in lists:
        for item in arguments:
            if item.flag.partition(".")[0] == FLAG:
                yield Hit(
                    item.path,
                    f"{item.spelled} is set; the operator sets it itself, differently for each role",
                )
