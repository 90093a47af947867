"""Healthy documents to spoil: environments of our own and the manifests they lead to, and a way to check them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from hyperpod_dpd.blueprint.resolve import resolve
from hyperpod_dpd.config import load_environment
from hyperpod_dpd.document import dump_yaml
from hyperpod_dpd.rules.check import Options, check
from hyperpod_dpd.rules.finding import Report
from hyperpod_dpd.view.inputs import gather
from tests.support.merging import merged

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENTS = ROOT / "tests" / "environments"
"""Our own documents: environments/ is for users and may change without a test noticing."""


@cache
def _environment_text(name: str) -> str:
    return (ENVIRONMENTS / f"{name}.yaml").read_text(encoding="utf-8")


def environment(name: str = "dev") -> dict[str, Any]:
    """A fresh copy of an example environment as plain values."""
    value: dict[str, Any] = yaml.safe_load(_environment_text(name))
    return value


@cache
def _manifest_text(name: str) -> str:
    (plan,) = resolve(load_environment(ENVIRONMENTS / f"{name}.yaml")).endpoints
    return json.dumps(plan.rendered())


def manifest(name: str = "dev") -> dict[str, Any]:
    """A fresh copy of the one endpoint's manifest of an example environment."""
    value: dict[str, Any] = json.loads(_manifest_text(name))
    return value


def spoiled(fragment: str, *, of: str = "manifest", name: str = "dev") -> dict[str, Any]:
    """The healthy base with a YAML fragment put in."""
    base = manifest(name) if of == "manifest" else environment(name)
    result: dict[str, Any] = merged(base, yaml.safe_load(fragment) or {})
    return result


def check_value(
    value: Any, folder: Path, *, name: str = "dev.yaml", options: Options | None = None
) -> Report:
    """Writes one document and checks it as `dpd check` does."""
    file = folder / name
    file.write_text(dump_yaml(value), encoding="utf-8")
    return check(gather([str(file)]), options)


def check_change(before: Any, after: Any, folder: Path, *, name: str = "dev.yaml") -> Report:
    """Checks ``after`` as `dpd check --previous` does; several manifests may be given as a list."""
    states = []
    for state, value in (("before", before), ("after", after)):
        place = folder / state
        place.mkdir(exist_ok=True)
        for index, each in enumerate(value if isinstance(value, list) else [value]):
            file = place / (name if not isinstance(value, list) else f"{index}.yaml")
            file.write_text(dump_yaml(each), encoding="utf-8")
        states.append(gather([str(place)]))
    return check(states[1], Options(previous=states[0]))


def ids(report: Report) -> set[str]:
    """Rules that fired, acknowledged or not."""
    return {found.id for found in report.findings}
