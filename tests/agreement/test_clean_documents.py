"""What `dpd check` lets through, synthesis takes: both programs, on documents at random and on ones at the edges."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, assume, given, settings

from hyperpod_dpd.node import use_locked_node

use_locked_node()

import aws_cdk as cdk  # noqa: E402

from hyperpod_dpd.blueprint.model import Blueprint  # noqa: E402
from hyperpod_dpd.blueprint.resolve import resolve  # noqa: E402
from hyperpod_dpd.config import load_environment  # noqa: E402
from hyperpod_dpd.document import dump_yaml  # noqa: E402
from hyperpod_dpd.rules.check import Options, check  # noqa: E402
from hyperpod_dpd.rules.rule import Severity  # noqa: E402
from hyperpod_dpd.view.inputs import gather  # noqa: E402
from infra.stage import EnvironmentStage  # noqa: E402
from k8s.layout import files  # noqa: E402
from k8s.rendering import render  # noqa: E402
from tests.support.documents import ENVIRONMENTS, environment  # noqa: E402
from tests.support.merging import merged  # noqa: E402
from tests.support.random_documents import documents  # noqa: E402
from tests.support.template_limits import complaints  # noqa: E402

ONLY_RENDERING_KNOWS = "overrides: no "
"""An override whose object is not rendered: which objects there are is known when they are, and said then."""

FEW = settings(suppress_health_check=list(HealthCheck))
FEWER = settings(FEW, max_examples=FEW.max_examples // 6)

EDGES = {
    "limits of the cluster's schema": (
        "dev",
        {
            "tags": {f"k{n:0126}": "v" * 255 for n in range(49)},
            "cluster": {
                "instance_groups": {
                    "system": {
                        "count": 99,
                        "ebs_gib": 16384,
                        "labels": {f"a.{'b' * 200}.c/{n:063}": "x" * 63 for n in range(49)},
                        "taints": [{"key": f"t{n}", "effect": "NoExecute"} for n in range(50)],
                        "auto_patch": "WhenAllIdle",
                    },
                    "decode": {
                        "update": {
                            "window": "cron(59 23 31 */12 ? 2099)",
                            "alarms": ["a" * 255, *(f"b{n}" for n in range(9))],
                            "batch_percent": 100,
                            "rollback_batch_percent": 100,
                            "wait_seconds": 3600,
                        }
                    },
                    **{f"g{n:062}": {"instance_type": "ml.m5.4xlarge", "count": 0} for n in range(97)},
                }
            },
        },
    ),
    "longest names": (
        "dev",
        {
            "endpoints": {
                "llama-70b": {"namespace": "n" * 36, "benchmark": {}},
            },
            "routes": {"r" * 63: {"weights": {"llama-70b": 1}}},
            "secrets": {"s" * 63: {"namespace": "m" * 63, "keys": {"k" * 253: {"name": "x/" * 200}}}},
            "observability": {"pod_log_group": "/" + "g" * 511, "log_retention_days": 3653},
            "network": {"more_endpoints": ["a.b-c"]},
        },
    ),
    "all add-ons with all they take": (
        "prod",
        {
            "task_governance": True,
            "operator": {"addon_version": "v2.1.0-eksbuild.1"},
            "addons": {
                "cert_manager": {"replicas": 100, "tolerations": [{}], "webhook": {"replicas": 1}},
                "metrics_server": {
                    "tolerations": [{"key": "a", "value": "", "effect": "NoExecute", "seconds": 0}]
                },
                "inference": {"gateway": True, "gated_models_role_arn": "arn:aws:iam::444455556666:role/x"},
                "observability": {"metrics": {"training": "ADVANCED"}},
            },
            "addon_values": {"coredns": {"replicaCount": 3}, "vpc-cni": {"env": {}}},
        },
    ),
    "a closed network that leaves all to its owner": (
        "closed-network",
        {"network": {"existing": {"interface_endpoints": True, "private_route_table_ids": []}}},
    ),
    "flux from a closed network": (
        "closed-network",
        {"delivery": {"kind": "flux", "identity_center": None, "credentials_secret": "git"}},
    ),
    "every guard rail left out": (
        "existing-cluster",
        {
            "platform": {
                "gpu_quota": False,
                "network_policies": False,
                "disruption_budgets": None,
                "pre_pull": False,
                "external_secrets": {"identity": False},
            },
            "observability": {"enabled": False},
        },
    ),
    "no endpoint at all": ("prod", {"endpoints": None, "acknowledge": None}),
}


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        shutil.copytree(ENVIRONMENTS / "lifecycle", Path(name, "lifecycle"))
        yield Path(name)


def clean(value: Any, folder: Path) -> Blueprint | None:
    """The blueprint of a document that `dpd check` finds no error in."""
    file = folder / "dev.yaml"
    file.write_text(dump_yaml(value), encoding="utf-8")
    report = check(gather([str(file)]), Options())
    assert not [f.message for f in report.findings if f.id == "DPD001"], "a rule crashed"
    if any(f.severity is Severity.ERROR and f.acknowledged is None for f in report.findings):
        return None
    return resolve(load_environment(file))


def manifests(blueprint: Blueprint) -> dict[str, str]:
    try:
        return files(render(blueprint))
    except ValueError as error:
        assert str(error).startswith(ONLY_RENDERING_KNOWS), error
        return {}


def templates(blueprints: list[Blueprint], folder: Path, **options: Any) -> list[dict[str, Any]]:
    """Every template of the blueprints' stages."""
    shutil.rmtree(folder / "out", ignore_errors=True)
    validated = {"builtin_cloud_formation_validation": False, **options}
    app = cdk.App(outdir=str(folder / "out"), analytics_reporting=False, tree_metadata=False, **validated)
    for number, blueprint in enumerate(blueprints):
        EnvironmentStage(app, f"s{number}", blueprint=blueprint)
    app.synth()
    return [json.loads(file.read_text()) for file in (folder / "out").rglob("*.template.json")]


@FEW
@given(documents())
def test_manifests_of_any_clean_document_are_rendered(folder: Path, document: tuple[str, Any]) -> None:
    blueprint = clean(document[1], folder)
    assume(blueprint is not None)
    assert blueprint is not None
    for path, text in manifests(blueprint).items():
        assert yaml.safe_load(text), path


@FEWER
@given(documents())
def test_templates_of_any_clean_document_keep_to_the_schemas(folder: Path, document: tuple[str, Any]) -> None:
    blueprint = clean(document[1], folder)
    assume(blueprint is not None)
    assert blueprint is not None
    found = [line for template in templates([blueprint], folder) for line in complaints(template)]
    assert not found, found


@pytest.mark.parametrize("name", EDGES)
def test_documents_at_the_edges(folder: Path, name: str) -> None:
    base, changes = EDGES[name]
    blueprint = clean(merged(environment(base), changes), folder)
    assert blueprint is not None, "the edge is still clean"
    manifests(blueprint)
    found = [line for template in templates([blueprint], folder) for line in complaints(template)]
    assert not found, found


@pytest.mark.slow
def test_cdks_own_validation_takes_the_edges(folder: Path) -> None:
    blueprints = [clean(merged(environment(base), changes), folder) for base, changes in EDGES.values()]
    context = {"@aws-cdk/core:validateAgainstDefaultRules": True}
    made = templates(
        [b for b in blueprints if b is not None],
        folder,
        builtin_cloud_formation_validation=True,
        context=context,
    )
    assert len(made) > len(EDGES)


@pytest.mark.parametrize(
    ("properties", "says"),
    [
        ({"InstanceGroups": [{"InstanceCount": 6759}]}, "InstanceCount is 6759"),
        ({"InstanceGroups": [{"KubernetesConfig": {"Taints": [{"Value": ""}]}}]}, "Value has 0 characters"),
        (
            {"InstanceGroups": [{"ScheduledUpdateConfig": {"ScheduleExpression": "cron(* 2 ? * SUN *)"}}]},
            "not cron",
        ),
        ({"InstanceGroups": [{"Unheard": 1}]}, "['Unheard']"),
        ({"NodeRecovery": "Sometimes"}, "'Sometimes'"),
        ({"VpcConfig": {"Subnets": []}}, "0 entries"),
        ({"VpcConfig": {"Subnets": [{"Ref": "A"}]}}, ""),
    ],
)
def test_the_schemas_are_really_asked(properties: dict[str, Any], says: str) -> None:
    template = {"Resources": {"X": {"Type": "AWS::SageMaker::Cluster", "Properties": properties}}}
    found = list(complaints(template))
    assert bool(found) is bool(says)
    assert says in "".join(found)
