"""Shapes of traffic, and of operation, in which nothing may fire."""

from __future__ import annotations

from hyperpod_dpd.observability.scenarios import courses as c
from hyperpod_dpd.observability.scenarios import traffic as t
from hyperpod_dpd.observability.scenarios.scenario import scenario as _s
from tests.support.scenarios import courses as own_courses
from tests.support.scenarios import traffic as own_traffic

HEALTHY = (
    _s("only-short", "Only short prompts", own_traffic.short, c.fine),
    _s("only-long", "Only long prompts", own_traffic.long, c.fine),
    _s("bursts", "Bursts of a minute", own_traffic.bursts, own_courses.burst_load, minutes=150),
    _s("hourly", "A long request an hour", own_traffic.hourly, c.fine, minutes=190),
    _s("hourly-short", "A short request an hour", own_traffic.hourly_short, c.fine, minutes=190),
    _s("very-long", "A very long prompt every five minutes", own_traffic.very_long, c.fine),
    _s("idle", "Nothing at all", own_traffic.nothing, c.fine),
    _s(
        "conversations", "Prompts that the decoder has in its prefix cache", own_traffic.conversations, c.fine
    ),
    _s(
        "all-cached",
        "Prefix-cache hits near 100 %, and middling prompts",
        own_traffic.all_heard_before,
        c.fine,
    ),
    _s("japanese", "Long prompts that the router takes for short ones", own_traffic.japanese, c.fine),
    _s("blend", "All kinds of prompts at once", own_traffic.blend, c.fine, pods=(3, 2)),
    _s(
        "blend-restart",
        "All kinds of prompts at once, and a prefiller restarts",
        own_traffic.blend,
        c.restart(30, "prefill/1"),
        pods=(3, 2),
    ),
    _s(
        "router-flaps",
        "The router's target misses a scrape now and then",
        t.mixed,
        own_courses.router_flapping,
    ),
    _s(
        "handshakes",
        "The first transfers of each half hour are slow",
        t.mixed,
        own_courses.handshakes,
        minutes=120,
    ),
    _s("ramp", "From nothing to full load", own_traffic.ramp, c.fine),
    _s("busy-and-idle", "Ten minutes busy, fifteen idle", t.evening, c.fine),
    _s("nights", "Long idle nights", own_traffic.days, c.fine, minutes=15 * 60, step_seconds=60),
    _s(
        "batch",
        "A batch job at three in the morning",
        own_traffic.batch_at_three,
        own_courses.batch_load,
        minutes=600,
        step_seconds=60,
    ),
    _s(
        "warm-up",
        "The first hour of an endpoint",
        lambda n: t.mixed(n) if n >= 24 else (),
        own_courses.warm_up,
    ),
    _s("gaps", "Nothing is collected for two minutes now and then", t.mixed, own_courses.gaps),
    _s("restart", "A prefiller restarts, and all is well", t.mixed, c.restart(30, "prefill")),
    _s("decoder-restart", "The decoder restarts, and all is well", t.mixed, c.restart(30, "decode")),
    _s(
        "restart-cached",
        "A prefiller restarts while the decoder has most prompts in its cache",
        own_traffic.all_heard_before,
        c.restart(30, "prefill"),
    ),
    _s(
        "rollout",
        "Both roles are replaced by another image",
        t.mixed,
        c.both(
            own_courses.replace(30, "prefill", image="v1.2"), own_courses.replace(31, "decode", image="v1.2")
        ),
    ),
    _s(
        "rolling-update",
        "Pod after pod gets another image, within the time that a deployment may take",
        own_traffic.heavy,
        c.both(
            *(own_courses.replace(70 + 8 * n, f"prefill/{n}", down=7, image="v1.2") for n in range(3)),
            *(own_courses.replace(94 + 8 * n, f"decode/{n}", down=7, image="v1.2") for n in range(2)),
        ),
        minutes=180,
        pods=(3, 2),
    ),
    _s(
        "drained",
        "One prefiller of three is drained",
        own_traffic.heavy,
        c.both(
            c.since(20, "prefill/1", served=False),
            c.since(25, "prefill/1", up=False),
            c.since(25, wanted_prefillers=2),
        ),
        pods=(3, 2),
    ),
    _s(
        "scaled-to-zero",
        "Both roles are scaled to zero on purpose",
        lambda n: t.mixed(n) if n < 60 else (),
        c.both(c.since(30, "pods", up=False), c.since(30, wanted_prefillers=0, wanted_decoders=0)),
    ),
)
