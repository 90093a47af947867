"""Rules on replicas and autoscaling, in manifests and in environments."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.documents import check_value, spoiled
from tests.support.hits import hits, not_checked

TRIGGER = "prometheusTrigger: {query: up}"
BLOCK = "spec.pdSpec.autoScalingSpec"


def scaling(prefill: str | None = None, decode: str | None = None, rest: str = "") -> str:
    blocks = []
    if prefill is not None:
        blocks.append(f"prefillAutoScaling: {{{prefill}}}")
    if decode is not None:
        blocks.append(f"decodingAutoScaling: {{{decode}}}")
    return f"spec: {{{rest}pdSpec: {{autoScalingSpec: {{{', '.join(blocks)}}}}}}}"


def declared(role: str, limits: str, rest: str = "") -> str:
    return f"{rest}endpoints: {{llama-70b: {{{role}: {{autoscaling: {{{limits}}}}}}}}}"


@pytest.mark.parametrize(
    ("block", "severity", "message"),
    [
        (f"minReplicaCount: 1, maxReplicaCount: 2, {TRIGGER}", "error", "grow to 2"),
        (TRIGGER, "error", "grow to 5 replicas, the field's default"),
        (f"maxReplicaCount: 1, {TRIGGER}", "warning", "scales nothing"),
    ],
)
def test_a_decoder_that_scales(block: str, severity: str, message: str, tmp_path: Path) -> None:
    (found,) = hits("DPD711", scaling(decode=block), tmp_path)
    assert (found.path, found.severity) == (f"{BLOCK}.decodingAutoScaling", severity)
    assert message in found.message


def test_a_decoder_that_scales_in_an_environment(tmp_path: Path) -> None:
    """Also before the outputs are there that the rendered block needs."""
    (found,) = hits("DPD711", declared("decode", "max_replicas: 2"), tmp_path, of="environment")
    assert found.path == "endpoints.llama-70b.decode.autoscaling"


PRODUCTION = "production: true\n"
REPORT = "operations: {decode_load_spread_report: wiki/spread}\n"
ACCEPTED = "acknowledge: {DPD702: 'measured in staging', DPD711: 'measured in staging'}\n"
TWO = "endpoints: {llama-70b: {decode: {replicas: 2}}}"


@pytest.mark.parametrize(
    ("fragment", "fires"),
    [
        (PRODUCTION + TWO, True),
        (PRODUCTION + declared("decode", "max_replicas: 3"), True),
        (PRODUCTION + REPORT + TWO, False),
        (TWO, False),
        (PRODUCTION, False),
        (PRODUCTION + declared("prefill", "max_replicas: 3"), False),
    ],
)
def test_several_decoders_in_production_need_a_report(fragment: str, fires: bool, tmp_path: Path) -> None:
    found = hits("DPD712", fragment, tmp_path, of="environment")
    assert [f.severity for f in found] == (["error"] if fires else [])


@pytest.mark.parametrize("own", ["", "DPD712"])
def test_an_acknowledgement_alone_is_not_enough_in_production(own: str, tmp_path: Path) -> None:
    accepted = ACCEPTED if not own else ACCEPTED.replace("{DPD702", "{DPD712: 'we know', DPD702")
    report = check_value(spoiled(accepted + PRODUCTION + TWO, of="environment"), tmp_path)
    found = {f.id: f for f in report.findings}
    assert found["DPD702"].acknowledged
    assert found["DPD712"].severity == "error"
    assert found["DPD712"].acknowledged is None
    assert ("DPD006" in found) is bool(own)


def test_with_report_and_acknowledgement_production_passes(tmp_path: Path) -> None:
    fragment = "acknowledge: {DPD702: 'measured in staging'}\n" + PRODUCTION + REPORT + TWO
    report = check_value(spoiled(fragment, of="environment"), tmp_path)
    assert not [f for f in report.findings if f.id in {"DPD702", "DPD712"} and f.acknowledged is None]


def test_a_lone_manifest_does_not_say_whether_it_is_production(tmp_path: Path) -> None:
    notes = not_checked("spec: {pdSpec: {decodingSpec: {replicas: 2}}}", tmp_path)
    assert "production: DPD712" in notes
    assert "DPD712" not in not_checked("{}", tmp_path)


def test_prefill_without_a_ceiling(tmp_path: Path) -> None:
    (found,) = hits("DPD713", scaling(TRIGGER), tmp_path)
    assert (found.path, found.severity) == (f"{BLOCK}.prefillAutoScaling", "warning")
    assert "5 nodes" in found.message
    assert not hits("DPD713", declared("prefill", "max_replicas: 2"), tmp_path, of="environment")


@pytest.mark.parametrize("role", ["prefill", "decode"])
def test_no_role_scales_to_zero(role: str, tmp_path: Path) -> None:
    block = f"minReplicaCount: 0, maxReplicaCount: 1, {TRIGGER}"
    (found,) = hits("DPD714", scaling(**{role: block}), tmp_path)
    assert found.severity == "error"
    limits = "min_replicas: 0, max_replicas: 1"
    (found,) = hits("DPD714", declared(role, limits), tmp_path, of="environment")
    assert found.path == f"endpoints.llama-70b.{role}.autoscaling"


@pytest.mark.parametrize(
    ("block", "severity"),
    [
        (f"minReplicaCount: 2, maxReplicaCount: 1, {TRIGGER}", "error"),
        (f"minReplicaCount: 2, maxReplicaCount: 3, {TRIGGER}", "warning"),
        (f"maxReplicaCount: 3, {TRIGGER}", None),
        (f"minReplicaCount: 1, maxReplicaCount: 1, {TRIGGER}", None),
    ],
)
def test_bounds(block: str, severity: str | None, tmp_path: Path) -> None:
    found = hits("DPD715", scaling(block), tmp_path)
    assert [f.severity for f in found] == ([severity] if severity else [])


def test_bounds_of_an_environment(tmp_path: Path) -> None:
    limits = "min_replicas: 3, max_replicas: 2"
    (found,) = hits("DPD715", declared("prefill", limits), tmp_path, of="environment")
    assert found.severity == "error"


def test_scaling_of_the_whole(tmp_path: Path) -> None:
    block = f"autoScalingSpec: {{maxReplicaCount: 2, {TRIGGER}}}"
    (found,) = hits("DPD716", f"spec: {{{block}}}", tmp_path)
    assert (found.path, found.severity) == ("spec.autoScalingSpec", "error")
    assert not hits("DPD716", f"spec: {{pdSpec: null, {block}}}", tmp_path)


@pytest.mark.parametrize(
    ("block", "messages"),
    [
        ("maxReplicaCount: 2", ["no trigger"]),
        ("maxReplicaCount: 2, prometheusTriggerList: []", ["no trigger"]),
        (f"{TRIGGER}, prometheusTriggerList: [{{query: up}}]", ["prometheusTriggerList"]),
        ("cloudWatchTrigger: {name: a}, cloudWatchTriggerList: [{name: b}]", ["cloudWatchTriggerList"]),
        (f"{TRIGGER}, cloudWatchTrigger: {{name: a}}", []),
        ("prometheusTriggerList: [{query: up}]", []),
    ],
)
def test_triggers(block: str, messages: list[str], tmp_path: Path) -> None:
    found = hits("DPD717", scaling(block), tmp_path)
    assert len(found) == len(messages)
    assert all(message in f.message for message, f in zip(messages, found, strict=True))


@pytest.mark.parametrize(
    ("fragment", "path"),
    [
        ("spec: {pdSpec: {prefillSpec: {replicas: 4}}}", "spec.pdSpec.prefillSpec.replicas"),
        ("spec: {pdSpec: {prefillSpec: {replicas: 3}}}", None),
        ("spec: {pdSpec: {prefillSpec: {replicas: 6}, decodingSpec: {replicas: 2}}}", None),
        (scaling(f"maxReplicaCount: 4, {TRIGGER}"), f"{BLOCK}.prefillAutoScaling"),
        (scaling(f"maxReplicaCount: 3, {TRIGGER}"), None),
    ],
)
def test_prefillers_for_one_decoder(fragment: str, path: str | None, tmp_path: Path) -> None:
    found = hits("DPD718", fragment, tmp_path)
    assert [f.path for f in found] == ([path] if path else [])
    assert all(f.severity == "warning" for f in found)


@pytest.mark.parametrize("rule", ["DPD702", "DPD711", "DPD713", "DPD714", "DPD715", "DPD717", "DPD718"])
def test_colocated_endpoints_scale_as_they_like(rule: str, tmp_path: Path) -> None:
    fragment = f"spec: {{pdSpec: null, replicas: 5, autoScalingSpec: {{minReplicaCount: 0, {TRIGGER}}}}}"
    assert not hits(rule, fragment, tmp_path)
