"""An override is judged on what it makes of its object, in the Kubernetes version of the environment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hyperpod_dpd.blueprint.resolve import resolve
from hyperpod_dpd.config import environment_files, load_environment
from hyperpod_dpd.config.override_faults import RENDERED_KINDS
from hyperpod_dpd.document import dump_yaml
from k8s.rendering import render
from tests.support.documents import ENVIRONMENTS, environment


def rendered(tmp_path: Path, operation: dict[str, Any]) -> Any:
    document = environment()
    document["overrides"] = [{"kind": "Namespace", "name": "inference", "patch": [operation]}]
    file = tmp_path / "dev.yaml"
    file.write_text(dump_yaml(document), encoding="utf-8")
    return render(resolve(load_environment(file)))


def test_a_field_that_the_kind_does_not_have(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="Namespace inference: an override makes it what Kubernetes refuses"):
        rendered(tmp_path, {"op": "add", "path": "/spec", "value": {"nope": 1}})


def test_a_field_that_it_has(tmp_path: Path) -> None:
    assert rendered(tmp_path, {"op": "add", "path": "/spec", "value": {"finalizers": ["kubernetes"]}})


def test_every_rendered_kind_may_be_overridden() -> None:
    kinds = {
        item["kind"]
        for file in environment_files(ENVIRONMENTS)
        for app in render(resolve(load_environment(file))).apps
        for item in app.objects
    }
    assert len(kinds) > 10
    assert kinds <= RENDERED_KINDS
