"""Both sides of every environment, synthesised for real, state the same facts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

stage = pytest.importorskip("infra.stage", reason="the CDK side is not part of this checkout yet")

from k8s.rendering import render  # noqa: E402
from lib.blueprint.model import Blueprint  # noqa: E402
from lib.blueprint.resolve import resolve  # noqa: E402
from lib.catalog import instance_types, kubernetes  # noqa: E402
from lib.config import load_environment  # noqa: E402
from lib.view.pair import NodeHardware, disagreements  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENTS = sorted(path.stem for path in (ROOT / "environments").glob("*.yaml"))

Side = tuple[dict[str, dict[str, Any]], list[dict[str, Any]]]


@pytest.fixture(scope="session")
def blueprints() -> dict[str, Blueprint]:
    return {name: resolve(load_environment(ROOT / "environments" / f"{name}.yaml")) for name in ENVIRONMENTS}


@pytest.fixture(scope="session")
def sides(blueprints: dict[str, Blueprint], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Side]:
    """Templates by stack name, and Kubernetes objects, of each environment."""
    import aws_cdk as cdk

    out = str(tmp_path_factory.mktemp("cdk.out"))
    app = cdk.App(outdir=out, analytics_reporting=False, builtin_cloud_formation_validation=False)
    stages = {name: stage.EnvironmentStage(app, name, blueprint=each) for name, each in blueprints.items()}
    return {
        name: (
            {stack.stack_name: stack.template for stack in each.synth().stacks},
            [item for rendered in render(blueprints[name]).apps for item in rendered.objects],
        )
        for name, each in stages.items()
    }


def found(side: Side) -> list[str]:
    hardware = {
        each.name: NodeHardware(gpus=each.gpus, efa_interfaces=each.efa_interfaces or 0)
        for each in instance_types.all()
    }
    accounts = {account for addon in kubernetes.addons() for account in addon.service_accounts}
    return [
        f"{each.topic}: {each.subject}: {each.path}: {each.message}"
        for each in disagreements(*side, hardware=hardware, addon_accounts=accounts)
    ]


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_templates_and_manifests_agree(sides: dict[str, Side], environment: str) -> None:
    templates, manifests = sides[environment]
    assert any(item["kind"] == "InferenceEndpointConfig" for item in manifests)
    assert "AWS::SageMaker::Cluster" in {
        body["Type"] for template in templates.values() for body in template["Resources"].values()
    }
    assert found((templates, manifests)) == []


def test_sides_of_two_environments_do_not_agree(sides: dict[str, Side]) -> None:
    """The real output is rich enough for the check to see a difference."""
    topics = {line.partition(":")[0] for line in found((sides["staging"][0], sides["dev"][1]))}
    assert {"bucket", "instance-type"} <= topics
