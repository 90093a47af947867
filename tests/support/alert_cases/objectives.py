"""Cases of the alerts on error budgets."""

from __future__ import annotations

from collections.abc import Callable

from hyperpod_dpd.observability.alerts.objectives import burn_rates
from hyperpod_dpd.observability.scenarios.series import of_decode, of_router
from hyperpod_dpd.observability.signals import FIRST_TOKEN, Objective, Signals
from tests.support.alert_cases.case import Case, flat, steady

_STEPS = {"critical": ("30s", 240, "100m"), "warning": ("5m", 900, "60h")}
"""The slow windows are days long and sampled every five minutes."""


def burn(s: Signals, objective: Objective, severity: str) -> tuple[Case, ...]:
    """At true durations."""
    rates = [rate for rate in burn_rates(objective.budget) if rate.severity == severity]
    fast = severity == "critical"
    over = min(max(rate.factor for rate in rates) * objective.budget * 1.1, 1)
    within = min(rate.factor for rate in rates) * objective.budget * 0.9
    step, count, at = _STEPS[severity]
    asked = of_decode(s, "vllm:request_success_total", finished_reason="stop")

    def events(missed: float, requests: float = 10.0) -> dict[str, str]:
        of = of_router if objective.histogram == FIRST_TOKEN else of_decode
        every = requests if objective.histogram == FIRST_TOKEN else requests * 300
        bucket = of(s, f"{objective.histogram}_bucket", le=f"{objective.bound_seconds}")
        return {
            asked: steady(requests, count=count),
            of(s, f"{objective.histogram}_count"): steady(every, count=count),
            bucket: steady(round(every * (1 - missed), 6), count=count),
        }

    cases = [
        Case(name="over the limit", fires=True, at=at, series=events(over), step=step),
        Case(name="the first minutes of an endpoint", fires=False, at="14m", series=events(over), step=step),
        Case(name="just within", fires=False, at=at, series=events(within), step=step),
        Case(
            name="one bad answer an hour, and no other",
            fires=False,
            at=at,
            series=events(1, requests=1 / 120 if fast else 1 / 12),
            step=step,
        ),
    ]
    if fast:
        cases.append(
            Case(name="nine of ten are bad, for nine minutes", fires=True, at="69m", series=_sudden(events))
        )
    return tuple(cases)


def _sudden(events: Callable[..., dict[str, str]]) -> dict[str, str]:
    """An hour in which all is well, then a tenth of it."""
    good, bad = events(0.0), events(0.9)
    return {key: _turned(good[key], bad[key]) for key in good}


def _turned(first: str, then: str, at: int = 120) -> str:
    """A counter that grows by one step and, from a sample on, by another."""
    step, other = (float(text.partition("+")[2].partition("x")[0]) for text in (first, then))
    return f"0+{step}x{at} {step * at + other}+{other}x100"


def failing(s: Signals, objective: Objective, severity: str) -> tuple[Case, ...]:
    """What the engines answer, and what a proxy alone sees."""
    rates = [rate for rate in burn_rates(objective.budget) if rate.severity == severity]
    over = max(rate.factor for rate in rates) * objective.budget * 1.1
    step, count, at = _STEPS[severity]

    def answers(failed: float, requests: float = 10.0) -> dict[str, str]:
        return {
            of_decode(
                s, "http_requests_total", handler="/v1/completions", method="POST", status=status
            ): steady(round(each, 6), count=count)
            for status, each in (("2xx", requests * (1 - failed)), ("5xx", requests * failed))
        }

    proxied = {
        of_decode(s, "model_invocations_total"): steady(10, count=count),
        of_router(s, "model_invocations_total"): steady(10, count=count),
        of_router(s, "model_errors_total"): steady(10 * over, count=count),
    }
    return (
        Case(name="engines answer with errors", fires=True, at=at, series=answers(over), step=step),
        Case(name="the router alone fails", fires=True, at=at, series={**answers(0), **proxied}, step=step),
        Case(name="all are answered", fires=False, at=at, series=answers(0), step=step),
        Case(
            name="one request an hour, and it fails",
            fires=False,
            at=at,
            series=answers(1, requests=1 / 120 if severity == "critical" else 1 / 12),
            step=step,
        ),
    )


def unmeasured(s: Signals, objective: Objective) -> tuple[Case, ...]:
    of = of_router if objective.histogram == FIRST_TOKEN else of_decode
    count = of(s, f"{objective.histogram}_count")
    bucket = of(s, f"{objective.histogram}_bucket", le=f"{objective.bound_seconds}")
    return (
        Case(name="no such bucket", fires=True, at="60m", series={count: steady(10)}),
        Case(name="measured", fires=False, at="60m", series={count: steady(10), bucket: steady(10)}),
        Case(name="no events", fires=False, at="60m", series={count: flat(10)}),
    )
