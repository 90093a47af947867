"""CloudFormation's short tags are read as the long forms they stand for, in templates and nowhere else."""

from __future__ import annotations

import pytest
from yaml import safe_load

from hyperpod_dpd.document import read_documents

BOTH = [
    ("!Ref Vpc", "{Ref: Vpc}"),
    ("!Ref 123", "{Ref: '123'}"),
    ("!Condition Wide", "{Condition: Wide}"),
    ("!GetAtt Nodes.GroupId", "{'Fn::GetAtt': [Nodes, GroupId]}"),
    ("!GetAtt Inner.Outputs.Vpc", "{'Fn::GetAtt': [Inner, Outputs.Vpc]}"),
    ("!GetAtt [Nodes, GroupId]", "{'Fn::GetAtt': [Nodes, GroupId]}"),
    ("!Sub 's3://${Bucket}/lcs/'", "{'Fn::Sub': 's3://${Bucket}/lcs/'}"),
    ("!Sub ['${A}', {A: !Ref B}]", "{'Fn::Sub': ['${A}', {A: {Ref: B}}]}"),
    ("!If [Wide, !Ref A, !Ref AWS::NoValue]", "{'Fn::If': [Wide, {Ref: A}, {Ref: AWS::NoValue}]}"),
    ("!Join ['', [a, !Ref B]]", "{'Fn::Join': ['', [a, {Ref: B}]]}"),
    ("!Select [0, !GetAZs '']", "{'Fn::Select': [0, {'Fn::GetAZs': ''}]}"),
    ("!Not [!Equals [a, b]]", "{'Fn::Not': [{'Fn::Equals': [a, b]}]}"),
    ("!FindInMap [M, !Ref 'AWS::Region', K]", "{'Fn::FindInMap': [M, {Ref: 'AWS::Region'}, K]}"),
    ("!Split [',', !ImportValue Subnets]", "{'Fn::Split': [',', {'Fn::ImportValue': Subnets}]}"),
    ("!Cidr [!GetAtt Vpc.CidrBlock, 4, 8]", "{'Fn::Cidr': [{'Fn::GetAtt': [Vpc, CidrBlock]}, 4, 8]}"),
    ("!Transform {Name: M, Parameters: {A: 1}}", "{'Fn::Transform': {Name: M, Parameters: {A: 1}}}"),
    ("!Base64\n      Fn::Sub: x", "{'Fn::Base64': {'Fn::Sub': x}}"),
    ("!Length [1, 2]", "{'Fn::Length': [1, 2]}"),
    ("!ToJsonString {a: !Ref B}", "{'Fn::ToJsonString': {a: {Ref: B}}}"),
]


@pytest.mark.parametrize(("short", "long"), BOTH)
def test_a_short_tag_is_its_long_form(short: str, long: str) -> None:
    (document,) = read_documents(f"Resources:\n  A:\n    Value: {short}\n", "f.yaml")
    assert document.value["Resources"]["A"]["Value"] == safe_load(long)
    assert document.problems == []


def test_a_place_inside_a_short_tag_is_known() -> None:
    (document,) = read_documents("Resources:\n  A:\n    Value: !Sub [x, {B: !Ref C}]\n", "f.yaml")
    path = ("Resources", "A", "Value")
    assert document.where_key(path) == (3, 5)
    assert document.where((*path, "Fn::Sub", 1, "B", "Ref")) == (3, 25)


def test_an_unknown_tag_of_a_template_is_still_reported() -> None:
    (document,) = read_documents("Resources: {A: {Value: !Reff Vpc}}\n", "f.yaml")
    assert document.value["Resources"]["A"]["Value"] == "Vpc"
    assert [problem.message for problem in document.problems] == [
        "the tag '!Reff' has no meaning here and is read as text"
    ]


@pytest.mark.parametrize("text", ["kind: Pod\nname: !Ref Vpc\n", "Resources: [a]\nname: !Ref Vpc\n"])
def test_other_documents_have_no_such_tags(text: str) -> None:
    (document,) = read_documents(text, "f.yaml")
    assert document.value["name"] == "Vpc" and len(document.problems) == 1
