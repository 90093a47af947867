"""An override that leads to nothing, or to nothing that can be rendered, is told before synthesis."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.documents import check_value, environment


def told(
    tmp_path: Path, operation: dict[str, Any], kind: str = "Namespace", name: str = "inference", **more: str
) -> Any:
    document = environment()
    document["overrides"] = [{"kind": kind, "name": name, "patch": [operation], **more}]
    found = check_value(document, tmp_path).findings
    return [(f.id, f.path, f.message) for f in found if f.severity == "error"]


def add(path: str, value: Any) -> dict[str, Any]:
    return {"op": "add", "path": path, "value": value}


@pytest.mark.parametrize(
    ("operation", "more", "path", "words"),
    [
        (
            add("/spec/replicas", 1),
            {"kind": "InferenceEndpointConfig", "name": "nobody"},
            "[0].name",
            "is rendered",
        ),
        (
            add("/spec/replicas", 1),
            {"kind": "InferenceEndpointConfig", "name": "llama-70b", "namespace": "elsewhere"},
            "[0].namespace",
            "is not in namespace",
        ),
        (
            add("/spec/replicas", 1),
            {"kind": "Deploymant", "name": "x"},
            "[0].kind",
            "no Deploymant is rendered",
        ),
        (add("/metadata/labels/bad key", "x"), {}, "patch[0].value", "cannot be a key"),
        (add("/metadata/labels/team", 3), {}, "patch[0].value", "a string is needed"),
        (add("/metadata/annotations", [1]), {}, "patch[0].value", "a mapping of keys to strings"),
        (add("/spec/finalizers", {"a": [None]}), {}, "patch[0].value", "is empty"),
        (add("/spec/x", 2**60), {}, "patch[0].value", "beyond the integers"),
    ],
)
def test_it_is_a_finding_of_check(
    tmp_path: Path, operation: dict[str, Any], more: dict[str, str], path: str, words: str
) -> None:
    [(rule, where, message)] = told(tmp_path, operation, **more)
    assert rule == "DPD002" and where.endswith(path) and words in message


def test_a_null_in_an_endpoint_is_told_once_by_the_rules(tmp_path: Path) -> None:
    operation = {"op": "replace", "path": "/spec/loadBalancer", "value": None}
    rules = [rule for rule, _, _ in told(tmp_path, operation, "InferenceEndpointConfig", "llama-70b")]
    assert rules.count("DPD103") == 1 and "DPD002" not in rules


def test_a_sound_override_is_silent(tmp_path: Path) -> None:
    assert told(tmp_path, add("/metadata/labels", {"team": "search"})) == []
