"""Objectives on tail latencies as error budgets: how fast they burn, over two windows at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import metrics
from hyperpod_dpd.observability.model import Alert, Omitted, Recording
from hyperpod_dpd.observability.promql import milliseconds, number, select
from hyperpod_dpd.observability.signals import ANSWERED, COMPLETIONS, FIRST_TOKEN

if TYPE_CHECKING:
    from hyperpod_dpd.catalog.metrics import BurnRate
    from hyperpod_dpd.observability.signals import Objective, Signals

_TITLES = {
    "InterToken": "inter-token latency",
    "FirstToken": "time to the first token",
    ANSWERED: "requests answered",
}
_SPEED = {"critical": "Fast", "warning": "Slow"}


def burn_rates(budget: float) -> tuple[BurnRate, ...]:
    """The windows with the factors that this budget can reach: half of all events is the most that is asked for."""
    most = metrics.limit("most_missed_share") / budget
    return tuple(replace(rate, factor=round(min(rate.factor, most), 6)) for rate in metrics.burn_rates())


def least_missed(window: str) -> float:
    """Requests that must have gone wrong within a window before anybody is told."""
    hours = milliseconds(window) / 3_600_000
    return max(metrics.limit("missed_requests"), metrics.limit("missed_requests_per_hour") * hours)


def recordings(objective: Objective) -> tuple[Recording, ...]:
    """The share of events that miss an objective, over every window that an alert asks for."""
    windows = sorted({w for rate in metrics.burn_rates() for w in (rate.long, rate.short)}, key=milliseconds)
    return tuple(
        Recording(record=_record(objective, window), expr=_missed(objective, window)) for window in windows
    )


def alerts(s: Signals) -> tuple[Alert | Omitted, ...]:
    """The alerts on this subject, or why the endpoint cannot have one."""
    found: list[Alert | Omitted] = []
    for objective in s.objectives:
        found += [_burn(s, objective, severity) for severity in ("critical", "warning")]
        if objective.histogram:
            found.append(_unmeasured(s, objective))
    declared = {objective.name for objective in s.objectives}
    for name, key in (
        ("InterToken", "inter_token_latency_p99_ms"),
        ("FirstToken", "time_to_first_token_p95_ms"),
        (ANSWERED, "failed_requests_percent"),
    ):
        if name not in declared:
            reason = f"objectives.{key} is not declared, or beyond the last bucket bound: no SLO"
            found.append(Omitted(alert=f"Dpd{name}BudgetBurn", reason=reason))
    return tuple(found)


def _record(objective: Objective, window: str) -> str:
    return f"dpd:slo_{objective.name.lower()}_missed:ratio_rate{window}"


def _counts(objective: Objective) -> tuple[str, str]:
    bound = f'le="{objective.bound_seconds}"'
    return (
        select(f"{objective.histogram}_bucket", objective.selector, bound),
        select(f"{objective.histogram}_count", objective.selector),
    )


def _missed(objective: Objective, window: str) -> str:
    """1 - met / all. clamp_min: two counters of one histogram can differ by a rounding."""
    if not objective.histogram:
        return _failed(objective, window)
    met, every = _counts(objective)
    return f"clamp_min(1 - sum(rate({met}[{window}])) / (sum(rate({every}[{window}])) > 0), 0)"


def _failed(objective: Objective, window: str) -> str:
    """The worst of what the proxies count one by one and what the engines answered: a share of one is lost in a sum."""
    errors, invocations = (
        f"sum by (resource_name) (rate({select(name, objective.selector)}[{window}]))"
        for name in ("model_errors_total", "model_invocations_total")
    )
    answered = objective.requests
    server_errors = answered.replace(COMPLETIONS, f'{COMPLETIONS},status="5xx"')
    engines = f"sum(rate({server_errors}[{window}])) / (sum(rate({answered}[{window}])) > 0)"
    return (
        f"clamp_max(max({errors} / ({invocations} > 0)\n"
        f'or label_replace({engines}, "resource_name", "engines", "", "")), 1)'
    )


def _burn(s: Signals, objective: Objective, severity: str) -> Alert:
    """Any of its pairs of windows."""
    rates = [rate for rate in burn_rates(objective.budget) if rate.severity == severity]
    parts = [f"({_exceeds(s, objective, rate)})" for rate in rates]
    title = _TITLES[objective.name]
    share = number(round(objective.percentile * 100, 6))
    return Alert(
        name=f"Dpd{objective.name}BudgetBurn{_SPEED[severity]}",
        expr="\nor ".join(parts),
        hold="2m" if severity == "critical" else "15m",
        keep="10m",
        severity="critical" if severity == "critical" else "warning",
        summary=(
            f"{title[0].upper()}{title[1:]} misses its objective" if objective.histogram else "Requests fail"
        )
        + (" and burns its budget fast" if severity == "critical" else ", slowly and steadily"),
        meaning=(
            f"{share} % of events are to stay within {number(objective.declared_seconds)} s, measured at "
            f"the bucket bound {objective.bound_seconds} s. "
            if objective.histogram
            else f"{share} % of the requests are to be answered without a server error. "
        )
        + "Budget of a month is gone in "
        + ("a few days at this rate." if severity == "critical" else "less than a month at this rate."),
        first_command="kubectl -n @{namespace} get pods -l '@{role_label} in (prefill, decode)' -o wide",
    )


def _exceeds(s: Signals, objective: Objective, rate: BurnRate) -> str:
    limit = number(round(rate.factor * objective.budget, 9))
    long, short = (f"{_record(objective, window)}{{{s.own}}} > {limit}" for window in (rate.long, rate.short))
    missed = f"sum({_record(objective, rate.long)}{{{s.own}}}) * {_requests(objective, rate.long)}"
    before = f"{objective.requests} offset {_young(rate.long)}"
    if not objective.histogram:
        proxied = select("model_invocations_total", objective.selector)
        before = f"{before} or {proxied} offset {_young(rate.long)}"
    return (
        f"{long} and {short} and on () ({missed} >= {number(least_missed(rate.long))})"
        f" and on () (count({before}) > 0)"
    )


def _requests(objective: Objective, window: str) -> str:
    """What clients sent within a window; of engines and proxies whoever counted more."""
    engines = f"sum(increase({objective.requests}[{window}]))"
    if objective.histogram:
        return engines
    proxied = select("model_invocations_total", objective.selector)
    return (
        f"max(sum by (resource_name) (increase({proxied}[{window}]))"
        f' or label_replace({engines}, "resource_name", "engines", "", ""))'
    )


def _young(window: str) -> str:
    """An endpoint that is younger than this has little but its first transfers in the window."""
    return f"{max(milliseconds(window) // 4 // 60_000, 15)}m"


def _unmeasured(s: Signals, objective: Objective) -> Alert:
    """A histogram whose bounds are others than assumed would leave the objective silent."""
    met, every = _counts(objective)
    return Alert(
        name=f"Dpd{objective.name}ObjectiveUnmeasured",
        expr=f"sum(increase({every}[30m])) > 0 unless on () (count({met}) > 0)"
        f" and on () (count({every}) > 0)",
        hold="15m",
        severity="warning",
        summary=f"The objective on {_TITLES[objective.name]} is not measured",
        meaning=f"{objective.histogram} has no bucket that ends at {objective.bound_seconds} s, so the share "
        "of late events cannot be told. The bounds in the catalogue differ from those of the running version.",
        first_command=_where(objective),
    )


def _where(objective: Objective) -> str:
    """The router's port for metrics is not published: its containers say which they declare."""
    if objective.histogram == FIRST_TOKEN:
        return (
            "kubectl -n @{operator_namespace} get deployment @{router_deployment} -o jsonpath="
            '\'{range .spec.template.spec.containers[*]}{.name}{" "}{.ports[*].containerPort}{"\\n"}{end}\''
        )
    return (
        "kubectl -n @{namespace} exec deployment/@{decode_deployment} -c @{decode_deployment}"
        f" -- sh -c 'curl -s localhost:@{{port}}/metrics' | grep {objective.histogram}_bucket | head -20"
    )
