"""What is not in the templates at hand is not said to be missing; what a nested stack has is found there."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from hyperpod_dpd.document import read_file
from hyperpod_dpd.view.template import TemplateView
from tests.support.command import dpd
from tests.support.documents import manifest
from tests.support.pairs import sound_template, write_pair
from tests.support.templates import judge_templates, template

GROUP_RULES = ("FromItself", "ToItself")


def nested() -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """The healthy template as an outer stack with a network and a cluster inside it."""
    whole = template()["Resources"]
    network = {"Resources": {name: whole.pop(name) for name in ("Nodes", *GROUP_RULES)}}
    network["Outputs"] = {"Group": {"Value": {"Ref": "Nodes"}}}
    whole["Cluster"]["Properties"]["VpcConfig"]["SecurityGroupIds"] = [{"Ref": "NodeGroup"}]
    cluster = {"Parameters": {"NodeGroup": {"Type": "String"}}, "Resources": whole}
    outer = {
        "Resources": {
            "Network": {
                "Type": "AWS::CloudFormation::Stack",
                "Properties": {"TemplateURL": "https://bucket.s3.amazonaws.com/a/stack1.template.json"},
            },
            "Inner": {
                "Type": "AWS::CloudFormation::Stack",
                "Properties": {
                    "TemplateURL": {"Fn::Sub": "https://${Assets}/0123.json"},
                    "Parameters": {"NodeGroup": {"Fn::GetAtt": ["Network", "Outputs.Group"]}},
                },
                "Metadata": {"aws:asset:path": "stack2.template.json"},
            },
        }
    }
    return outer, network, cluster


def of_250(folder: Path, *templates: dict[str, Any]) -> list[str]:
    return [f.severity.value for f in judge_templates(folder, *templates) if f.id == "DPD250"]


def test_a_group_is_followed_through_parameters_and_outputs_of_nested_stacks(tmp_path) -> None:
    outer, network, cluster = nested()
    assert of_250(tmp_path, outer, network, cluster) == []
    del network["Resources"]["ToItself"]
    assert of_250(tmp_path, outer, network, cluster) == ["error"]


def test_without_the_network_stack_the_group_is_unknown(tmp_path) -> None:
    outer, _, cluster = nested()
    unknown = {"Resources": {"Nothing": {"Type": "AWS::CloudFormation::WaitConditionHandle"}}}
    assert of_250(tmp_path, outer, unknown, cluster) == ["warning"]


def test_stacks_nested_in_a_circle_end(tmp_path) -> None:
    outer, network, cluster = nested()
    outer["Parameters"] = {"Round": {"Type": "String"}}
    outer["Resources"]["Inner"]["Properties"]["Parameters"]["NodeGroup"] = {"Ref": "Round"}
    cluster["Resources"]["Back"] = {
        "Type": "AWS::CloudFormation::Stack",
        "Properties": {"TemplateURL": "stack0.template.json", "Parameters": {"Round": {"Ref": "NodeGroup"}}},
    }
    assert of_250(tmp_path, outer, network, cluster) == ["warning"]


def test_a_rule_of_the_group_may_stand_in_another_template(tmp_path) -> None:
    whole = template()
    rule = whole["Resources"].pop("ToItself")
    whole["Outputs"] = {"G": {"Value": {"Ref": "Nodes"}, "Export": {"Name": "group"}}}
    imported = {"Fn::ImportValue": "group"}
    properties = {**rule["Properties"], "GroupId": imported, "DestinationSecurityGroupId": imported}
    other = {"Resources": {"ToItself": {**rule, "Properties": properties}}}
    assert of_250(tmp_path, whole, other) == []
    parameter = deepcopy(other)
    parameter["Resources"]["ToItself"]["Properties"]["GroupId"] = {"Ref": "Group"}
    assert of_250(tmp_path, whole, parameter) == ["warning"]


def test_a_nested_stack_that_is_not_here_may_have_the_rule(tmp_path) -> None:
    whole = template()
    del whole["Resources"]["ToItself"]
    assert of_250(tmp_path, whole) == ["error"]
    whole["Resources"]["More"] = {
        "Type": "AWS::CloudFormation::Stack",
        "Properties": {"TemplateURL": "more.yaml"},
    }
    assert of_250(tmp_path, whole) == ["warning"]


@pytest.mark.parametrize(
    ("config", "severities"),
    [
        ({"Ref": "Groups"}, ["warning"]),
        ({"Fn::If": ["Own", [{"Ref": "Nodes"}], {"Ref": "AWS::NoValue"}]}, []),
        ([{"Fn::If": ["Own", {"Ref": "Nodes"}, "sg-0123456789abcdef0"]}], ["warning"]),
    ],
)
def test_groups_that_a_condition_or_a_parameter_gives(tmp_path, config: Any, severities: list[str]) -> None:
    whole = template()
    whole["Resources"]["Cluster"]["Properties"]["VpcConfig"]["SecurityGroupIds"] = config
    assert of_250(tmp_path, whole) == severities


def test_rules_of_a_group_that_a_condition_chooses_count(tmp_path) -> None:
    outer, network, cluster = nested()
    chosen = {"Fn::If": ["Own", {"Ref": "Nodes"}, {"Ref": "Theirs"}]}
    for name in GROUP_RULES:
        network["Resources"][name]["Properties"]["GroupId"] = chosen
    network["Outputs"]["Group"]["Value"] = chosen
    assert of_250(tmp_path, outer, network, cluster) == []
    network["Resources"]["ToItself"]["Properties"]["GroupId"] = {"Fn::If": ["Own", "sg-1", "sg-2"]}
    assert of_250(tmp_path, outer, network, cluster) == ["error"]


def findings(folder: Path, value: dict[str, Any]) -> dict[str, list[str]]:
    report = json.loads(dpd("check", *write_pair(folder, value, manifest()), "--format", "json").out)
    found: dict[str, list[str]] = {}
    for each in report["findings"]:
        found.setdefault(each["id"], []).append(each["message"])
    return found


def test_templates_without_the_cluster_do_not_say_what_the_cluster_lacks(tmp_path) -> None:
    value = sound_template()
    del value["Resources"]["Cluster"]
    found = findings(tmp_path, value)
    assert not {each for each in found if each.startswith("DPD10") and len(each) == 7}
    (note,) = [each for each in found["DPD003"] if "among the templates" in each]
    assert {"DPD1001", "DPD1002", "DPD1006"} <= set(note.rpartition(": ")[2].split(", "))


def test_a_part_of_the_templates_does_not_say_which_buckets_and_roles_are_missing(tmp_path) -> None:
    value = sound_template()
    for name in ("OperatorRole", "Models", "Tls"):
        del value["Resources"][name]
    value["Resources"]["More"] = {
        "Type": "AWS::CloudFormation::Stack",
        "Properties": {"TemplateURL": "more.yaml"},
    }
    found = findings(tmp_path, value)
    assert not {"DPD1007", "DPD1009"} & found.keys()
    (note,) = [each for each in found["DPD003"] if "not here" in each]
    assert note.endswith("DPD1007, DPD1009")


def test_a_repeated_key_of_a_template_is_told(tmp_path) -> None:
    file = tmp_path / "stack.yaml"
    file.write_text("Resources:\n  A: {Type: 'AWS::S3::Bucket'}\n  A: {Type: 'AWS::S3::Bucket'}\n")
    assert "DPD008" in dpd("check", str(file)).out


def test_a_view_knows_when_it_is_a_part(tmp_path) -> None:
    for index, value in enumerate(nested()):
        (tmp_path / f"stack{index}.template.json").write_text(json.dumps(value))
    documents = [each for index in range(3) for each in read_file(tmp_path / f"stack{index}.template.json")]
    assert TemplateView(documents[0], documents).partial is False
    assert TemplateView(documents[0], documents[:2]).partial is True


def test_the_output_says_what_no_errors_on_templates_leave_open(tmp_path) -> None:
    file = tmp_path / "stack.json"
    file.write_text(json.dumps(template()))
    outcome = dpd("check", str(file))
    assert outcome.status == 0 and "Not covered" in outcome.out
    assert "cfn-lint" in outcome.out and "cdk-nag" in outcome.out
    assert "Not covered" not in dpd("check", "-q", str(file)).out
