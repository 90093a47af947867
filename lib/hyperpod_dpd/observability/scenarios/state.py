"""What a scenario says about an endpoint: requests that arrive, and how each pod is at a moment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

ENGLISH = 1.12
"""Tokens that the router estimates for one real token of English prose."""
HEALTHY_WIRE = 20e9
SLOW_WIRE = 0.3e9


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Tokens of one request.

    ``cached`` of its prompt are in the decoder's own prefix cache; the router estimates ``estimate`` tokens for one.
    """

    prompt: int
    output: int = 300
    cached: int = 0
    estimate: float = ENGLISH


@dataclass(slots=True, kw_only=True)
class Pod:
    """One prefiller or decoder. ``up`` is ready; ``scraped`` whether its metrics are seen.

    ``stuck`` requests run without a token, and to a pod that is ``named_apart`` pages come that it never looks for.
    ``landing`` is the share of a prompt whose KV cache arrives, ``slow_ranks`` gives single ranks their own wire rate
    (bytes per second), ``buffer_share`` is in use while anything runs and ``leaked`` always.
    """

    up: bool = True
    served: bool = True
    scraped: bool = True
    logs_read: bool = True
    efa_seen: bool = True
    generation: int = 0
    restarts: int = 0
    landing: float = 1.0
    wire: float = HEALTHY_WIRE
    slow_ranks: dict[int, float] = field(default_factory=dict)
    waiting: float = 0
    running: float | None = None
    kv_usage: float = 0.4
    leaked: float = 0.0
    buffer_share: float = 0.02
    retries: float = 0.0
    preempted: float = 0.0
    retrievable: float = 1.0
    healthy: bool = True
    image: str = "v1.1"
    none_hash: str = "1f"
    dtype: str = "auto"
    pd_role: str | None = None
    stuck: bool = False
    named_apart: bool = False

    def replace(self) -> None:
        """A new pod with another name stands in its place."""
        self.generation += 1
        self.restarts = 0


@dataclass(slots=True, kw_only=True)
class State:
    """How the endpoint is at one step; a scenario changes it as time goes by. Its pods keep their order."""

    prefillers: list[Pod] = field(default_factory=lambda: [Pod()])
    decoders: list[Pod] = field(default_factory=lambda: [Pod()])
    efa: bool = True
    disaggregating: bool = True
    failing_prefill: float = 0.0
    hung: int = 0
    slow_tokens: bool = False
    router_seen: bool = True
    routers: int = 1
    failing: float = 0.0
    canary: str = "ok"
    wanted_prefillers: int | None = None
    wanted_decoders: int | None = None
    log_exporter: bool = True
    collected: bool = True
    deployed_seconds: float = -1e6

    def pods(self, where: str) -> list[Pod]:
        """Pods of "prefill", "decode" or "pods"; one of them by "prefill/0"."""
        role, _, number = where.partition("/")
        found = {
            "prefill": self.prefillers,
            "decode": self.decoders,
            "pods": [*self.prefillers, *self.decoders],
        }
        return [found[role][int(number)]] if number else found[role]


Traffic = Callable[[int], Sequence[Request]]
"""Requests that arrive within a step."""
Course = Callable[[int, State], None]
"""What happens to the endpoint at a step."""
