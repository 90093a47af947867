"""The observability stack as synthesised: what AMP, SNS, CloudWatch, Grafana and the add-on are given."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from hyperpod_dpd.blueprint.model import Blueprint
from hyperpod_dpd.observability.log_matching import group_faults, pattern_faults
from tests.infra.conftest import literal
from tests.support.observed import blueprint_of, several
from tests.support.promtool import run


def synthesise(blueprint: Blueprint, folder: Path) -> dict[str, dict[str, Any]]:
    """Resources of the observability stack by logical id; empty where there is no such stack."""
    import aws_cdk as cdk

    from infra.stage import EnvironmentStage

    app = cdk.App(outdir=str(folder), analytics_reporting=False)
    EnvironmentStage(app, blueprint.name, blueprint=blueprint)
    app.synth()
    for file in folder.rglob("*observability*.template.json"):
        resources: dict[str, dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))["Resources"]
        return resources
    return {}


@pytest.fixture(scope="session")
def resources(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    return synthesise(blueprint_of("prod"), tmp_path_factory.mktemp("prod"))


def of_type(resources: dict[str, dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [item["Properties"] for item in resources.values() if item["Type"] == kind]


def only(resources: dict[str, dict[str, Any]], kind: str) -> dict[str, Any]:
    (found,) = of_type(resources, kind)
    return found


@pytest.mark.debian
def test_rules_in_the_template_pass_promtool(resources: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    spaces = of_type(resources, "AWS::APS::RuleGroupsNamespace")
    assert [space["Name"] for space in spaces] == ["dpd-llama-70b"]
    file = tmp_path / "rules.yaml"
    file.write_text(spaces[0]["Data"], encoding="utf-8")
    assert "SUCCESS" in run("promtool", "check", "rules", file)
    assert all(len(group["rules"]) <= 20 for group in yaml.safe_load(spaces[0]["Data"])["groups"])


@pytest.mark.debian
def test_alert_manager_passes_amtool(resources: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    given = yaml.safe_load(only(resources, "AWS::APS::Workspace")["AlertManagerDefinition"])
    assert list(given) == ["alertmanager_config"]
    file = tmp_path / "alertmanager.yaml"
    file.write_text(given["alertmanager_config"], encoding="utf-8")
    assert "SUCCESS" in run("amtool", "check-config", file)
    config = yaml.safe_load(given["alertmanager_config"])
    topics = {sns["topic_arn"] for receiver in config["receivers"] for sns in receiver["sns_configs"]}
    assert topics == {"arn:aws:sns:us-west-2:444455556666:dpd-prod-alerts"}
    routed = run(
        "amtool", "config", "routes", "test", f"--config.file={file}", "severity=critical", "endpoint=x"
    )
    assert routed.strip() == "pages"


def test_amp_may_publish_to_the_encrypted_topic(resources: dict[str, dict[str, Any]]) -> None:
    topic = only(resources, "AWS::SNS::Topic")
    assert topic["KmsMasterKeyId"]["Fn::GetAtt"][1] == "Arn"
    (publish, _) = only(resources, "AWS::SNS::TopicPolicy")["PolicyDocument"]["Statement"]
    assert "aps.amazonaws.com" in publish["Principal"]["Service"]
    assert publish["Condition"]["StringEquals"]["aws:SourceAccount"] == "444455556666"
    (_, use) = only(resources, "AWS::KMS::Key")["KeyPolicy"]["Statement"]
    assert set(publish["Principal"]["Service"]) == set(use["Principal"]["Service"])
    assert "kms:Decrypt" in use["Action"] and "kms:GenerateDataKey*" in use["Action"]


def test_filters_keep_to_the_limits_of_a_log_group(resources: dict[str, dict[str, Any]]) -> None:
    patterns = [item["FilterPattern"] for item in of_type(resources, "AWS::Logs::MetricFilter")]
    assert len(patterns) >= 9
    assert not [fault for pattern in patterns for fault in pattern_faults(pattern)]
    assert not list(group_faults(patterns))
    groups = of_type(resources, "AWS::Logs::LogGroup")
    assert all(group["RetentionInDays"] == 30 for group in groups)


def test_numbers_come_from_transformed_records(resources: dict[str, dict[str, Any]]) -> None:
    only(resources, "AWS::Logs::Transformer")
    for item in of_type(resources, "AWS::Logs::MetricFilter"):
        takes_number = item["MetricTransformations"][0]["MetricValue"].startswith("$.")
        assert item.get("ApplyOnTransformedLogs", False) == takes_number


def test_alarms_do_not_need_the_cluster(resources: dict[str, dict[str, Any]]) -> None:
    alarms = {item["AlarmName"]: item for item in of_type(resources, "AWS::CloudWatch::Alarm")}
    stopped = alarms["dpd-prod-PodLogsStopped"]
    assert stopped["TreatMissingData"] == "breaching"
    assert stopped["Dimensions"][0]["Value"] == "/aws/sagemaker/Clusters/dpd-prod/pods"
    filters = {
        item["MetricTransformations"][0]["MetricName"]
        for item in of_type(resources, "AWS::Logs::MetricFilter")
    }
    for name in ("AllocationRetries", "RetrievedNothing", "LookupMisses", "Degraded", "HashSeedMissing"):
        alarm = alarms[f"dpd-prod-{name}"]
        assert alarm["MetricName"] in filters and alarm["Namespace"] == "DPD/prod"
    read = alarms["dpd-prod-LinesRead"]
    assert read["ComparisonOperator"] == "LessThanThreshold" and read["TreatMissingData"] == "notBreaching"
    unsent = alarms["dpd-prod-AlertsNotSent"]
    assert (unsent["Namespace"], unsent["MetricName"]) == (
        "AWS/Prometheus",
        "AlertManagerNotificationsFailed",
    )
    token = alarms["dpd-prod-GrafanaTokenNotRenewed"]
    functions = {item["FunctionName"] for item in of_type(resources, "AWS::Lambda::Function")}
    assert token["MetricName"] == "Errors" and token["Dimensions"][0]["Value"] in functions
    for alarm in alarms.values():
        assert alarm["AlarmActions"] == ["arn:aws:sns:us-west-2:444455556666:dpd-prod-alerts"]


def test_the_addon_collects_efa_counters(resources: dict[str, dict[str, Any]]) -> None:
    addon = only(resources, "AWS::EKS::Addon")
    values = json.loads(literal(addon["ConfigurationValues"]))
    assert values["metricsProvider"]["networkMetrics"]["level"] == "ADVANCED"
    assert values["metricsProvider"]["inferenceMetrics"]["level"] != "DISABLED"
    assert values["logging"] == {"enabled": True}
    assert not values["ampWorkspace"]["prometheusEndpoint"].endswith("/")
    (identity,) = addon["PodIdentityAssociations"]
    role = resources[identity["RoleArn"]["Fn::GetAtt"][0]]["Properties"]
    (statement,) = role["AssumeRolePolicyDocument"]["Statement"]
    assert statement["Principal"] == {"Service": "pods.eks.amazonaws.com"}
    assert set(statement["Action"]) == {"sts:AssumeRole", "sts:TagSession"}


def test_role_names_are_what_the_managed_policy_passes_and_iam_takes(
    resources: dict[str, dict[str, Any]],
) -> None:
    from hyperpod_dpd.catalog.requirements import name_prefix

    named = [item for item in of_type(resources, "AWS::IAM::Role") if "RoleName" in item]
    assert len(named) == 2
    prefixes = {name_prefix(subject).prefix for subject in ("observability_role", "grafana_role")}
    for role in named:
        assert role["Path"] == "/service-role/" and len(role["RoleName"]) <= 64
        assert any(role["RoleName"].startswith(prefix) for prefix in prefixes)


def test_grafana_token_is_renewed_before_it_ends(resources: dict[str, dict[str, Any]]) -> None:
    schedule = only(resources, "AWS::SecretsManager::RotationSchedule")
    function = only(resources, "AWS::Lambda::Function")
    days = int(function["Environment"]["Variables"]["TOKEN_DAYS"])
    assert 2 * schedule["RotationRules"]["AutomaticallyAfterDays"] < days <= 30
    assert len(function["Code"]["ZipFile"]) <= 4096


def test_filters_on_numbers_wait_for_the_transformer_that_makes_them(
    resources: dict[str, dict[str, Any]],
) -> None:
    (transformer,) = [key for key, item in resources.items() if item["Type"] == "AWS::Logs::Transformer"]
    transformed = [
        item
        for item in resources.values()
        if item["Type"] == "AWS::Logs::MetricFilter" and item["Properties"].get("ApplyOnTransformedLogs")
    ]
    assert transformed
    assert all(transformer in item["DependsOn"] for item in transformed)


def test_the_alert_manager_waits_until_it_may_publish(resources: dict[str, dict[str, Any]]) -> None:
    (policy,) = [key for key, item in resources.items() if item["Type"] == "AWS::SNS::TopicPolicy"]
    (workspace,) = [item for item in resources.values() if item["Type"] == "AWS::APS::Workspace"]
    assert policy in workspace["DependsOn"]


def test_the_first_rotation_waits_until_it_may_call_the_function(
    resources: dict[str, dict[str, Any]],
) -> None:
    by_kind = {
        item["Type"]: (key, item)
        for key, item in resources.items()
        if item["Type"] in ("AWS::SecretsManager::RotationSchedule", "AWS::Lambda::Permission")
    }
    permission, _ = by_kind["AWS::Lambda::Permission"]
    _, schedule = by_kind["AWS::SecretsManager::RotationSchedule"]
    assert permission in schedule["DependsOn"], "it rotates at once, and would fail the stack"


def test_a_region_without_managed_grafana_has_none_and_the_rest(tmp_path: Path) -> None:
    base = blueprint_of("dev")
    assert base.observability is not None
    without = replace(
        base, observability=replace(base.observability, managed_grafana=False, network_metrics=False)
    )
    resources = synthesise(without, tmp_path)
    assert not of_type(resources, "AWS::Grafana::Workspace") and not of_type(
        resources, "AWS::Lambda::Function"
    )
    values = json.loads(literal(only(resources, "AWS::EKS::Addon")["ConfigurationValues"]))
    assert "amgWorkspace" not in values and values["metricsProvider"]["networkMetrics"]["level"] == "DISABLED"


def test_switched_off_there_is_no_stack(tmp_path: Path) -> None:
    base = blueprint_of("dev")
    assert base.observability is not None
    off = replace(base, observability=replace(base.observability, enabled=False))
    assert synthesise(off, tmp_path) == {}


def test_one_namespace_of_rules_for_each_endpoint(tmp_path: Path) -> None:
    resources = synthesise(several(), tmp_path)
    spaces = of_type(resources, "AWS::APS::RuleGroupsNamespace")
    assert sorted(space["Name"] for space in spaces) == ["dpd-chat", "dpd-llama-70b"]
