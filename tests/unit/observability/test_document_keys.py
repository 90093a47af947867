"""What AWS does not publish can be given in the document, and reaches the rules."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from hyperpod_dpd.blueprint.observability import plan_observability
from hyperpod_dpd.blueprint.watching import ObjectivesPlan, ObservabilityPlan
from hyperpod_dpd.catalog import metrics
from hyperpod_dpd.config import load_environment
from hyperpod_dpd.config.operations import Observability
from hyperpod_dpd.observability.log_patterns import metric_filters
from hyperpod_dpd.observability.rules import endpoint_rules
from hyperpod_dpd.observability.signals import FIRST_TOKEN
from tests.support.documents import ENVIRONMENTS
from tests.support.observed import blueprint_of


def planned(**given: Any) -> ObservabilityPlan:
    loaded = load_environment(ENVIRONMENTS / "dev.yaml")
    environment = loaded.environment.model_copy(update={"observability": Observability(**given)})
    return plan_observability(replace(loaded, environment=environment), grafana_here=True)


def test_each_key_reaches_the_plan() -> None:
    plan = planned(
        pod_log_field="message",
        pod_log_group="/pods",
        router_metrics_port=9090,
        first_token_bounds_seconds=[0.5, 3.0],
        notification_failure_metric="NotSent",
        observability_config_api_version="x.example.com/v1",
        prometheus_operator_labels={"release": "mon"},
    )
    assert (plan.pod_log_field, plan.pod_log_group, plan.router_metrics_port) == ("message", "/pods", 9090)
    assert plan.first_token_bounds_seconds == (0.5, 3.0) and plan.notification_failure_metric == "NotSent"
    assert plan.observability_config_api_version == "x.example.com/v1"
    assert plan.prometheus_operator_labels == (("release", "mon"),)


@pytest.mark.parametrize("bounds", [[], [1.0, 0.5], [0.5, 0.5], [0.0, 1.0]])
def test_bounds_have_to_rise_from_above_zero(bounds: list[float]) -> None:
    with pytest.raises(ValidationError):
        Observability(first_token_bounds_seconds=bounds)


def test_the_objective_is_measured_at_the_bounds_that_were_read() -> None:
    base = blueprint_of("dev")
    (plan,) = base.endpoints
    plan = replace(plan, objectives=ObjectivesPlan(time_to_first_token_p95_seconds=2.0))
    assert not metrics.bounds_fact(FIRST_TOKEN).confirmed
    for given, bound in ((None, 2.5), ((0.5, 3.0), 3.0), ((0.5, 1.0), None)):
        watch = planned(first_token_bounds_seconds=list(given) if given else None)
        rules = endpoint_rules(replace(base, observability=watch), plan)
        assert [objective.bound_seconds for objective in rules.signals.objectives] == (
            [bound] if bound else []
        )
        assert bool(rules.signals.objectives) != any("FirstToken" in item.alert for item in rules.omitted)


def test_the_field_of_log_records_reaches_the_filters() -> None:
    filters = metric_filters(replace(blueprint_of("dev"), observability=planned(pod_log_field="message")))
    assert all(
        "$.message" in each.pattern
        for each in filters
        if not each.transformed and each.name != "ContainersNamed"
    )
