"""Coercion: what was meant comes out, with the types that later checks rely on."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperpod_dpd.iec.coercion import coerce
from hyperpod_dpd.iec.validation import validate


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        (("environmentVariables",), [{"name": "A", "value": 0}], [{"name": "A", "value": "0"}]),
        (("environmentVariables",), [{"name": "A", "value": False}], [{"name": "A", "value": "False"}]),
        (
            ("environmentVariables",),
            {"A": 1, "B": "x"},
            [{"name": "A", "value": "1"}, {"name": "B", "value": "x"}],
        ),
        (
            ("environmentVariables",),
            ["A=1", "B=x=y"],
            [{"name": "A", "value": "1"}, {"name": "B", "value": "x=y"}],
        ),
        (("environmentVariables",), {"name": "A", "value": "1"}, [{"name": "A", "value": "1"}]),
        (("environmentVariables",), "nonsense", []),
        (("environmentVariables",), [{"name": "A"}, None, 3], [{"name": "A"}, {}, {}]),
        (("args",), "--port 8000", ["--port 8000"]),
        (("args",), ["--port", 8000, None, True], ["--port", "8000", "", "True"]),
        (("args",), [{"--port": 8000}, {"--enforce-eager": None}], ["--port=8000", "--enforce-eager"]),
        (("args",), {"a": 1}, []),
        (("modelInvocationPort", "containerPort"), "8000", 8000),
        (("modelInvocationPort", "containerPort"), 8000.0, 8000),
        (("resources", "limits"), 'memory:64Gi cpu:"8"', {"memory": "64Gi", "cpu": "8"}),
        (("resources", "limits"), {"cpu": 0.5, "gpu": 8}, {"cpu": "0.5", "gpu": 8}),
        (("resources", "limits"), "8", {}),
        (("resources",), [1], {}),
        (("unknown",), {"kept": [1, {"a": None}]}, {"kept": [1, {"a": None}]}),
    ],
)
def test_what_was_meant(endpoint, path, value, expected):
    node = endpoint["spec"]["worker"]
    for step in path[:-1]:
        node = node[step]
    node[path[-1]] = value
    found = coerce(endpoint)["spec"]["worker"]
    for step in path:
        found = found[step]
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize("value", ["${REPLICAS}", "many", True, None, [1], 1.5])
def test_a_number_that_cannot_be_read_is_left_out(endpoint, value):
    endpoint["spec"]["pdSpec"]["prefillSpec"]["replicas"] = value
    assert "replicas" not in coerce(endpoint)["spec"]["pdSpec"]["prefillSpec"]


@pytest.mark.parametrize(("value", "expected"), [("true", True), ("False", False), ("yes", True)])
def test_booleans(endpoint, value, expected):
    endpoint["spec"]["intelligentRoutingSpec"]["enabled"] = value
    assert coerce(endpoint)["spec"]["intelligentRoutingSpec"]["enabled"] is expected


def test_the_users_own_spelling_is_preferred(endpoint):
    endpoint["spec"]["worker"]["environmentVariables"][0]["value"] = False
    path = ("spec", "worker", "environmentVariables", 0, "value")
    found = coerce(endpoint, lambda at: "no" if at == path else None)
    assert found["spec"]["worker"]["environmentVariables"][0]["value"] == "no"


def test_sound_input_comes_out_equal_and_separate(endpoint):
    before = copy.deepcopy(endpoint)
    result = coerce(endpoint)
    assert result == before
    result["spec"]["worker"]["args"].append("x")
    assert endpoint == before


@pytest.mark.parametrize("value", [None, 3, "text", [1], []])
def test_anything_gives_a_mapping(value):
    assert coerce(value) == {}


def test_depth_is_no_obstacle(endpoint):
    deep: list = []
    for _ in range(5000):
        deep = [deep]
    endpoint["spec"]["unknown"] = deep
    result = coerce(endpoint)["spec"]["unknown"]
    depth = 0
    while result:
        result, depth = result[0], depth + 1
    assert depth == 5000


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["name", "value", "limits", "args", "a", "worker", "replicas"]), inner, max_size=4
        )
    ),
    max_leaves=15,
)
NAMES = """
    worker pdSpec args tags modelSourceConfig replicas metrics kubernetes autoScalingSpec instanceTypes
    dataCapture modelName tlsConfig nodeAffinity loadBalancer intelligentRoutingSpec
"""
FIELDS = st.sampled_from(NAMES.split())


@settings(max_examples=250, deadline=None)
@given(st.dictionaries(FIELDS, JSON, max_size=6), JSON, st.sampled_from(["v1", "v1alpha1"]))
def test_the_result_never_has_a_wrong_type(spec, metadata, version):
    manifest = {
        "apiVersion": f"inference.sagemaker.aws.amazon.com/{version}",
        "kind": "InferenceEndpointConfig",
        "metadata": metadata,
        "spec": spec,
    }
    result = coerce(manifest)
    assert [p for p in validate(result) if p.kind == "wrong-type"] == []
    assert coerce(result) == result
