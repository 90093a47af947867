"""What may be acknowledged: warnings always, errors where the collected table or a known case allows it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
import yaml

from hyperpod_dpd.rules import registry
from hyperpod_dpd.rules.rule import AppliesTo, LoadedRule, Severity
from tests.support.documents import check_value, environment, spoiled
from tests.support.merging import merged
from tools import conditions

TABLE = Path(__file__).with_name("source_severities.yaml")
OF_MANIFESTS = [r for r in registry.rules() if r.rule.example and r.rule.example.of == "manifest"]


@cache
def table() -> dict[str, list[str]]:
    """What conditions deserve to those that deserve it."""
    found: dict[str, list[str]] = yaml.safe_load(TABLE.read_text("utf-8"))
    return found


def test_the_table_names_every_condition_once() -> None:
    named = [condition for each in table().values() for condition in each]
    assert len(named) == len(set(named)) > 120
    assert set(named) <= set(conditions.conditions())
    assert "R70" in table()["refused"] and "R71" in table()["refused_unless_acknowledged"]


def test_an_error_that_the_table_does_not_let_go_is_not_waivable() -> None:
    wrong = {
        r.rule.id: name
        for r in registry.rules()
        for name in r.rule.covers
        if r.refusal(Severity.ERROR) is None and name in table()["refused"]
    }
    assert wrong == {}


@pytest.mark.parametrize("loaded", registry.rules(), ids=lambda loaded: loaded.rule.id)
def test_the_text_of_a_rule_agrees_with_what_may_be_acknowledged(loaded: LoadedRule) -> None:
    fine = loaded.rule.fine
    if loaded.rule.waivable:
        assert not fine.startswith("Never"), "waivable, but no case is known in which it is fine"
    elif loaded.rule.severity is Severity.ERROR and "warning" not in fine:
        assert "acknowledge" not in fine, "tells to acknowledge what cannot be"


@pytest.mark.parametrize("loaded", OF_MANIFESTS, ids=lambda loaded: loaded.rule.id)
def test_an_acknowledgement_is_taken_or_refused_by_severity(loaded: LoadedRule, tmp_path: Path) -> None:
    assert loaded.rule.example is not None
    from hyperpod_dpd.catalog.versions import OperatorRelease
    from hyperpod_dpd.rules.check import Options

    operator = OperatorRelease.parse("3.4") if "operator" in loaded.rule.tags else None
    value = spoiled(loaded.rule.example.before)
    accepted = {"metadata": {"annotations": {"dpd.check/acknowledge": f"{loaded.rule.id}: a reason"}}}
    report = check_value(merged(value, accepted), tmp_path, options=Options(operator=operator))
    mine = [f for f in report.findings if f.id == loaded.rule.id]
    refusals = [f.message for f in report.findings if f.id == "DPD006"]
    assert mine
    for found in mine:
        assert (found.acknowledged is None) is (loaded.refusal(found.severity) is not None)
    if all(found.acknowledged for found in mine):
        assert refusals == []
    else:
        (refusal,) = refusals
        assert refusal.startswith(f"{loaded.rule.id} ({loaded.rule.title}) cannot be acknowledged: ")
        assert loaded.why.removesuffix(".") in refusal


def test_a_warning_of_a_rule_whose_errors_are_refused_is_accepted(tmp_path: Path) -> None:
    fragment = """
metadata: {annotations: {dpd.check/acknowledge: "DPD411: off by default"}}
spec: {worker: {environmentVariables: [{name: LMCACHE_SAVE_DECODE_CACHE, value: maybe}]}}
"""
    report = check_value(spoiled(fragment), tmp_path)
    assert [f.acknowledged for f in report.findings if f.id == "DPD411"] == ["off by default"]
    assert "DPD006" not in {f.id for f in report.findings}


@pytest.mark.parametrize(
    ("rule", "reason"),
    [("DPD252", "CloudFormation templates"), ("DPD957", "are there no more"), ("DPD002", "the check itself")],
)
def test_what_no_acknowledgement_reaches_says_so(rule: str, reason: str, tmp_path: Path) -> None:
    value = {**environment(), "acknowledge": {rule: "we know"}}
    (found,) = [f for f in check_value(value, tmp_path).findings if f.id == "DPD006"]
    assert found.path == f"acknowledge.{rule}"
    assert reason in found.message


def test_an_error_acknowledged_for_all_endpoints_is_refused_where_that_is_written(tmp_path: Path) -> None:
    fragment = 'acknowledge: {DPD412: "x"}\nendpoints: {llama-70b: {environment_variables: {LMCACHE_ENABLE_P2P: "1"}}}'
    found = {f.id: f for f in check_value(spoiled(fragment, of="environment"), tmp_path).findings}
    assert found["DPD412"].acknowledged is None
    assert found["DPD006"].path == "acknowledge.DPD412"


def test_an_acknowledgement_that_is_refused_at_one_of_two_endpoints_says_so(tmp_path: Path) -> None:
    fragment = """
acknowledge: {DPD411: "both"}
endpoints:
  llama-70b: {environment_variables: {LMCACHE_SAVE_DECODE_CACHE: maybe}}
  second:
    model: {catalogue: llama-3.3-70b-instruct, weights: {s3: {prefix: models/second}}}
    prefill: {instance_group: prefill}
    decode: {instance_group: decode}
    environment_variables: {LMCACHE_SAVE_DECODE_CACHE: "true"}
"""
    found = check_value(spoiled(fragment, of="environment"), tmp_path).findings
    severities = {f.object: (f.severity, f.acknowledged) for f in found if f.id == "DPD411"}
    assert len(severities) == 2
    refused = [name for name, (severity, why) in severities.items() if severity is Severity.ERROR and not why]
    assert len(refused) == 1
    assert "DPD006" in {f.id for f in found}


def test_kinds_without_a_place_for_acknowledgements_have_no_waivable_rule() -> None:
    nowhere = {AppliesTo.TEMPLATE, AppliesTo.OBJECT, AppliesTo.CRD, AppliesTo.REMOVAL, AppliesTo.ENGINE}
    assert [r.rule.id for r in registry.rules() if r.rule.applies_to in nowhere and r.waivable] == []
