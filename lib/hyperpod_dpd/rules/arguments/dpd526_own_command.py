"""
What it checks
--------------
worker.command, and arguments that begin with a command such as vllm serve.

Why it matters
--------------
The operator wires the roles through what it adds to the container. An entry point of one's own may pass it by; that
it does is not confirmed. A command in args runs twice, as the images already begin with it.

When this is fine
-----------------
With an image that has no entry point, once both roles' start-up lines show their role.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.document import Path
    from hyperpod_dpd.iec.arguments import Arguments
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD526",
    name="own-command",
    severity=Severity.WARNING,
    title="The container's entry point is replaced",
    fix="remove worker.command and leave the entry point to the image and the operator",
    sources=(
        "InferenceEndpointConfig CRD, operator 3.2, worker.command",
        "observed in manifests that repeat the image's entry point in args",
    ),
    applies_to=AppliesTo.DISAGGREGATED,
    tags=("arguments",),
    example=Example(
        before="spec: {worker: {command: [vllm, serve]}}", after="spec: {worker: {command: null}}"
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    command = endpoint.get("worker", "command")
    if command:
        shown = " ".join(map(str, command)) if isinstance(command, list) else str(command)
        yield Hit(
            ("spec", "worker", "command"),
            f"command is '{shown}'; that the operator's wiring of the roles survives it is not confirmed",
        )
        return
    lists: list[tuple[Arguments, Path]] = [(endpoint.worker_arguments, ("spec", "worker"))]
    lists += [(role.own_arguments, role.path) for role in endpoint.roles]
    for arguments, place in lists:
        if arguments.command:
            yield Hit(
                (*place, "args", 0),
                f"the arguments begin with '{' '.join(arguments.command)}', which the image runs itself",
                fix=f"remove {' '.join(arguments.command)} from the arguments",
            )
            return
