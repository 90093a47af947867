"""Every blueprint is synthesised once per session, with CDK's own validation off."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from hyperpod_dpd.node import use_locked_node

use_locked_node()

import aws_cdk as cdk  # noqa: E402

from hyperpod_dpd.blueprint.model import Blueprint  # noqa: E402
from hyperpod_dpd.blueprint.resolve import resolve  # noqa: E402
from hyperpod_dpd.blueprint.stacks import ORDER  # noqa: E402
from hyperpod_dpd.config import environment_files, load_environment  # noqa: E402
from infra.stage import EnvironmentStage  # noqa: E402
from tests.infra import blueprints  # noqa: E402
from tests.support.documents import ENVIRONMENTS  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = [path.stem for path in environment_files(ENVIRONMENTS)]


@dataclass(frozen=True)
class Synthesised:
    """One environment: what went in and what came out, by stack id."""

    blueprint: Blueprint
    templates: dict[str, dict[str, Any]]
    assembly: Path

    def resources(self, kind: str, stack: str | None = None) -> dict[str, dict[str, Any]]:
        """Resources of one CloudFormation type by logical id."""
        stacks = [self.templates[stack]] if stack else list(self.templates.values())
        return {
            key: resource
            for template in stacks
            for key, resource in template["Resources"].items()
            if resource["Type"] == kind
        }

    @property
    def order(self) -> list[str]:
        """Ids of the stacks that it has, as they are deployed."""
        return [stack for stack in ORDER if stack in self.templates]

    def one(self, kind: str) -> dict[str, Any]:
        """The only resource of a type."""
        found = self.resources(kind)
        assert len(found) == 1, f"{len(found)} resources of type {kind}: {sorted(found)}"
        return next(iter(found.values()))

    def properties(self, kind: str) -> list[dict[str, Any]]:
        return [resource["Properties"] for resource in self.resources(kind).values()]

    def addon_values(self, addon: str) -> dict[str, Any]:
        """An add-on's configuration values, with "LATE" for what only the deployment knows."""
        (found,) = [a for a in self.properties("AWS::EKS::Addon") if a["AddonName"] == addon]
        values: dict[str, Any] = json.loads(literal(found["ConfigurationValues"]))
        return values

    def all_resources(self) -> Iterator[tuple[str, dict[str, Any]]]:
        for template in self.templates.values():
            yield from template["Resources"].items()


def literal(value: Any) -> Any:
    """Text with its late-bound parts named, so that JSON in it can be read."""
    if isinstance(value, dict) and "Fn::Join" in value:
        glue, parts = value["Fn::Join"]
        return glue.join(part if isinstance(part, str) else "LATE" for part in parts)
    return value


def synthesise(made: list[Blueprint], folder: Path, **app: Any) -> dict[str, Synthesised]:
    """All blueprints in one app, as app.py does it."""
    options: dict[str, Any] = {"builtin_cloud_formation_validation": False, **app}
    program = cdk.App(outdir=str(folder), analytics_reporting=False, tree_metadata=False, **options)
    for blueprint in made:
        EnvironmentStage(program, blueprint.name, blueprint=blueprint)
    program.synth()
    return {b.name: read(b, folder / f"assembly-{b.name}") for b in made}


def read(blueprint: Blueprint, assembly: Path) -> Synthesised:
    manifest = json.loads((assembly / "manifest.json").read_text())
    templates = {
        artifact["displayName"].split("/")[1].split(" ")[0]: json.loads(
            (assembly / artifact["properties"]["templateFile"]).read_text()
        )
        for artifact in manifest["artifacts"].values()
        if artifact["type"] == "aws:cloudformation:stack"
    }
    return Synthesised(blueprint, templates, assembly)


def example_blueprints() -> list[Blueprint]:
    """The committed example environments."""
    return [resolve(load_environment(path)) for path in environment_files(ENVIRONMENTS)]


def edge_blueprints(scripts: Path) -> list[Blueprint]:
    """Cases that the examples do not have; ``scripts`` is a folder of lifecycle scripts."""
    plain = blueprints.blueprint("plain")
    with_scripts = blueprints.blueprint("scripts")
    return [
        plain,
        replace(with_scripts, cluster=blueprints.with_scripts(with_scripts, str(scripts))),
        blueprints.production("full"),
        blueprints.closed("closed"),
        blueprints.unusual("unusual"),
    ]


@pytest.fixture(scope="session")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lifecycle")
    (folder / "on_create.sh").write_text("#!/bin/bash\nbash on_create_main.sh\n")
    (folder / "on_create_main.sh").write_text("#!/bin/bash\nexit 0\n")
    return folder


@pytest.fixture(scope="session")
def environments(tmp_path_factory: pytest.TempPathFactory, scripts: Path) -> dict[str, Synthesised]:
    made = [*example_blueprints(), *edge_blueprints(scripts)]
    return synthesise(made, tmp_path_factory.mktemp("cdk") / "out")


@pytest.fixture(params=[*EXAMPLES, "plain", "scripts", "full", "closed", "unusual"])
def environment(request: pytest.FixtureRequest, environments: dict[str, Synthesised]) -> Synthesised:
    """Each environment in turn."""
    return environments[request.param]


@pytest.fixture(params=[*(e for e in EXAMPLES if e != "existing-cluster"), "plain", "full", "unusual"])
def own_cluster(request: pytest.FixtureRequest, environments: dict[str, Synthesised]) -> Synthesised:
    """Each environment that makes its EKS cluster itself."""
    found = environments[request.param]
    assert found.blueprint.cluster.existing is None
    return found


@pytest.fixture
def joined(environments: dict[str, Synthesised]) -> Synthesised:
    """The environment on an EKS cluster that is not ours."""
    return environments["existing-cluster"]


@pytest.fixture
def plain(environments: dict[str, Synthesised]) -> Synthesised:
    return environments["plain"]


@pytest.fixture
def full(environments: dict[str, Synthesised]) -> Synthesised:
    return environments["full"]


@pytest.fixture
def closed(environments: dict[str, Synthesised]) -> Synthesised:
    return environments["closed"]


@pytest.fixture
def unusual(environments: dict[str, Synthesised]) -> Synthesised:
    return environments["unusual"]
