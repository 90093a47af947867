"""The escape hatch: what it changes is rendered, and rules judge the result."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from hyperpod_dpd.blueprint.patching import PatchFault, apply
from hyperpod_dpd.cli.main import dpd
from hyperpod_dpd.config import InvalidEnvironment
from k8s.rendering import render
from tests.support.documents import ENVIRONMENTS

PROBES = """
overrides:
  - kind: InferenceEndpointConfig
    name: llama-70b
    patch:
      - {op: add, path: /spec/worker/probes, value: {startupProbe: {failureThreshold: 240}}}
      - {op: test, path: /spec/pdSpec/routingThreshold, value: 4096}
      - {op: replace, path: /spec/pdSpec/routingThreshold, value: 8192}
  - kind: PodDisruptionBudget
    name: dpd-prefill
    namespace: inference
    patch: [{op: replace, path: /spec/maxUnavailable, value: 2}]
"""


def one(environment: Any, kind: str, name: str) -> dict[str, Any]:
    [item] = [
        i
        for app in environment.apps
        for i in app.objects
        if (i["kind"], i["metadata"]["name"]) == (kind, name)
    ]
    return item


def test_patches_reach_the_objects_they_name(document):
    environment = render(document(PROBES))
    spec = one(environment, "InferenceEndpointConfig", "llama-70b")["spec"]
    assert spec["worker"]["probes"] == {"startupProbe": {"failureThreshold": 240}}
    assert spec["pdSpec"]["routingThreshold"] == 8192
    assert one(environment, "PodDisruptionBudget", "dpd-prefill")["spec"]["maxUnavailable"] == 2
    assert one(environment, "PodDisruptionBudget", "dpd-decode")["spec"]["maxUnavailable"] == 0


def test_rules_see_the_result(root: Path, tmp_path: Path) -> None:
    text = (ENVIRONMENTS / "dev.yaml").read_text()
    path = tmp_path / "dev.yaml"

    def found() -> set[str]:
        done = CliRunner().invoke(dpd, ["check", "--format", "json", str(path)])
        return {each["id"] for each in json.loads(done.output)["findings"] if each["severity"] == "error"}

    path.write_text(text)
    assert found() == set()
    path.write_text(
        text
        + "\noverrides:\n- {kind: InferenceEndpointConfig, name: llama-70b,"
        + " patch: [{op: replace, path: /spec/worker/environmentVariables, value: []}]}\n"
    )
    assert "DPD401" in found()


@pytest.mark.parametrize(
    "patch",
    [
        "{op: replace, path: /spec/worker, value: x}",
        "{op: replace, path: /spec/worker/environmentVariables, value: [{value: y}, 3]}",
        "{op: replace, path: /spec/worker/args, value: {a: 1}}",
        "{op: replace, path: /spec, value: []}",
        "{op: add, path: /spec/invented, value: true}",
        "{op: replace, path: /spec/pdSpec/prefillSpec/replicas, value: many}",
    ],
)
def test_whatever_an_override_writes_is_judged_at_its_place(root: Path, tmp_path: Path, patch: str) -> None:
    path = tmp_path / "dev.yaml"
    override = f"{{kind: InferenceEndpointConfig, name: llama-70b, patch: [{patch}]}}"
    path.write_text(f"{(ENVIRONMENTS / 'dev.yaml').read_text()}\noverrides: [{override}]\n")
    done = CliRunner().invoke(dpd, ["check", "--format", "json", str(path)])
    findings = json.loads(done.output)["findings"]
    assert "DPD001" not in {each["id"] for each in findings}
    errors = [each for each in findings if each["severity"] == "error"]
    assert any(each["path"] == "overrides[0].patch[0]" for each in errors), errors


@pytest.mark.parametrize(
    ("patch", "says"),
    [
        ("{op: remove, path: /spec/none}", "non-existent object 'none'"),
        ("{op: replace, path: /spec/worker/args/99, value: x}", "outside of list"),
        ("{op: test, path: /spec/modelName, value: other}", "it is 'Llama"),
        ("{op: add, path: /spec/modelName/x, value: 1}", "Cannot apply token 'x'"),
    ],
)
def test_patch_that_does_not_fit_its_endpoint_is_a_fault_with_its_place(document, patch, says):
    fragment = f"overrides: [{{kind: InferenceEndpointConfig, name: llama-70b, patch: [{patch}]}}]"
    with pytest.raises(InvalidEnvironment) as refused:
        document(fragment)
    assert says in str(refused.value) and "overrides[0].patch[0]" in str(refused.value)


@pytest.mark.parametrize(
    ("patch", "says"),
    [
        ("{op: replace, path: /metadata/name, value: x}", "what names the object"),
        ("{op: replace, path: /kind, value: x}", "what names the object"),
        ("{op: add, path: /status/state, value: x}", "what the cluster writes"),
        ("{op: move, path: /spec/x}", "'source' belongs to"),
        ("{op: add, path: spec/x, value: 1}", "path"),
        ("{op: append, path: /spec/x, value: 1}", "op"),
    ],
)
def test_patch_that_is_none_is_refused_by_its_shape(document, patch, says):
    with pytest.raises(InvalidEnvironment, match=says):
        document(f"overrides: [{{kind: Namespace, name: inference, patch: [{patch}]}}]")


def test_patch_of_an_object_that_is_not_rendered_is_not_lost_without_a_word(document):
    blueprint = document(
        "overrides: [{kind: Service, name: x, namespace: a, patch: [{op: remove, path: /spec}]}]"
    )
    with pytest.raises(ValueError, match="no Service a/x is rendered"):
        render(blueprint)


def test_patch_that_does_not_fit_another_object_is_refused(document):
    blueprint = document(
        "overrides: [{kind: Namespace, name: inference, patch: [{op: remove, path: /spec}]}]"
    )
    with pytest.raises(
        ValueError, match="does not fit Namespace inference: can't remove a non-existent object 'spec'"
    ):
        render(blueprint)


@pytest.mark.parametrize(
    ("before", "operation", "after"),
    [
        ({"a": 1}, {"op": "add", "path": "/b", "value": 2}, {"a": 1, "b": 2}),
        ({"a": [1, 3]}, {"op": "add", "path": "/a/1", "value": 2}, {"a": [1, 2, 3]}),
        ({"a": [1]}, {"op": "add", "path": "/a/-", "value": 2}, {"a": [1, 2]}),
        ({"a/b": 1, "m~n": 2}, {"op": "remove", "path": "/a~1b"}, {"m~n": 2}),
        ({"a/b": 1, "m~n": 2}, {"op": "replace", "path": "/m~0n", "value": 3}, {"a/b": 1, "m~n": 3}),
        ({"a": {"b": 1}}, {"op": "move", "from": "/a/b", "path": "/c"}, {"a": {}, "c": 1}),
        ({"a": [1, 2]}, {"op": "copy", "from": "/a/0", "path": "/b"}, {"a": [1, 2], "b": 1}),
        ({"a": [1, 2]}, {"op": "remove", "path": "/a/0"}, {"a": [2]}),
        ({"a": None}, {"op": "test", "path": "/a", "value": None}, {"a": None}),
    ],
)
def test_operations_are_those_of_rfc_6902(before, operation, after):
    assert apply(before, operation) == after


@pytest.mark.parametrize(
    "operation",
    [
        {"op": "add", "path": "/a/9", "value": 1},
        {"op": "add", "path": "/a/01", "value": 1},
        {"op": "replace", "path": "/a/-", "value": 1},
        {"op": "test", "path": "/b", "value": 1},
        {"op": "move", "from": "/c", "path": "/c/d"},
    ],
)
def test_operations_that_rfc_6902_refuses(operation):
    with pytest.raises(PatchFault):
        apply({"a": [1], "b": True, "c": {"d": 1}}, operation)


@pytest.mark.parametrize("kind", ["Namespace", "InferenceEndpointConfig"])
@pytest.mark.parametrize(
    ("labels", "says"),
    [
        ("{team: true}", "team is True; a string is needed"),
        ("{te am: x}", "'te am' cannot be a key"),
        (f"{{team: {'x' * 64}}}", "use at most 63 letters"),
        ("{team: null}", "is empty; leave the key out"),
        ("x", "a mapping of keys to strings is needed"),
    ],
)
def test_labels_that_no_object_can_have_are_refused(document, kind, labels, says):
    name = "inference" if kind == "Namespace" else "llama-70b"
    patch = f"[{{op: add, path: /metadata/labels, value: {labels}}}]"
    with pytest.raises((ValueError, InvalidEnvironment), match=says):
        render(document(f"overrides: [{{kind: {kind}, name: {name}, patch: {patch}}}]"))


def test_annotation_of_another_type_is_refused(document):
    patch = "[{op: add, path: /metadata/annotations, value: {argocd.argoproj.io/sync-wave: 5}}]"
    with pytest.raises((ValueError, InvalidEnvironment), match="sync-wave is 5; a string is needed"):
        render(document(f"overrides: [{{kind: Namespace, name: inference, patch: {patch}}}]"))
