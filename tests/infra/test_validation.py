"""Our template rules as a CDK plugin: an error fails the synthesis by itself, the examples pass without a word."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import aws_cdk as cdk
import pytest
from aws_cdk import aws_sagemaker as sagemaker

from infra.stage import EnvironmentStage
from infra.validation import TemplateRules, add_template_rules
from tests.infra.conftest import ROOT, example_blueprints

SOUND = "dpd-dev"


def app(folder: Path) -> cdk.App:
    made = cdk.App(
        outdir=str(folder),
        analytics_reporting=False,
        builtin_cloud_formation_validation=False,
        tree_metadata=False,
    )
    add_template_rules(made)
    return made


def cluster(scope: cdk.Stack, name: str) -> sagemaker.CfnCluster:
    group = sagemaker.CfnCluster.ClusterInstanceGroupProperty(
        instance_group_name="prefill",
        instance_type="ml.p5.48xlarge",
        instance_count=1,
        execution_role="arn:aws:iam",
    )
    return sagemaker.CfnCluster(scope, "Cluster", cluster_name=name, instance_groups=[group])


def report(folder: Path) -> list[dict[str, Any]]:
    file = folder / "validation-report.json"
    plugins = json.loads(file.read_text(encoding="utf-8"))["pluginReports"] if file.is_file() else []
    return [
        violation for plugin in plugins if plugin["pluginName"] == "dpd" for violation in plugin["violations"]
    ]


def test_an_error_fails_the_synthesis_and_names_the_construct(tmp_path: Path) -> None:
    made = app(tmp_path)
    cluster(cdk.Stack(cdk.Stage(made, "dev"), "hyperpod"), "No_Name!")
    with pytest.raises(RuntimeError, match="ValidationFailed"):
        made.synth()
    found = {violation["ruleName"]: violation for violation in report(tmp_path)}
    assert found["DPD252"]["severity"] == "error"
    assert found["DPD252"]["violatingConstructs"][0]["constructPath"] == "dev/hyperpod/Cluster"
    assert "No_Name!" in found["DPD252"]["description"]


def test_a_warning_is_told_and_does_not_fail(tmp_path: Path) -> None:
    made = app(tmp_path)
    cluster(cdk.Stack(cdk.Stage(made, "dev"), "hyperpod"), SOUND)
    made.synth()
    assert {violation["severity"] for violation in report(tmp_path)} == {"warning"}


def test_an_acknowledgement_in_the_app_is_taken(tmp_path: Path) -> None:
    made = app(tmp_path)
    bad = cluster(cdk.Stack(cdk.Stage(made, "dev"), "hyperpod"), "No_Name!")
    cdk.Validations.of(bad).acknowledge(cdk.Acknowledgment(id="dpd::DPD252", reason="a test"))
    made.synth()
    assert "DPD252" not in {violation["ruleName"] for violation in report(tmp_path)}


def test_the_examples_pass_without_a_word(tmp_path: Path) -> None:
    made = app(tmp_path)
    for blueprint in example_blueprints():
        EnvironmentStage(made, blueprint.name, blueprint=blueprint)
    made.synth()
    assert report(tmp_path) == []


def test_it_judges_what_dpd_check_judges() -> None:
    rules = TemplateRules()
    assert rules.name == "dpd" and "::" not in "".join(rules.rule_ids)
    assert "DPD252" in rules.rule_ids and len(rules.rule_ids) > 10
    assert all(part.isdecimal() for part in rules.version.split("."))


def test_the_app_registers_it() -> None:
    assert "add_template_rules(app)" in (ROOT / "app.py").read_text(encoding="utf-8")
