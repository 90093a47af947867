"""
What it checks
--------------
That --disable-log-stats is absent from both roles.

Why it matters
--------------
The flag sounds as if it made logs shorter. It also ends the metrics of requests, queues and the KV cache:
dashboards stay empty, and the alerts on silent failures never fire.

When this is fine
-----------------
On an endpoint whose metrics nobody reads.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.document import Path
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD918",
    name="statistics-off",
    severity=Severity.WARNING,
    title="The engine publishes no metrics of its own",
    fix="remove --disable-log-stats",
    sources=("vLLM 0.19.0, asynchronous engine: Prometheus's logger is made only with statistics on",),
    applies_to=AppliesTo.DISAGGREGATED,
    tags=(
        "observability",
        "silent",
    ),
    example=Example(
        before="""
spec: {worker: {args: {--disable-log-stats: true}}}
""",
        after="""
spec: {worker: {args: {--disable-log-requests: true}}}
""",
    ),
)

_FLAG = "--disable-log-stats"


def check(endpoint: EndpointView) -> Iterator[Hit]:
    seen: set[Path] = set()
    for role in endpoint.roles:
        path = role.where(_FLAG)
        if role.arguments.enabled(_FLAG) and path not in seen:
            seen.add(path)
            yield Hit(path, f"{_FLAG} ends the metrics of {role.role} too, not its log lines alone")
