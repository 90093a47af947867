"""Queries use names and labels of the catalogue only, and what they compare with follows from the blueprint."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hyperpod_dpd.catalog import metrics
from hyperpod_dpd.observability.rules import EndpointRules, alert_names, environment_rules, render
from tests.support.observed import ALL, blueprint_of, rules_of
from tests.support.promql import grouping_labels, references, scaled

OWN_LABELS = frozenset({"environment", "endpoint", "namespace", "pod_name"})


def faults(expression: str, recorded: frozenset[str] = frozenset()) -> list[str]:
    """Names and labels that the catalogue does not know."""
    known = metrics.exposed()
    found = []
    labels: set[str] = set(OWN_LABELS)
    for name, matched in references(expression):
        allowed = OWN_LABELS if name in recorded else known.get(name)
        if allowed is None:
            found.append(name)
            continue
        labels |= allowed
        found += [f"{name}{{{label}}}" for label in sorted(matched - allowed)]
    return found + [f"by ({label})" for label in sorted(grouping_labels(expression) - labels)]


def test_every_query_keeps_to_the_contract(rules: tuple[EndpointRules, ...]) -> None:
    for each in rules:
        recorded = frozenset(item.record for group in each.groups for item in group.recordings)
        for group in each.groups:
            for item in (*group.recordings, *group.alerts):
                assert not faults(item.expr, recorded), item.expr


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("rate(vllm:num_preemptions[5m]) > 0", ["vllm:num_preemptions"]),
        ('sum(vllm:num_requests_waiting{pod="x"})', ["vllm:num_requests_waiting{pod}"]),
        ("sum by (server) (vllm:num_requests_running)", ["by (server)"]),
        ("inference_model_x / on (cluster_id) up", ["inference_model_x", "up", "by (cluster_id)"]),
        ('histogram_quantile(0.9, sum by (le) (rate(dpd_e2e_ttft_seconds_bucket{le="1.0"}[5m])))', []),
        ("vllm:inter_token_latency_seconds > 1", ["vllm:inter_token_latency_seconds"]),
    ],
)
def test_the_contract_notices(expression: str, expected: list[str]) -> None:
    assert faults(expression) == expected


def test_counters_carry_total() -> None:
    for series in metrics.all():
        suffixed = series.name.endswith("_total")
        assert suffixed == (series.kind == "counter" and series.suffixed), series.name


@pytest.mark.parametrize("environment_name", ALL)
def test_names_are_those_of_the_list(environment_name: str) -> None:
    for each in rules_of(environment_name):
        made = {alert.name for alert in each.alerts}
        assert made <= set(alert_names())
        omitted = {item.alert for item in each.omitted}
        for name in set(alert_names()) - made:
            assert any(name.startswith(prefix.removesuffix("BudgetBurn")) for prefix in omitted), name


def _expr(blueprint_name: str, alert: str, **changes: object) -> str:
    base = blueprint_of(blueprint_name)
    (plan,) = base.endpoints
    (rules,) = environment_rules(replace(base, endpoints=(replace(plan, **changes),)))  # type: ignore[arg-type]
    every = {item.name: item.expr for item in rules.alerts}
    every |= {item.record: item.expr for group in rules.groups for item in group.recordings}
    return every[alert]


def test_limits_follow_the_blueprint() -> None:
    (plan,) = blueprint_of("dev").endpoints
    assert "< 2048" in _expr("dev", "DpdKvNotLanding")
    assert "< 4096" in _expr("dev", "DpdKvNotLanding", routing_threshold_tokens=8192)
    assert 'le="5000.0"' in _expr("dev", "dpd:decoder_long_prefills:increase5m")
    assert 'le="10000.0"' in _expr(
        "dev", "dpd:decoder_long_prefills:increase5m", routing_threshold_tokens=5001
    )
    assert 'le="5000.0"' in _expr(
        "dev", "dpd:decoder_long_prefills:increase5m", routing_threshold_tokens=5000
    )
    assert _expr("dev", "dpd:kv_put_bytes_per_second_per_rank:rate5m").startswith("40960 * ")
    fp8 = replace(plan.model, kv_bytes_per_token_per_rank=20480)
    assert _expr("dev", "dpd:kv_put_bytes_per_second_per_rank:rate5m", model=fp8).startswith("20480 * ")
    assert _expr("dev", "dpd:expected_kv_bytes:rate5m", tensor_parallel_size=4).startswith("163840 * ")
    assert _expr("dev", "dpd:pd_buffer_used:ratio").endswith(f"/ {plan.pd_buffer_bytes}")
    assert ">= 28.8 * count" in _expr("prod", "DpdDecoderSaturated")


def test_what_cannot_be_derived_is_left_out_with_a_reason() -> None:
    base = blueprint_of("dev")
    (plan,) = base.endpoints
    unknown = replace(plan.model, kv_bytes_per_token_per_rank=None, page_bytes=None)
    assert base.observability is not None
    (rules,) = environment_rules(
        replace(
            base,
            endpoints=(replace(plan, model=unknown, routing_threshold_tokens=12_000),),
            observability=replace(base.observability, network_metrics=False, log_exporter=False),
        )
    )
    omitted = {item.alert: item.reason for item in rules.omitted}
    assert "bytes per token" in omitted["DpdKvWireSlow"]
    assert (
        "network_metrics" in omitted["DpdEfaSilent"] and "network_metrics" in omitted["DpdEfaMetricsAbsent"]
    )
    assert "12000" in omitted["DpdDecoderRecomputesLongPrompts"]
    assert "log_exporter" in omitted["DpdHashSeedSkew"]
    assert "no SLO" in omitted["DpdInterTokenBudgetBurn"]
    made = {alert.name for alert in rules.alerts}
    assert not made & set(omitted)
    assert not any("dpd_log_" in alert.expr for alert in rules.alerts)


def test_the_objective_is_measured_at_the_bound_above() -> None:
    for declared, bound in ((0.04, "0.05"), (0.05, "0.05"), (0.0501, "0.075")):
        from hyperpod_dpd.blueprint.watching import ObjectivesPlan

        objectives = ObjectivesPlan(inter_token_latency_p99_seconds=declared)
        expr = _expr("dev", "dpd:slo_intertoken_missed:ratio_rate5m", objectives=objectives)
        assert f'le="{bound}"' in expr


def test_one_endpoint_does_not_filter_routers_and_two_do() -> None:
    (alone,) = rules_of("dev")
    assert alone.signals.router == ""
    for each in rules_of("several"):
        assert f"{each.signals.endpoint}-inference-router" in each.signals.router


def test_severity_summary_meaning_command_and_runbook_on_every_alert(
    rules: tuple[EndpointRules, ...],
) -> None:
    for each in rules:
        for group in render(each, runbook_url="https://example.org/runbooks")["groups"]:
            for rule in group["rules"]:
                if "alert" not in rule:
                    continue
                notes = rule["annotations"]
                assert rule["labels"]["severity"] in {"critical", "warning"}
                assert notes["runbook_url"] == f"https://example.org/runbooks/{rule['alert']}.md"
                assert len(notes["summary"]) > 15 and len(notes["description"]) > 80
                assert notes["first_command"].split()[0] in {"kubectl", "aws", "dpd", "for"}
                assert "@{" not in str(notes)


def test_time_scale_touches_durations_only() -> None:
    expression = 'rate(x{le="5.0m"}[5m]) > 300 and y offset 1h and z[30m:1m]'
    assert scaled(expression, 60) == (
        'rate(x{le="5.0m"}[5000ms]) > 300 and y offset 60000ms and z[30000ms:1000ms]'
    )
