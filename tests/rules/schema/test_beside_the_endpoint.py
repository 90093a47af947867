"""Objects beside the endpoint: autoscalers that fight the operator, and secrets in plain text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.documents import check_value


def found(tmp_path: Path, value: dict[str, Any], rule: str) -> list[tuple[str, str]]:
    return [(f.severity, f.path) for f in check_value(value, tmp_path).findings if f.id == rule]


def scaler(kind: str, /, **target: str) -> dict[str, Any]:
    version = "keda.sh/v1alpha1" if kind == "ScaledObject" else "autoscaling/v2"
    spec = {"scaleTargetRef": target, "maxReplicas": 3}
    return {
        "apiVersion": version,
        "kind": kind,
        "metadata": {"name": "a", "namespace": "inference"},
        "spec": spec,
    }


@pytest.mark.parametrize(
    ("value", "severity"),
    [
        (scaler("ScaledObject", name="decode-llama-70b"), "error"),
        (
            scaler("HorizontalPodAutoscaler", kind="Deployment", name="decode-x", apiVersion="apps/v1"),
            "error",
        ),
        (
            scaler("HorizontalPodAutoscaler", kind="Deployment", name="prefill-x", apiVersion="apps/v1"),
            "warning",
        ),
        (scaler("ScaledObject", kind="InferenceEndpointConfig", name="llama-70b"), "warning"),
        (scaler("ScaledObject", name="gateway"), None),
        (scaler("ScaledObject", kind="StatefulSet", name="decode-x"), None),
        ({**scaler("ScaledObject", name="decode-x"), "kind": "Rollout"}, None),
        ({**scaler("ScaledObject", name="decode-x"), "spec": None}, None),
    ],
)
def test_autoscalers(tmp_path: Path, value: dict[str, Any], severity: str | None) -> None:
    assert [each for each, _ in found(tmp_path, value, "DPD725")] == ([severity] if severity else [])


def config(text: str, kind: str = "ConfigMap") -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": "a"}, "data": {"x": text}}


@pytest.mark.parametrize(
    ("text", "fires"),
    [
        ("postgres://user:s3cr3t@db/x", True),
        ("a:\n  url: https://me:pass@git.example.com/x.git\n", True),
        ("token=hf_" + "a" * 34, True),
        ("-----BEGIN RSA PRIVATE KEY-----", True),
        ("postgres://user:$(PASSWORD)@db/x", False),
        ("postgres://user:${PASSWORD}@db/x", False),
        ("postgres://user@db/x", False),
        ("https://git.example.com:8443/x@1", False),
        ("hf_transfer", False),
    ],
)
def test_secrets(tmp_path: Path, text: str, fires: bool) -> None:
    assert bool(found(tmp_path, config(text), "DPD145")) is fires


def test_a_secret_is_where_secrets_belong_and_annotations_are_not(tmp_path: Path) -> None:
    text = "postgres://user:s3cr3t@db/x"
    assert found(tmp_path, config(text, "Secret"), "DPD145") == []
    annotated = {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {"name": "a", "annotations": {"x": text}},
    }
    [(severity, path)] = found(tmp_path, annotated, "DPD145")
    assert (severity, path) == ("error", "metadata.annotations.x")
