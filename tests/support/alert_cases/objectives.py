"""Cases of the alerts on error budgets."""

from __future__ import annotations

from hyperpod_dpd.catalog import metrics
from hyperpod_dpd.observability.scenarios.series import of_decode, of_router
from hyperpod_dpd.observability.signals import FIRST_TOKEN, Objective, Signals
from tests.support.alert_cases.case import Case, flat, steady


def burn(s: Signals, objective: Objective, severity: str) -> tuple[Case, ...]:
    """At true durations: the slow windows are days long and sampled every five minutes."""
    rates = [rate for rate in metrics.burn_rates() if rate.severity == severity]
    fast = severity == "critical"
    over = min(rates[0].factor * objective.budget * 1.1, 1)
    within = rates[-1].factor * objective.budget * 0.9
    step, count, at = ("30s", 200, "90m") if fast else ("5m", 900, "60h")

    def events(missed: float, every: float = 1000.0) -> dict[str, str]:
        of = of_router if objective.histogram == FIRST_TOKEN else of_decode
        return {
            of(s, f"{objective.histogram}_count"): steady(every, count=count),
            of(s, f"{objective.histogram}_bucket", le=f"{objective.bound_seconds}"): steady(
                round(every * (1 - missed), 6), count=count
            ),
        }

    few = 0.2 * objective.least_events / (120 if fast else 288)
    return (
        Case(name="over the limit", fires=True, at=at, series=events(over), step=step),
        Case(
            name="the first minutes of an endpoint",
            fires=False,
            at="12m" if fast else "10m",
            series=events(over),
            step=step,
        ),
        Case(name="just within", fires=False, at=at, series=events(within), step=step),
        Case(
            name="every one of a few events is late",
            fires=False,
            at=at,
            series=events(1, every=few),
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
