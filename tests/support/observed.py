"""Rules of every example environment, and of shapes that no example has."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from hyperpod_dpd.blueprint.model import Blueprint
from hyperpod_dpd.blueprint.resolve import resolve
from hyperpod_dpd.blueprint.watching import ObjectivesPlan
from hyperpod_dpd.config import load_environment
from hyperpod_dpd.observability.rules import EndpointRules, environment_rules
from tests.support.documents import ENVIRONMENTS

NAMES = sorted(path.stem for path in ENVIRONMENTS.glob("*.yaml"))


@cache
def blueprint_of(name: str) -> Blueprint:
    return resolve(load_environment(ENVIRONMENTS / f"{name}.yaml"))


@cache
def several() -> Blueprint:
    """Two endpoints, two decoders, both objectives."""
    base = blueprint_of("prod")
    (plan,) = base.endpoints
    objectives = ObjectivesPlan(inter_token_latency_p99_seconds=0.04, time_to_first_token_p95_seconds=2.0)
    roles = tuple(replace(role, replicas=2) for role in plan.roles)
    objectives = replace(objectives, failed_requests_share=0.01, around_the_clock=True)
    chat = replace(plan, name="chat", roles=roles, objectives=objectives)
    assert base.observability is not None
    watched = replace(base.observability, canary=True)
    return replace(base, name="several", endpoints=(plan, chat), observability=watched)


@cache
def wide(*, objectives: bool) -> EndpointRules:
    """Rules of an endpoint with three prefillers and two decoders, which have every alert."""
    base = blueprint_of("dev")
    (plan,) = base.endpoints
    roles = tuple(replace(role, replicas=3 if role.role == "prefill" else 2) for role in plan.roles)
    wanted = ObjectivesPlan(around_the_clock=not objectives)
    if objectives:
        wanted = ObjectivesPlan(
            inter_token_latency_p99_seconds=0.04,
            time_to_first_token_p95_seconds=5.0,
            failed_requests_share=0.01,
        )
    assert base.observability is not None
    watched = replace(base.observability, canary=True)
    plan = replace(plan, roles=roles, objectives=wanted)
    (rules,) = environment_rules(replace(base, endpoints=(plan,), observability=watched))
    return rules


ALL = [*NAMES, "several"]


@cache
def rules_of(name: str) -> tuple[EndpointRules, ...]:
    return environment_rules(named(name))


def named(name: str) -> Blueprint:
    """The blueprint behind a name of ALL."""
    return several() if name == "several" else blueprint_of(name)
