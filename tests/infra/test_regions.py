"""Documents for Regions whose lists of types the linters disagree on: what is accepted also synthesises."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hyperpod_dpd.blueprint.model import Blueprint
from hyperpod_dpd.blueprint.resolve import resolve
from hyperpod_dpd.config import load_environment
from hyperpod_dpd.document import dump_yaml
from hyperpod_dpd.rules.check import check
from hyperpod_dpd.view.inputs import gather
from tests.infra.conftest import Synthesised, synthesise
from tests.support.documents import ROOT
from tests.support.documents import environment as example
from tests.support.merging import merged

CONTEXT = json.loads((ROOT / "cdk.json").read_text(encoding="utf-8"))["context"]


def document(
    region: str, zone: str, kind: str, *, system: str = "ml.m5.4xlarge", **more: Any
) -> dict[str, Any]:
    groups = {
        "system": {"instance_type": system},
        **{r: {"instance_type": kind} for r in ("prefill", "decode")},
    }
    zones = [f"{zone}-az1", f"{zone}-az2"]
    fragment = {
        "region": region,
        "network": {"control_plane_zones": zones, "accelerator_zones": [f"{zone}-az3"]},
        "cluster": {"instance_groups": groups},
        **more,
    }
    return merged(example("dev"), fragment)  # type: ignore[no-any-return]


def made(folder: Path, name: str, value: dict[str, Any]) -> tuple[Blueprint, set[str]]:
    """The blueprint and the rules that refuse the document."""
    path = folder / f"{name}.yaml"
    path.write_text(dump_yaml(value), encoding="utf-8")
    report = check(gather([str(path)]))
    refused = {f.id for f in report.findings if f.severity == "error" and f.acknowledged is None}
    return resolve(load_environment(path)), refused


ACCEPTED = {
    "b200-virginia": document("us-east-1", "use1", "ml.p6-b200.48xlarge"),
    "b200-ohio": document("us-east-2", "use2", "ml.p6-b200.48xlarge"),
    "jakarta": document("ap-southeast-3", "apse3", "ml.p5.48xlarge", system="ml.c5.4xlarge"),
    "p5e-ireland": document("eu-west-1", "euw1", "ml.p5e.48xlarge"),
    "b200-ireland": document(
        "eu-west-1", "euw1", "ml.p6-b200.48xlarge", acknowledge={"DPD245": "quota granted in case 171"}
    ),
}
LINTER_SILENCED = {"p5e-ireland", "b200-ireland"}


@pytest.fixture(scope="module")
def synthesised(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Synthesised]:
    folder = tmp_path_factory.mktemp("regions")
    judged = {name: made(folder, name, value) for name, value in ACCEPTED.items()}
    assert {name: refused for name, (_, refused) in judged.items() if refused} == {}
    plans = [blueprint for blueprint, _ in judged.values()]
    return synthesise(plans, folder / "out", builtin_cloud_formation_validation=True, context=CONTEXT)


@pytest.mark.slow
@pytest.mark.parametrize("name", ACCEPTED)
def test_what_is_accepted_passes_the_validation(name: str, synthesised: dict[str, Synthesised]) -> None:
    metadata = synthesised[name].one("AWS::SageMaker::Cluster").get("Metadata", {})
    assert ("cfn-lint" in metadata) is (name in LINTER_SILENCED), "cfn-lint judges wherever its list is right"


@pytest.mark.slow
@pytest.mark.parametrize(
    "value",
    [
        document("eu-west-1", "euw1", "ml.p6-b200.48xlarge"),
        document("us-west-2", "usw2", "ml.p5.48xlarge", system="ml.m6i.4xlarge"),
    ],
    ids=["gpus", "system"],
)
def test_what_the_validation_refuses_is_refused_before(value: dict[str, Any], tmp_path: Path) -> None:
    blueprint, refused = made(tmp_path, "refused", value)
    assert refused == {"DPD245"}
    with pytest.raises(RuntimeError, match="E3644"):
        synthesise([blueprint], tmp_path / "out", builtin_cloud_formation_validation=True, context=CONTEXT)
