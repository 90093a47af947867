"""The recorded scenarios that previews draw."""

from __future__ import annotations

from hyperpod_dpd.observability.scenarios import courses as c
from hyperpod_dpd.observability.scenarios import traffic as t
from hyperpod_dpd.observability.scenarios.scenario import scenario as _s
from hyperpod_dpd.observability.scenarios.state import SLOW_WIRE

LIVE = (
    _s("healthy", "Healthy: a mix of long and short prompts", t.mixed, c.fine),
    _s(
        "hash-seed-mismatch",
        "The decoder was restarted without a hash seed",
        t.mixed,
        c.since(20, "decode", landing=0.0, none_hash="2e"),
        *("KvNotLanding", "DecoderRecomputesLongPrompts", "HashSeedSkew"),
    ),
    _s(
        "efa-fallback",
        "KV cache goes over TCP",
        t.mixed,
        c.both(c.since(20, "prefill", wire=SLOW_WIRE), c.since(20, efa=False)),
        *("KvWireSlow", "EfaSilent"),
    ),
    _s("buffer-leak", "The decoder does not free pages", t.evening, c.leaking, "BufferLeak"),
    _s(
        "saturated-decoder",
        "More requests than the decoder can run",
        t.mixed,
        c.both(c.since(20, "decode", waiting=14, running=1024), c.since(20, slow_tokens=True)),
        "DecoderSaturated",
    ),
    _s(
        "prefiller-restart",
        "A prefiller restarts and the decoder keeps the old connection",
        t.mixed,
        c.restart(30, "prefill", landing=0.0),
        *("KvNotLanding", "DecoderRecomputesLongPrompts", "StaleDecoderAfterPrefillerRestart"),
    ),
)
"""The live test replays them too."""
