"""What the API server refuses of an endpoint although the CRD's schema says nothing of it."""

from __future__ import annotations

import pytest

from hyperpod_dpd.iec.validation import validate

OWNER = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "a", "uid": "1"}


@pytest.mark.parametrize(
    ("metadata", "path"),
    [
        ({"finalizers": ["a b"]}, ("finalizers", 0)),
        ({"finalizers": ["-x/y"]}, ("finalizers", 0)),
        ({"finalizers": ["orphan", "foregroundDeletion"]}, ("finalizers",)),
        ({"finalizers": "x/y"}, ("finalizers",)),
        ({"finalizers": [None]}, ("finalizers", 0)),
        ({"ownerReferences": [{**OWNER, "uid": ""}]}, ("ownerReferences", 0, "uid")),
        (
            {"ownerReferences": [{"kind": "Deployment", "name": "a", "uid": "1"}]},
            ("ownerReferences", 0, "apiVersion"),
        ),
        ({"ownerReferences": [{**OWNER, "apiVersion": "a/b/c"}]}, ("ownerReferences", 0, "apiVersion")),
        (
            {"ownerReferences": [{**OWNER, "blockOwnerDeletion": "yes"}]},
            ("ownerReferences", 0, "blockOwnerDeletion"),
        ),
        ({"ownerReferences": [{**OWNER, "group": "apps"}]}, ("ownerReferences", 0, "group")),
        (
            {"ownerReferences": [{**OWNER, "controller": True}, {**OWNER, "uid": "2", "controller": True}]},
            ("ownerReferences", 1, "controller"),
        ),
        ({"generateName": "Llama-"}, ("generateName",)),
        ({"generateName": "-llama"}, ("generateName",)),
        ({"generateName": "l" * 254}, ("generateName",)),
        ({"annotations": {"note": "x" * 262_141}}, ("annotations",)),
        ({"generation": -1}, ("generation",)),
        ({"generation": "1"}, ("generation",)),
        ({"resourceVersion": 7}, ("resourceVersion",)),
        ({"creationTimestamp": "yesterday"}, ("creationTimestamp",)),
        ({"clusterName": "eks"}, ("clusterName",)),
        ({"managedFields": [{"manager": "x", "by": "y"}]}, ("managedFields", 0, "by")),
    ],
)
def test_metadata_that_is_refused(endpoint, metadata, path) -> None:
    endpoint["metadata"].update(metadata)
    found = validate(endpoint)
    assert {p.path for p in found} == {("metadata", *path)}
    assert all(p.refused for p in found)


@pytest.mark.parametrize(
    "metadata",
    [
        {"finalizers": ["inference.sagemaker.aws.amazon.com/finalizer", "orphan"]},
        {
            "ownerReferences": [
                {**OWNER, "controller": True, "blockOwnerDeletion": False},
                {**OWNER, "uid": "2"},
            ]
        },
        {"generateName": "llama-"},
        {"annotations": {"note": "x" * 262_140}},
        {"creationTimestamp": "2026-05-01T10:00:00Z", "generation": 3, "resourceVersion": "7", "uid": "u"},
        {"managedFields": [{"manager": "kubectl", "operation": "Apply", "fieldsV1": {"f:spec": {}}}]},
    ],
)
def test_metadata_that_passes(endpoint, metadata) -> None:
    endpoint["metadata"].update(metadata)
    assert validate(endpoint) == []


def test_fewer_replicas_than_none(endpoint) -> None:
    endpoint["spec"]["replicas"] = -1
    (problem,) = validate(endpoint)
    assert (problem.kind, problem.path) == ("minimum", ("spec", "replicas"))
    endpoint["spec"]["replicas"] = 0
    assert validate(endpoint) == []


@pytest.mark.parametrize("value", [2**63, -(2**63) - 1, 10**30])
def test_a_quantity_beyond_64_bits(endpoint, value) -> None:
    endpoint["spec"]["worker"]["resources"]["requests"]["memory"] = value
    (problem,) = validate(endpoint)
    assert problem.kind == "maximum" and "64 bits" in problem.message
    endpoint["spec"]["worker"]["resources"]["requests"]["memory"] = 2**63 - 1
    assert validate(endpoint) == []


def test_the_metadata_of_a_claim_template_is_dropped_by_the_schema(endpoint) -> None:
    """The CRD gives it no fields, so a strict server refuses whatever stands there."""
    template = {"metadata": {"labels": {"team": "a"}}, "spec": {"accessModes": ["ReadWriteOnce"]}}
    volume = {"name": "scratch", "ephemeral": {"volumeClaimTemplate": template}}
    endpoint["spec"]["kubernetes"] = {"volumes": [volume]}
    (problem,) = validate(endpoint)
    assert (problem.kind, problem.path[-2:]) == ("unknown-field", ("metadata", "labels"))
    template["metadata"] = {}
    assert validate(endpoint) == []
