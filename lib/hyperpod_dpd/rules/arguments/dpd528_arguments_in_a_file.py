"""
What it checks
--------------
That --config, which reads arguments from a file in the image or a volume, is absent.

Why it matters
--------------
What the file says is seen neither here nor by the operator when it merges the arguments of a role: ports,
parallel sizes and lengths may be others than those that every rule judged.

When this is fine
-----------------
Where the file holds nothing that the roles must agree on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.document import Path
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.view.engine import runs_vllm

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD528",
    name="arguments-in-a-file",
    severity=Severity.WARNING,
    title="Arguments stand in a file that nobody judges",
    fix="write the arguments into the manifest",
    sources=("vLLM 0.19.0, server arguments: --config",),
    applies_to=AppliesTo.ENDPOINT,
    tags=("arguments",),
    example=Example(
        before="""
spec: {worker: {args: {--config: /etc/vllm.yaml}}}
""",
        after="""
spec: {worker: {args: {--config: null}}}
""",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    if not runs_vllm(endpoint):
        return
    seen: set[Path] = set()
    for role in endpoint.roles:
        item = role.arguments.last("--config")
        if item is not None and role.where("--config") not in seen:
            seen.add(role.where("--config"))
            yield Hit(role.where("--config"), f"arguments in {item.value} are not judged")
