"""What an object is, and the objects inside lists."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperpod_dpd.iec.identity import Identity, Kind, expand, identify

GROUP = "inference.sagemaker.aws.amazon.com"


@pytest.mark.parametrize(
    ("version", "kind", "expected"),
    [
        (f"{GROUP}/v1", "InferenceEndpointConfig", Kind.ENDPOINT),
        (f"{GROUP}/v1alpha1", "InferenceEndpointConfig", Kind.OLD_ENDPOINT),
        (f"{GROUP}/v1beta1", "InferenceEndpointConfig", Kind.WRONG_API_VERSION),
        ("hyperpod.sagemaker.aws/v1", "InferenceEndpointConfig", Kind.WRONG_API_VERSION),
        (None, "InferenceEndpointConfig", Kind.WRONG_API_VERSION),
        (1, "InferenceEndpointConfig", Kind.WRONG_API_VERSION),
        (f"{GROUP}/v1", "inferenceendpointconfig", Kind.MISSPELLED_KIND),
        (f"{GROUP}/v1", "InferenceEndpointConfiguration", Kind.MISSPELLED_KIND),
        (f"{GROUP}/v1", None, Kind.MISSPELLED_KIND),
        (f"{GROUP}/v1", "JumpStartModel", Kind.OTHER_HYPERPOD),
        (f"{GROUP}/v1", "Something", Kind.OTHER_HYPERPOD),
        ("apps/v1", "Deployment", Kind.OTHER_KUBERNETES),
        ("v1", "ConfigMap", Kind.OTHER_KUBERNETES),
        ("v1", None, Kind.NOT_KUBERNETES),
        (None, None, Kind.NOT_KUBERNETES),
    ],
)
def test_identities(version, kind, expected):
    value = {key: part for key, part in (("apiVersion", version), ("kind", kind)) if part is not None}
    identity = identify(value)
    assert identity.kind is expected
    assert bool(identity.message) == (expected is not Kind.ENDPOINT)
    if expected in (Kind.WRONG_API_VERSION, Kind.OLD_ENDPOINT):
        assert f"{GROUP}/v1'" in identity.fix


def test_lists_are_opened_with_paths():
    inner = {"apiVersion": "v1", "kind": "List", "items": [{"kind": "B"}]}
    value = {"apiVersion": "v1", "kind": "List", "items": [{"kind": "A"}, inner, None]}
    assert list(expand(value)) == [
        (("items", 0), {"kind": "A"}),
        (("items", 1, "items", 0), {"kind": "B"}),
        (("items", 2), None),
    ]
    typed = {"kind": "InferenceEndpointConfigList", "items": [{"kind": "InferenceEndpointConfig"}]}
    assert [path for path, _ in expand(typed)] == [("items", 0)]
    assert list(expand({"kind": "Deployment", "items": [1]})) == [((), {"kind": "Deployment", "items": [1]})]


@settings(max_examples=100, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["kind", "apiVersion", "items"]),
        st.none() | st.text() | st.integers() | st.lists(st.none()),
    )
)
def test_never_raises(value):
    assert isinstance(identify(value), Identity)
    assert list(expand(value)) or value.get("items") == []
