"""Every example environment, synthesised by app.py and deployed once per session by the real CDK tool to moto."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hyperpod_dpd.blueprint.model import Blueprint
from hyperpod_dpd.blueprint.resolve import resolve
from hyperpod_dpd.config import environment_files, load_environment
from hyperpod_dpd.view.fingerprints import read_templates
from tests.deploy.cloud import ROOT, Cloud, cloud
from tests.deploy.existing import what_stands_already
from tests.support.documents import ENVIRONMENTS

BLUEPRINTS = {path.stem: resolve(load_environment(path)) for path in environment_files(ENVIRONMENTS)}


@dataclass(frozen=True)
class Deployed:
    """The cloud after the first deployment of everything."""

    cloud: Cloud
    assembly: Path
    said: dict[str, str]

    def templates(self, environment: str) -> dict[str, dict[str, Any]]:
        """Templates of one environment by stack name."""
        return read_templates(self.assembly / f"assembly-{environment}")


@dataclass(frozen=True)
class Place:
    """One environment as deployed: its blueprint, its templates and clients of its account and Region."""

    blueprint: Blueprint
    templates: dict[str, dict[str, Any]]
    cloud: Cloud

    def client(self, service: str) -> Any:
        return self.cloud.client(service, self.blueprint.account, self.blueprint.region)

    def recorded(self, kind: str) -> list[dict[str, Any]]:
        """Properties of every recorded resource of a type in this environment's account and Region."""
        ours = (self.blueprint.account, self.blueprint.region)
        mine = {
            logical
            for template in self.templates.values()
            for logical, resource in template["Resources"].items()
            if resource["Type"] == kind
        }
        return [
            line["properties"]
            for line in self.cloud.recorded()
            if line["type"] == kind
            and (line["account"], line["region"]) == ours
            and line["logical_id"] in mine
        ]

    def physical(self, stack: str, kind: str) -> list[str]:
        """Physical ids of one stack's resources of a type."""
        found = self.client("cloudformation").describe_stack_resources(
            StackName=f"dpd-{self.blueprint.name}-{stack}"
        )
        return [r["PhysicalResourceId"] for r in found["StackResources"] if r["ResourceType"] == kind]


def synthesise(folder: Path, environments: Path = ENVIRONMENTS) -> Path:
    """The cloud assembly that `cdk synth` would leave, written by app.py itself."""
    folder.mkdir(parents=True, exist_ok=True)
    context = json.loads((ROOT / "cdk.json").read_text(encoding="utf-8"))["context"]
    variables = {
        **os.environ,
        "CDK_OUTDIR": str(folder / "cdk.out"),
        "CDK_VALIDATION": "false",
        "CDK_CONTEXT_JSON": json.dumps(context),
    }
    result = subprocess.run(
        [sys.executable, str(ROOT / "app.py")],
        cwd=environments.parent,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return folder / "cdk.out"


def by_account() -> dict[str, list[Blueprint]]:
    accounts: dict[str, list[Blueprint]] = {}
    for blueprint in BLUEPRINTS.values():
        accounts.setdefault(blueprint.account, []).append(blueprint)
    return accounts


def deploy(where: Cloud, assembly: Path) -> dict[str, str]:
    """Deploys every stack of every environment; what the tool said, by account."""
    said = {}
    for account, blueprints in by_account().items():
        stages = [f"{blueprint.name}/*" for blueprint in blueprints]
        said[account] = where.cdk(
            "deploy",
            "-a",
            str(assembly),
            "--require-approval=never",
            "--progress=events",
            *stages,
            account=account,
            region=blueprints[0].region,
        )
    return said


@pytest.fixture(scope="session")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployed]:
    folder = tmp_path_factory.mktemp("deploy")
    assembly = synthesise(folder)
    with cloud(folder / "cloud", sorted(by_account()), what_stands_already(BLUEPRINTS.values())) as where:
        for account, blueprints in by_account().items():
            places = sorted({f"aws://{account}/{blueprint.region}" for blueprint in blueprints})
            where.cdk("bootstrap", "-a", str(assembly), *places, account=account, region=blueprints[0].region)
        yield Deployed(where, assembly, deploy(where, assembly))


@pytest.fixture(params=sorted(BLUEPRINTS))
def place(request: pytest.FixtureRequest, deployed: Deployed) -> Place:
    """Each environment in turn."""
    return Place(BLUEPRINTS[request.param], deployed.templates(request.param), deployed.cloud)
