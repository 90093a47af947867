"""All rules of an environment as groups, and their rendering for Prometheus, AMP and the Prometheus operator."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.model import Note
from hyperpod_dpd.catalog import engine_defaults, metrics
from hyperpod_dpd.observability import recordings
from hyperpod_dpd.observability.alerts import (
    answering,
    availability,
    buffer,
    capacity,
    landing,
    load,
    objectives,
    partly_missing,
    routing,
    skew,
    watching,
    wire,
)
from hyperpod_dpd.observability.model import Alert, Group, Omitted, Recording
from hyperpod_dpd.observability.signals import Signals, signals

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.model import Blueprint, EndpointPlan

INTERVAL = "30s"
_SUBJECTS = (
    ("answering", answering.alerts),
    ("landing", lambda s: (*landing.alerts(s), *partly_missing.alerts(s))),
    ("wire", wire.alerts),
    ("buffer", buffer.alerts),
    ("load", load.alerts),
    ("routing", routing.alerts),
    ("skew", skew.alerts),
    ("availability", lambda s: (*availability.alerts(s), *capacity.alerts(s))),
    ("watching", watching.alerts),
    ("objectives", objectives.alerts),
)
_FIELD = re.compile(r"@\{([a-z_]+)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointRules:
    """The rules of one endpoint and what had to be left out."""

    signals: Signals
    groups: tuple[Group, ...]
    omitted: tuple[Omitted, ...]
    fields: Mapping[str, str]

    @property
    def alerts(self) -> tuple[Alert, ...]:
        return tuple(alert for group in self.groups for alert in group.alerts)


def endpoint_rules(blueprint: Blueprint, plan: EndpointPlan) -> EndpointRules:
    """Recording rules first, then alerts by subject; a colocated endpoint has those of a single role."""
    s = signals(blueprint, plan)
    omitted: list[Omitted] = []
    groups: list[Group] = []

    def add(subject: str, alerts: tuple[Alert | Omitted, ...], records: tuple[Recording, ...] = ()) -> None:
        omitted.extend(item for item in alerts if isinstance(item, Omitted))
        kept = tuple(item for item in alerts if isinstance(item, Alert))
        if kept or records:
            groups.append(
                Group(
                    name=f"dpd-{plan.name}-{subject}",
                    interval=INTERVAL,
                    labels=s.labels,
                    recordings=records,
                    alerts=kept,
                )
            )

    if s.disaggregated:
        add("recording", (), recordings.recordings(s))
    for objective in s.objectives:
        add(f"{objective.name.lower()}-recording", (), objectives.recordings(objective))
    for subject, alerts in _SUBJECTS:
        if s.disaggregated:
            add(subject, alerts(s))
        elif subject == "load":
            add(subject, (load.preempting(s),))
        elif subject == "answering":
            add(subject, (answering.decoder_hangs(s),))
        elif subject == "objectives":
            add(subject, alerts(s))
    return EndpointRules(
        signals=s, groups=tuple(groups), omitted=tuple(omitted), fields=_fields(blueprint, plan, s)
    )


def environment_rules(blueprint: Blueprint) -> tuple[EndpointRules, ...]:
    """The rules of every endpoint, in the order of the document."""
    return tuple(endpoint_rules(blueprint, plan) for plan in blueprint.endpoints)


def notes(blueprint: Blueprint) -> Iterator[Note]:
    """What is not watched, and why."""
    for rules in environment_rules(blueprint):
        for item in rules.omitted:
            yield Note(subject=f"endpoints.{rules.signals.endpoint}.{item.alert}", message=item.reason)


def render(rules: EndpointRules, *, runbook_url: str | None = None) -> dict[str, Any]:
    """A rule file as plain data: the content of a PrometheusRule's spec too.

    Links go to ``runbook_url``/<alert>.md, without one to the file's place in the repository.
    """
    return {"groups": [_group(group, rules.fields, runbook_url) for group in rules.groups]}


def _group(group: Group, fields: Mapping[str, str], runbook_url: str | None) -> dict[str, Any]:
    rules: list[dict[str, Any]] = [
        {"record": item.record, "expr": item.expr, "labels": dict(group.labels)} for item in group.recordings
    ]
    rules += [
        {
            "alert": item.name,
            "expr": item.expr,
            "for": item.hold,
            **({"keep_firing_for": item.keep} if item.keep else {}),
            "labels": {"severity": item.severity, **group.labels},
            "annotations": _annotations(item, fields, runbook_url),
        }
        for item in group.alerts
    ]
    most = metrics.value("rules_per_group").value
    if len(rules) > most:
        raise ValueError(f"rule group {group.name} holds {len(rules)} rules; AMP takes {most} at most")
    return {"name": group.name, "interval": group.interval, "rules": rules}


def _annotations(alert: Alert, fields: Mapping[str, str], runbook_url: str | None) -> dict[str, str]:
    return {
        "summary": alert.summary,
        "description": alert.meaning,
        "first_command": _FIELD.sub(lambda m: fields[m[1]], alert.first_command),
        "runbook_url": f"{runbook_url or 'docs/runbooks'}/{alert.name}.md",
    }


def _fields(blueprint: Blueprint, plan: EndpointPlan, s: Signals) -> dict[str, str]:
    """Fields of a first command; the same names as in runbooks."""
    watch = blueprint.observability
    return {
        "environment": blueprint.name,
        "region": blueprint.region,
        "eks_cluster": blueprint.cluster.eks_name,
        "endpoint": plan.name,
        "namespace": plan.namespace,
        "prefill_deployment": s.prefill_deployment,
        "decode_deployment": s.decode_deployment,
        "router_deployment": s.router_deployment,
        "operator_namespace": names.OPERATOR_NAMESPACE,
        "watch_namespace": names.WATCH_NAMESPACE,
        "log_exporter": names.LOG_EXPORTER,
        "canary_deployment": names.CANARY,
        "observability_namespace": names.OBSERVABILITY_NAMESPACE,
        "role_label": names.POD_ROLE_LABEL,
        "observability_addon": names.OBSERVABILITY_ADDON,
        "router_container": names.ROUTER_CONTAINER,
        "port": str(plan.manifest.port if plan.manifest else engine_defaults.documented().container_port),
        "pod_log_group": watch.pod_log_group if watch else names.pod_log_group(blueprint.name),
    }


@cache
def alert_names() -> tuple[str, ...]:
    """Every alert that some environment can have, sorted; each has a runbook."""
    return tuple(
        sorted(
            {
                *("DpdKvNotLanding", "DpdDecoderRecomputesLongPrompts", "DpdKvRetrieveIncomplete"),
                *("DpdKvStalled", "DpdStaleDecoderAfterPrefillerRestart"),
                *("DpdKvWireSlow", "DpdEfaSilent", "DpdEfaMetricsAbsent"),
                *("DpdBufferNearFull", "DpdBufferExhausted", "DpdBufferLeak", "DpdKeysNeverFound"),
                *("DpdNoReadyRouter", "DpdDecoderHangs", "DpdTrafficStopped"),
                *("DpdCanaryFails", "DpdCanaryWrong", "DpdCanaryAbsent"),
                *("DpdPrefillersMissed", "DpdCapacityBelowDeclared", "DpdCollectorAbsent"),
                *("DpdAnsweredBudgetBurnFast", "DpdAnsweredBudgetBurnSlow"),
                *("DpdDecoderSaturated", "DpdPrefillShort", "DpdEndpointOverloaded"),
                *("DpdDecoderPreempts", "DpdDecoderLoadSkew"),
                *("DpdThresholdMisfit", "DpdRouterFallback", "DpdRouterBlind"),
                *("DpdImageSkew", "DpdHashSeedSkew", "DpdRoleSkew", "DpdKvDtypeSkew"),
                *(
                    "DpdNoReadyDecoder",
                    "DpdNoReadyPrefiller",
                    "DpdDecoderRestartLoop",
                    "DpdPrefillerRestartLoop",
                ),
                *("DpdLmcacheDegraded", "DpdEngineUnseen", "DpdLogExporterAbsent"),
                *(
                    f"Dpd{objective}{part}"
                    for objective in ("InterToken", "FirstToken")
                    for part in ("BudgetBurnFast", "BudgetBurnSlow", "ObjectiveUnmeasured")
                ),
            }
        )
    )
