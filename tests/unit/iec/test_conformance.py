"""Our field tree against the operator's CRD of release 3.2: every path, both ways."""

from __future__ import annotations

import copy
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hyperpod_dpd.catalog.manifest_fields import root
from hyperpod_dpd.iec.crd import validate_against_crd
from hyperpod_dpd.iec.drift import drift
from hyperpod_dpd.iec.validation import validate


def test_releases_agree_with_the_catalogue():
    from hyperpod_dpd.catalog import operator_releases

    entries = operator_releases.fields()
    assert entries
    for entry in entries:
        node, since = root(), ""
        for step in entry.path.split("."):
            node = node.fields[step]
            since = node.since or since
        if entry.since is not None:
            assert since == str(entry.since), entry.path
        else:
            assert not node.certain, entry.path


@pytest.mark.parametrize("version", ["v1", "v1alpha1"])
def test_fields_equal_the_crd(crd, version):
    differences = drift(crd, version=version, release="3.2")
    assert not differences, "\n" + "\n".join(f"{item.kind}: {item.message}" for item in differences)


def test_the_comparison_can_fail(crd):
    spoiled = copy.deepcopy(crd)
    spec = spoiled["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]
    spec["properties"]["pdSpec"]["properties"]["routingThreshold"]["minimum"] = 1
    spec["properties"]["brandNew"] = {"type": "string"}
    del spec["properties"]["replicas"]
    spec["required"].append("instanceType")
    found = {(item.kind, item.path) for item in drift(spoiled, release="3.2")}
    assert found == {
        ("minimum", ("spec", "pdSpec", "routingThreshold")),
        ("only-in-crd", ("spec", "brandNew")),
        ("only-ours", ("spec", "replicas")),
        ("required", ("spec",)),
    }


def test_later_fields_are_listed_with_their_release_when_no_release_is_given(crd):
    missing = {item.path: item.ours for item in drift(crd) if item.kind == "only-ours"}
    assert missing == {
        ("spec", "loadBalancer", "idleTimeoutSeconds"): "3.3",
        ("spec", "modelCacheConfig"): "3.3",
        ("spec", "metricsSidecarResources"): "3.4",
        ("spec", "metricsCollectorResources"): "3.4",
        ("spec", "s3UploaderResources"): "3.4",
        ("spec", "inferenceGateway"): "3.6",
        ("spec", "kubernetes", "podTemplateAnnotations"): "3.6",
        ("spec", "tolerations"): "3.7",
        ("spec", "lmcache"): "3.7",
        ("spec", "dynamoSpec"): "3.5",
    }


def close(schema):
    """The CRD's schema as strict validation sees it, for an independent judge."""
    if not isinstance(schema, dict):
        return schema
    closed = {
        key: close(value) if key in ("items", "additionalProperties") else value
        for key, value in schema.items()
    }
    if "properties" in schema:
        closed["properties"] = {name: close(child) for name, child in schema["properties"].items()}
        closed["additionalProperties"] = False
    if schema.get("x-kubernetes-int-or-string"):
        closed.pop("type", None)
    closed.pop("format", None)
    return closed


@pytest.fixture(scope="module")
def judge(crd):
    from jsonschema import Draft4Validator

    schema = crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    return Draft4Validator(close(schema["properties"]["spec"]))


VALUES = st.sampled_from(
    [
        0,
        1,
        -1,
        5000,
        2.5,
        True,
        False,
        "",
        "0",
        "8Gi",
        "ml.x",
        "s3://b/p",
        "/ping",
        "prefixaware",
        "Z1",
        "a b",
        [],
        {},
        [1],
        ["a"],
        {"a": "b"},
        {"name": "x"},
        [{"name": "x"}],
        [{"name": "x", "value": "y"}],
        "64 Gi",
        "Input",
    ]
)


def paths_of(node, path=()):
    for name, child in node.fields.items():
        yield (*path, name)
        yield from paths_of(child, (*path, name))
    if node.item is not None and node.type == "list":
        yield from paths_of(node.item, (*path, 0))


PATHS = sorted({path for path in paths_of(root().fields["spec"]) if "kubernetes" not in path[:1]}, key=str)


def put(tree, path, value):
    node = tree
    for step, following in pairwise(path):
        fresh = [] if isinstance(following, int) else {}
        if isinstance(step, int):
            while len(node) <= step:
                node.append(fresh)
            if type(node[step]) is not type(fresh):
                node[step] = fresh
            node = node[step]
        else:
            if type(node.get(step)) is not type(fresh):
                node[step] = fresh
            node = node[step]
    if isinstance(path[-1], int):
        node[:] = [value]
    else:
        node[path[-1]] = value


def _is_below(path, problems):
    """Whether a path is, or lies in, a field that the CRD does not have at all."""
    return any(kind == "unknown-field" and path[: len(top)] == top for kind, top in problems)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from(PATHS), VALUES), min_size=1, max_size=3), st.booleans())
def test_verdict_equals_that_of_a_schema_library(judge, crd, endpoint, changes, unknown):
    """Refused by us exactly when jsonschema refuses it by the closed CRD; our CRD check agrees."""
    manifest = copy.deepcopy(endpoint)
    for path, value in changes:
        put(manifest["spec"], path, copy.deepcopy(value))
    if unknown:
        manifest["spec"]["worker" if isinstance(manifest["spec"].get("worker"), dict) else "x"] = {
            "nonsense": 1
        }
    theirs = [error.message for error in judge.iter_errors(manifest["spec"])]
    ours = [p for p in validate(manifest, release="3.2") if p.kind != "duplicate-key-entry" and p.refused]
    assert bool(ours) == bool(theirs), (theirs, ours)
    mine = {
        (p.kind.replace("newer-release", "unknown-field"), p.path) for p in validate(manifest, release="3.2")
    }
    by_crd = {(p.kind, p.path) for p in validate_against_crd(crd, manifest)}
    assert by_crd - mine == set()
    assert [path for _, path in mine - by_crd if not _is_below(path, by_crd)] == []
