"""Judging by a user's own CRD."""

from __future__ import annotations

import copy

import pytest

from hyperpod_dpd.iec.crd import NotThisCrd, crd_tree, validate_against_crd
from hyperpod_dpd.iec.drift import drift, least_release


def spec_schema(crd):
    return crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]


@pytest.fixture
def own(crd):
    """A copy to be changed."""
    return copy.deepcopy(crd)


def test_sound_endpoint(crd, endpoint):
    assert validate_against_crd(crd, endpoint) == []


def test_unknown_fields_are_closed_with_advice(crd, endpoint):
    endpoint["spec"]["worker"]["env"] = []
    endpoint["spec"]["loadBalancer"] = {"idleTimeoutSeconds": 600}
    found = {p.path: p for p in validate_against_crd(crd, endpoint)}
    assert set(found) == {("spec", "worker", "env"), ("spec", "loadBalancer", "idleTimeoutSeconds")}
    assert {p.kind for p in found.values()} == {"unknown-field"}
    assert "environmentVariables" in found["spec", "worker", "env"].fix
    assert "3.3" in found["spec", "loadBalancer", "idleTimeoutSeconds"].fix


def test_the_crds_own_limits_count(own, endpoint):
    properties = spec_schema(own)["properties"]
    properties["pdSpec"]["properties"]["routingThreshold"]["maximum"] = 1000
    properties["brandNew"] = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    endpoint["spec"]["brandNew"] = {"anything": {"goes": 1}}
    problems = validate_against_crd(own, endpoint)
    assert [(p.kind, p.path) for p in problems] == [("maximum", ("spec", "pdSpec", "routingThreshold"))]


def test_words_of_a_schema_that_we_do_not_have_go_to_the_schema_library(own, endpoint):
    spec_schema(own)["oneOf"] = [{"required": ["instanceType"]}, {"required": ["instanceTypes"]}]
    assert validate_against_crd(own, endpoint) == []
    endpoint["spec"]["instanceTypes"] = ["ml.p5.48xlarge"]
    problem = validate_against_crd(own, endpoint)[0]
    assert (problem.kind, problem.path) == ("schema", ("spec",))
    assert "oneOf" in problem.fix


def test_rules_in_cel_are_named_not_ignored(own):
    spec_schema(own)["x-kubernetes-validations"] = [{"rule": "has(self.pdSpec)"}]
    found = [item for item in drift(own, release="3.2") if item.kind == "not-evaluated"]
    assert [item.path for item in found] == [("spec",)]


def test_version_of_the_manifest_decides(own, endpoint):
    old = {**endpoint, "apiVersion": "inference.sagemaker.aws.amazon.com/v1alpha1"}
    assert ("spec", "pdSpec") in {p.path for p in validate_against_crd(own, old)}
    own["spec"]["versions"][1]["served"] = False
    problem = validate_against_crd(own, old)[0]
    assert problem.kind == "wrong-api-version"
    assert "inference.sagemaker.aws.amazon.com/v1" in problem.fix


def test_other_kinds(crd):
    problems = validate_against_crd(crd, {"apiVersion": "apps/v1", "kind": "Deployment"})
    assert [p.kind for p in problems] == ["wrong-kind"]


@pytest.mark.parametrize(
    "document",
    [
        None,
        {},
        {"kind": "Deployment"},
        {"kind": "CustomResourceDefinition"},
        {"kind": "CustomResourceDefinition", "spec": {"group": "x", "names": {"kind": "Y"}, "versions": [3]}},
        {"kind": "CustomResourceDefinition", "spec": {"group": "inference.sagemaker.aws.amazon.com",
         "names": {"kind": "InferenceEndpointConfig"}, "versions": [None, {"name": "v1"}]}},
    ],
)  # fmt: skip
def test_another_document_is_refused(document):
    with pytest.raises(NotThisCrd) as error:
        drift(document)
    assert str(error.value)


def test_a_version_that_is_not_served_is_refused(crd):
    with pytest.raises(NotThisCrd, match="v9"):
        crd_tree(crd, "v9")


def test_the_release_is_read_from_the_fields(own):
    assert least_release(own) == "3.2"
    properties = spec_schema(own)["properties"]
    properties["loadBalancer"]["properties"]["idleTimeoutSeconds"] = {"type": "integer"}
    assert least_release(own) == "3.2"
    properties["modelCacheConfig"] = {"type": "object", "properties": {"imageCache": {"type": "object"}}}
    assert least_release(own) == "3.3"
    del properties["pdSpec"]
    assert least_release(own) == "3.1.2"
