"""Every environment is resolved and rendered once a session; tests read the results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.model import Blueprint, EndpointPlan
    from k8s.rendered import RenderedEnvironment

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests" / "environments"
ENVIRONMENTS = sorted(path.stem for path in FOLDER.glob("*.yaml"))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "environment" in metafunc.fixturenames:
        metafunc.parametrize("environment", ENVIRONMENTS)


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def blueprints() -> dict[str, Blueprint]:
    from hyperpod_dpd.blueprint.resolve import resolve
    from hyperpod_dpd.config import load_environment

    return {name: resolve(load_environment(FOLDER / f"{name}.yaml")) for name in ENVIRONMENTS}


@pytest.fixture(scope="session")
def rendered(blueprints: dict[str, Blueprint]) -> dict[str, RenderedEnvironment]:
    from k8s.rendering import render

    return {name: render(blueprint) for name, blueprint in blueprints.items()}


@pytest.fixture(scope="session")
def dev(blueprints: dict[str, Blueprint]) -> Blueprint:
    return blueprints["dev"]


@pytest.fixture(scope="session")
def plan(dev: Blueprint) -> EndpointPlan:
    """The first endpoint of dev, as a base for changed ones."""
    return dev.endpoints[0]


@pytest.fixture
def document(tmp_path: Path) -> Callable[..., Blueprint]:
    """The blueprint of an example document with a YAML fragment put in; ``outputs`` and ``locks`` beside it."""

    def resolved(
        fragment: str = "", *, of: str = "dev", outputs: str = "", locks: str = "", name: str | None = None
    ) -> Blueprint:
        import shutil

        import yaml

        from hyperpod_dpd.blueprint.resolve import resolve
        from hyperpod_dpd.config import load_environment
        from hyperpod_dpd.document import dump_yaml
        from tests.support.merging import merged

        name = name or of
        base = yaml.safe_load((FOLDER / f"{of}.yaml").read_text())
        path = tmp_path / f"{name}.yaml"
        path.write_text(dump_yaml(merged(base, yaml.safe_load(fragment) or {})))
        shutil.copytree(FOLDER / "lifecycle", tmp_path / "lifecycle", dirs_exist_ok=True)
        for folder, suffix, text in (("outputs", "yaml", outputs), ("locks", "json", locks)):
            (tmp_path / folder).mkdir(exist_ok=True)
            (tmp_path / folder / f"{name}.{suffix}").write_text(text)
        return resolve(load_environment(path))

    return resolved


@pytest.fixture(scope="session")
def with_endpoints(dev: Blueprint) -> Callable[..., Blueprint]:
    """dev with other endpoints; what stands beside them stays dev's."""

    def change(*endpoints: EndpointPlan) -> Blueprint:
        return replace(dev, endpoints=endpoints)

    return change


@pytest.fixture(scope="session")
def named(plan: EndpointPlan) -> Callable[..., EndpointPlan]:
    """dev's endpoint under another name and namespace."""

    def rename(name: str, namespace: str = "inference") -> EndpointPlan:
        assert plan.manifest is not None
        manifest = replace(plan.manifest, name=name, namespace=namespace)
        return replace(plan, name=name, namespace=namespace, manifest=manifest)

    return rename
