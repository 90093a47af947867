"""
What it checks
--------------
That no LMCache mode is switched on that excludes PD mode: a remote store (LMCACHE_REMOTE_URL) or peer-to-peer
sharing (LMCACHE_ENABLE_P2P).

Why it matters
--------------
LMCache asserts that both are off in PD mode. The failed assertion ends the connector's start, and the pod may
serve without it: every prompt is computed twice.

When this is fine
-----------------
Never on a disaggregated endpoint with the supported images.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.rules.variables.switches import is_on, literals

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD412",
    name="other-cache-modes",
    severity=Severity.ERROR,
    title="An LMCache mode that excludes disaggregation is on",
    fix="remove LMCACHE_REMOTE_URL and LMCACHE_ENABLE_P2P",
    sources=("LMCache 0.4.3, checks of the configuration",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R70",),
    tags=("kv-transfer",),
    example=Example(
        before="""
spec:
  worker:
    environmentVariables:
    - {name: LMCACHE_REMOTE_URL, value: "redis://cache.example.com:6379"}
""",
        after="""
spec:
  worker:
    environmentVariables:
    - {name: LMCACHE_ENABLE_P2P, value: "false"}
""",
    ),
)

REMOTE = "LMCACHE_REMOTE_URL"
PEER_TO_PEER = "LMCACHE_ENABLE_P2P"


def check(endpoint: EndpointView) -> Iterator[Hit]:
    remote = endpoint.environment.get(REMOTE)
    if remote is not None and remote.value != "":
        yield Hit(
            remote.value_path,
            f"{REMOTE} is set; PD mode allows no remote store",
            fix=f"remove {REMOTE}",
        )
    for variable, value in literals(endpoint, (PEER_TO_PEER,)):
        if is_on(value):
            yield Hit(
                variable.value_path,
                f"{PEER_TO_PEER} is '{value}'; PD mode excludes peer-to-peer sharing",
                fix=f"remove {PEER_TO_PEER}",
            )
