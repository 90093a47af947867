"""Templates and manifests of every example environment agree, judged from what was rendered and nothing else."""

from __future__ import annotations

import copy

import pytest

from hyperpod_dpd.catalog import instance_types, kubernetes
from hyperpod_dpd.view.fingerprints import fingerprints
from hyperpod_dpd.view.pair import NodeHardware, disagreements
from tests.support.documents import ROOT
from tests.support.synthesis import NAMES, Rendered, rendered

HARDWARE = {
    known.name: NodeHardware(gpus=known.gpus, efa_interfaces=known.efa_interfaces or 0)
    for known in instance_types.all()
}
ADDON_ACCOUNTS = [account for addon in kubernetes.addons() for account in addon.service_accounts]


@pytest.fixture(params=NAMES)
def pair(request: pytest.FixtureRequest) -> Rendered:
    return rendered()[request.param]


def judge(templates, objects):
    return disagreements(templates, objects, hardware=HARDWARE, addon_accounts=ADDON_ACCOUNTS)


def test_both_outputs_state_the_same_facts(pair: Rendered) -> None:
    assert not judge(pair.templates, pair.objects)
    assert [o for o in pair.objects if o["kind"] == "InferenceEndpointConfig"]


def test_an_instance_group_renamed_on_one_side_is_seen(pair: Rendered) -> None:
    templates = copy.deepcopy(pair.templates)
    (cluster,) = [
        resource["Properties"]
        for template in templates.values()
        for resource in template["Resources"].values()
        if resource["Type"] == "AWS::SageMaker::Cluster"
    ]
    for group in cluster["InstanceGroups"]:
        if group["InstanceGroupName"] == "decode":
            group["InstanceGroupName"] = "decoders"
    assert {"group"} == {d.topic for d in judge(templates, pair.objects)}


@pytest.mark.parametrize("name", NAMES)
def test_stacks_are_those_of_the_snapshot(name: str) -> None:
    file = ROOT / "tests" / "snapshots" / name / "stacks.json"
    found = fingerprints(rendered()[name].templates)
    assert found == file.read_text(encoding="utf-8"), (
        f"the templates of {name} changed; if that is meant, run `make snapshots` and commit both together"
    )
