"""Rules on what is measured, watched and promised."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperpod_dpd.rules.finding import Finding
from tests.support.broken import BROKEN
from tests.support.documents import check_value, spoiled


def fired(rule: str, fragment: str, folder: Path, *, of: str = "environment") -> list[Finding]:
    report = check_value(spoiled(fragment, of=of), folder)
    assert not [f for f in report.findings if f.id in BROKEN]
    return [f for f in report.findings if f.id == rule]


def objectives(text: str) -> str:
    return f"endpoints: {{llama-70b: {{objectives: {{{text}}}}}}}"


def test_metrics_that_are_off(tmp_path: Path) -> None:
    (found,) = fired("DPD902", "spec: {metrics: {enabled: false}}", tmp_path, of="manifest")
    assert (found.severity.value, found.path) == ("error", "spec.metrics.enabled")
    (found,) = fired("DPD902", "endpoints: {llama-70b: {metrics: {enabled: false}}}", tmp_path)
    assert found.path == "endpoints.llama-70b.metrics.enabled"


@pytest.mark.parametrize(
    "fragment",
    [
        "spec: {metrics: null}",
        "spec: {metrics: {enabled: true}}",
        "spec: {metrics: {enabled: false}, pdSpec: null}",
    ],
)
def test_metrics_that_are_on_by_default_or_of_a_colocated_endpoint(fragment: str, tmp_path: Path) -> None:
    assert not fired("DPD902", fragment, tmp_path, of="manifest")


@pytest.mark.parametrize(("production", "severity"), [("true", "error"), ("false", "warning")])
def test_without_observability_nothing_alerts(production: str, severity: str, tmp_path: Path) -> None:
    fragment = f"production: {production}\nobservability: {{enabled: false, network_metrics: false}}"
    (found,) = fired("DPD903", fragment, tmp_path)
    assert (found.severity.value, found.path) == (severity, "observability.enabled")
    assert not fired("DPD904", fragment, tmp_path), "without the add-on there is nothing to collect"


def test_observability_is_on_by_default_but_a_manifest_does_not_say(tmp_path: Path) -> None:
    assert not fired("DPD903", "{}", tmp_path)
    report = check_value(spoiled("{}"), tmp_path)
    (note,) = [f for f in report.findings if f.id == "DPD003" and "observability" in f.message]
    assert "DPD903" in note.message
    assert "DPD904" in note.message


def test_efa_counters_that_are_off(tmp_path: Path) -> None:
    (found,) = fired("DPD904", "observability: {network_metrics: false}", tmp_path)
    assert found.path == "observability.network_metrics"
    assert not fired("DPD904", "observability: {network_metrics: true}", tmp_path)


@pytest.mark.parametrize(
    ("instance_type", "fires"), [("ml.m5.2xlarge", True), ("ml.c5.xlarge", True), ("ml.m5.4xlarge", False)]
)
def test_nodes_for_the_collectors(instance_type: str, fires: bool, tmp_path: Path) -> None:
    group = f"cluster: {{instance_groups: {{system: {{instance_type: {instance_type}}}}}}}"
    found = fired("DPD905", group, tmp_path)
    assert [f.path for f in found] == ["cluster.instance_groups.system.instance_type"] * fires
    assert not fired("DPD905", f"observability: {{enabled: false}}\n{group}", tmp_path)


@pytest.mark.parametrize("text", ["batch: false", "throughput_per_gpu: true"])
def test_objectives_without_any_latency(text: str, tmp_path: Path) -> None:
    (found,) = fired("DPD906", objectives(text), tmp_path)
    assert (found.severity.value, found.path) == ("warning", "endpoints.llama-70b.objectives")


@pytest.mark.parametrize("text", ["inter_token_latency_p99_ms: 50", "time_to_first_token_p95_ms: 900"])
def test_objectives_with_a_latency(text: str, tmp_path: Path) -> None:
    assert not fired("DPD906", f"production: true\n{objectives(text)}", tmp_path)


def test_production_without_objectives_is_warned_and_a_trial_only_noted(tmp_path: Path) -> None:
    (found,) = fired("DPD906", "production: true", tmp_path)
    assert "production" in found.message
    report = check_value(spoiled("production: false", of="environment"), tmp_path)
    assert not [f for f in report.findings if f.id == "DPD906"]
    assert any("DPD906" in f.message for f in report.findings if f.id == "DPD003")


@pytest.mark.parametrize(
    ("target", "bounds"), [("40", "25 and 50"), ("5", "0 and 10"), ("499.5", "400 and 500")]
)
def test_an_objective_between_bounds(target: str, bounds: str, tmp_path: Path) -> None:
    (found,) = fired("DPD907", objectives(f"inter_token_latency_p99_ms: {target}"), tmp_path)
    assert found.severity.value == "info"
    assert bounds in found.message
    assert found.path == "endpoints.llama-70b.objectives.inter_token_latency_p99_ms"


@pytest.mark.parametrize("target", ["25", "75", "100", "150", "500", "800"])
def test_an_objective_on_a_bound_or_beyond_those_we_know(target: str, tmp_path: Path) -> None:
    assert not fired("DPD907", objectives(f"inter_token_latency_p99_ms: {target}"), tmp_path)


def test_captured_twice(tmp_path: Path) -> None:
    capture = "dataCapture: {s3Uri: 's3://bucket/x', modelPod: {bufferConfig: {batchSize: 10}}}"
    (found,) = fired("DPD908", f"spec: {{{capture}}}", tmp_path, of="manifest")
    assert (found.severity.value, "not confirmed" in found.message) == ("info", True)
    assert not fired("DPD908", f"spec: {{{capture}, pdSpec: null}}", tmp_path, of="manifest")
    assert not fired("DPD908", "spec: {dataCapture: {s3Uri: 's3://bucket/x'}}", tmp_path, of="manifest")
