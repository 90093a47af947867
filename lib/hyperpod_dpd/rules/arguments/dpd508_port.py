"""
What it checks
--------------
That --port, or vLLM's own default where it is absent, is containerPort, for each role. On a colocated endpoint it is
a warning, and only where the image is one of vLLM's.

Why it matters
--------------
The proxy in the pod forwards to containerPort. If nobody listens there, the pod is never ready, or requests to the
prefiller are refused and the decoder does all the work.

When this is fine
-----------------
Where the container's entry point sets the port by other means than arguments.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.view.engine import runs_vllm

if TYPE_CHECKING:
    from hyperpod_dpd.document import Path
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD508",
    name="port",
    severity=Severity.ERROR,
    title="The engine listens on another port than the pod's",
    fix="give --port the value of worker.modelInvocationPort.containerPort",
    sources=(
        "SageMaker developer guide, DPD page, example",
        "llm-d-benchmark pull request 878, a sidecar that asked another port",
    ),
    applies_to=AppliesTo.ENDPOINT,
    covers=("R96", "B-30", "E-97"),
    tags=("arguments", "routing"),
    example=Example(
        before="spec: {worker: {args: {--port: 8200}}}", after="spec: {worker: {args: {--port: 8000}}}"
    ),
)

FLAG = "--port"


def check(endpoint: EndpointView) -> Iterator[Hit]:
    port = endpoint.port
    if port is None or not runs_vllm(endpoint):
        return
    seen: set[Path] = set()
    for role in endpoint.roles:
        given = role.arguments.last(FLAG)
        listens = role.arguments.integer(FLAG) if given else engine_defaults.vllm().port
        if listens is None or listens == port:
            continue
        path = given.value_path if given else ("spec", "worker", "modelInvocationPort", "containerPort")
        if path not in seen:
            seen.add(path)
            yield Hit(
                path,
                f"vLLM listens on {listens}{'' if given else ', its default, since --port is absent'}, "
                f"and containerPort is {port}",
                None if endpoint.disaggregated else Severity.WARNING,
                fix=f"add --port {port} to worker.args" if given is None else None,
            )
