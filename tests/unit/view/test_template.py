"""Templates as facts: text with unknown parts, policies in every form, references across stacks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hyperpod_dpd.document import read_documents
from hyperpod_dpd.view.template import TemplateView
from hyperpod_dpd.view.template_addons import addon_values
from hyperpod_dpd.view.template_values import (
    conditions,
    flat,
    policy,
    principals,
    service_accounts,
    statements,
)


def view(value: object, name: str = "a.template.json", beside: tuple[TemplateView, ...] = ()) -> TemplateView:
    (document,) = read_documents(json.dumps(value, indent=1), name)
    return TemplateView(document, [other.document for other in beside])


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("plain", "plain"),
        (8, "8"),
        (None, "*"),
        ({"Ref": "Name"}, "*"),
        ({"Fn::Join": ["-", ["a", {"Ref": "B"}, "c"]]}, "a-*-c"),
        ({"Fn::Sub": "s3://${Bucket}/x/${!Literal}"}, "s3://*/x/${!Literal}"),
        ({"Fn::Sub": ["${A}-${B}", {"A": "known", "B": {"Ref": "X"}}]}, "known-*"),
        ({"Fn::Join": "broken"}, "*"),
    ],
)
def test_what_is_known_of_a_text(value: object, text: str) -> None:
    assert flat(value) == text


def test_a_policy_in_every_form_is_the_same_policy() -> None:
    accounts = ["system:serviceaccount:a:b", "system:serviceaccount:c:d"]
    document = {
        "Version": "2012-10-17",
        "Statement": {
            "Effect": "Allow",
            "Principal": {"Federated": "arn:x/${Issuer}"},
            "Action": "sts:AssumeRoleWithWebIdentity",
            "Condition": {"StringEquals": {"${Issuer}:sub": accounts, "${Issuer}:aud": "sts.amazonaws.com"}},
        },
    }
    text = json.dumps(document)
    for form in (document, text, {"Fn::Sub": text}, {"Fn::Sub": [text, {"Issuer": {"Ref": "X"}}]}):
        (statement,) = statements(form)
        assert [account for _, account in service_accounts(statement)] == ["a:b", "c:d"]
        assert len(list(conditions(statement))) == 3


def test_what_is_no_policy_allows_nothing() -> None:
    for value in (None, "text", [], {"Ref": "Policy"}, {"Statement": [None, "x", {"Effect": "Deny"}]}, "[1]"):
        assert list(statements(value)) == []
    assert policy("[1]") == {}
    assert list(principals({"Principal": "*"})) == [("AWS", "*")]


def test_references_are_followed_inside_and_across_stacks() -> None:
    network = view(
        {
            "Resources": {"Group": {"Type": "AWS::EC2::SecurityGroup"}},
            "Outputs": {
                "G": {"Value": {"Fn::GetAtt": ["Group", "GroupId"]}, "Export": {"Name": "net:Group"}}
            },
        },
        "net.template.json",
    )
    user = view({"Resources": {"Role": {"Type": "AWS::IAM::Role"}}}, beside=(network,))
    assert user.target({"Ref": "Role"}) == (user, "Role")
    assert user.target({"Fn::GetAtt": "Role.Arn"}) == (user, "Role")
    found = user.target({"Fn::ImportValue": "net:Group"})
    assert found is not None and found[0].document is network.document and found[1] == "Group"
    for unknown in (
        {"Ref": "AWS::Region"},
        {"Fn::ImportValue": "other"},
        {"Fn::ImportValue": {"Ref": "X"}},
        "sg-1",
        3,
    ):
        assert user.target(unknown) is None
    assert view({"Resources": {}}).target({"Fn::ImportValue": "net:Group"}) is None


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"Resources": None},
        {"Resources": []},
        {"Resources": {"A": None, "B": "x", "C": {"Type": 3, "Properties": []}}},
    ],
)
def test_a_malformed_template_has_no_resources_of_a_kind(value: object) -> None:
    template = view(value)
    assert template.resources("AWS::IAM::Role") == []
    assert list(template.instance_groups()) == []
    assert template.exports == {}


def test_places_and_title() -> None:
    template = view({"Resources": {"A": {"Type": "X", "Properties": {"Name": "n"}}}}, "out/dev.template.json")
    place = template.locate(template.property_path("A", "Name"))
    assert template.title == "template dev"
    assert (place.path, place.line) == ("Resources.A.Properties.Name", 6)
    assert template.locate(template.property_path("A", "Absent", 0)).line >= 4


def test_values_of_an_addon_that_can_be_read() -> None:
    def addon(values: object) -> dict[str, object]:
        return {"Type": "AWS::EKS::Addon", "Properties": {"AddonName": "x", "ConfigurationValues": values}}

    joined = {"Fn::Join": ["", ['{"a": "', {"Ref": "R"}, '"}']]}
    template = view(
        {"Resources": {"A": addon(joined), "B": addon("not json"), "C": addon("[]"), "D": addon(None)}}
    )
    assert dict(addon_values(template, "x")) == {"A": {"a": "*"}, "D": {}}
    assert dict(addon_values(template, "y")) == {}


def test_every_rule_survives_every_malformed_property(tmp_path: Path) -> None:
    """Rules get templates that nobody validated: each property in turn becomes a value of another shape."""
    from tests.support.templates import judge_templates, template

    healthy = template()
    crashes = []
    for logical_id, body in healthy["Resources"].items():
        for key in list(body.get("Properties", {})):
            for wrong in (None, "text", 3, [], {}, [None, 3, "x"], {"Ref": "Nobody"}, {"Fn::GetAtt": []}):
                spoiled = {"Resources": {**healthy["Resources"]}}
                spoiled["Resources"][logical_id] = {**body, "Properties": {**body["Properties"], key: wrong}}
                found = judge_templates(tmp_path, spoiled)
                crashes += [f"{logical_id}.{key}={wrong}: {f.message}" for f in found if f.id == "DPD001"]
    assert not crashes, crashes
