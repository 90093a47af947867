"""Instance types: the numbers of the five DPD types, the table of all others, the reasons to refuse."""

import gzip
import json
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import moto
import pytest
from botocore.loaders import Loader

from hyperpod_dpd.catalog import instance_types

DPD = {
    # GPUs, usable GiB, EFA interfaces, Gb/s in all and per GPU, network cards, addresses, RAM GiB, EBS Mb/s
    "ml.p5.48xlarge": (8, 79.6, 32, 3200, 400, 32, 81, 2048, 80000),
    "ml.p5e.48xlarge": (8, 140.4, 32, 3200, 400, 32, 81, 2048, 80000),
    "ml.p5en.48xlarge": (8, 140.4, 16, 3200, 400, 16, 65, 2048, 100000),
    "ml.p6-b200.48xlarge": (8, 179, 8, 3200, 400, 8, 57, 2048, 100000),
    "ml.p6-b300.48xlarge": (8, 268, 16, 6400, 800, 17, 66, 4096, 100000),
}


@pytest.mark.parametrize("name", DPD)
def test_numbers_of_the_dpd_types(name: str) -> None:
    found = instance_types.get(name)
    assert found is not None
    assert DPD[name] == (
        found.gpus,
        found.gpu_memory_gib,
        found.efa_interfaces,
        found.efa_gbps,
        found.efa_gbps_per_gpu,
        found.network_cards,
        found.ips_per_node,
        found.memory_gib,
        found.ebs_mbps,
    )


def test_the_list_of_dpd_types_is_exactly_the_documented_five() -> None:
    assert instance_types.dpd_types() == tuple(DPD)
    assert {entry.name for entry in instance_types.all() if entry.supports_dpd} == set(DPD)
    assert "disaggregated" in instance_types.dpd_source().description


@pytest.mark.parametrize("name", DPD)
def test_no_field_of_a_dpd_type_is_open(name: str) -> None:
    found = instance_types.get(name)
    assert found is not None
    assert [field.name for field in fields(found) if getattr(found, field.name) is None] == []


@pytest.mark.parametrize("name", DPD)
def test_a_dpd_type_agrees_with_itself(name: str) -> None:
    found = instance_types.get(name)
    assert found is not None
    assert found.ips_per_interface is not None
    assert found.ips_per_node == found.ips_per_interface + found.network_cards - 1
    assert found.efa_gbps_per_gpu is not None
    assert found.efa_gbps == found.efa_gbps_per_gpu * found.gpus
    assert found.gpu_memory_gib is not None and found.gpu_memory_mib is not None
    assert 0.95 * found.gpu_memory_mib / 1024 < found.gpu_memory_gib < found.gpu_memory_mib / 1024


def test_usable_memory_of_blackwell_is_marked_unconfirmed_and_of_hopper_is_not() -> None:
    confirmed = {name: _get(name).gpu_memory_confirmed for name in DPD}
    assert [name for name, flag in confirmed.items() if not flag] == [
        "ml.p6-b200.48xlarge",
        "ml.p6-b300.48xlarge",
    ]
    assert _get("ml.p5.48xlarge").gpu_memory_source is not None
    assert not _get("ml.p6e-gb200.36xlarge").gpu_memory_confirmed


def test_efa_share_of_one_gpu_in_bytes_per_second() -> None:
    assert _get("ml.p5.48xlarge").efa_bytes_per_second_per_gpu == 50_000_000_000
    assert _get("ml.p6-b300.48xlarge").efa_bytes_per_second_per_gpu == 100_000_000_000
    assert _get("ml.m5.4xlarge").efa_bytes_per_second_per_gpu is None


def test_system_node_types() -> None:
    small = _get("ml.c5.4xlarge")
    assert (small.vcpus, small.memory_gib, small.max_enis, small.ips_per_interface) == (16, 32, 8, 30)
    assert (small.ips_per_node, small.max_pods, small.architecture, small.gpus) == (30, 29, "amd64", 0)
    assert _get("ml.m5.4xlarge").max_enis == 8
    assert _get("ml.m7g.4xlarge").architecture == "arm64"
    assert _get("ml.c5n.large").memory_gib == 5.25


def test_unknown_and_unprefixed_names_are_unknown() -> None:
    for name in (
        "p5.48xlarge",
        "ml.p5.24xlarge",
        "ml.",
        "",
        "ml.c5",
        "ml.c5.",
        "c5.4xlarge",
        "ML.P5.48XLARGE",
    ):
        assert instance_types.get(name) is None, name


def test_no_name_twice() -> None:
    names = [entry.name for entry in instance_types.all()]
    assert len(names) == len(set(names))
    assert all(instance_types.get(name) is not None for name in names)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("ml.g6.48xlarge", "PCIe"),
        ("ml.g6e.48xlarge", "PCIe"),
        ("ml.g7e.48xlarge", "PCIe"),
        ("ml.g5.48xlarge", "PCIe"),
        ("ml.trn2.48xlarge", "Neuron"),
        ("ml.inf2.48xlarge", "Neuron"),
        ("ml.p4d.24xlarge", "A100"),
        ("ml.p4de.24xlarge", "A100"),
        ("ml.p5.4xlarge", "single EFA"),
        ("ml.p6e-gb200.36xlarge", "arm64"),
        ("ml.c5.4xlarge", "no GPU"),
        ("ml.m8g.4xlarge", "no GPU"),
        ("ml.p9.48xlarge", "does not list"),
        ("p5.48xlarge", "ml.p5.48xlarge"),
    ],
)
def test_a_refusal_gives_the_reason_of_the_family(name: str, said: str) -> None:
    assert said in instance_types.why_not_for_dpd(name)


def test_efa_is_mentioned_where_the_family_has_it() -> None:
    assert "EFA" in instance_types.why_not_for_dpd("ml.g6e.48xlarge")
    assert "EFA" not in instance_types.why_not_for_dpd("ml.g5.48xlarge")


@pytest.mark.parametrize("name", DPD)
def test_a_supported_type_has_no_reason_against_it(name: str) -> None:
    assert instance_types.why_not_for_dpd(name) == ""


def test_every_other_known_type_has_a_reason_against_it() -> None:
    for entry in instance_types.all():
        assert bool(instance_types.why_not_for_dpd(entry.name)) is not entry.supports_dpd


def test_where_the_linter_is_wrong() -> None:
    assert instance_types.linter_refuses_wrongly("ml.p5e.48xlarge", "us-west-2")
    assert instance_types.linter_refuses_wrongly("ml.p6-b300.48xlarge", "eu-west-1")
    assert not instance_types.linter_refuses_wrongly("ml.p6-b300.48xlarge", "us-west-2")
    assert not instance_types.linter_refuses_wrongly("ml.p5.48xlarge", "us-west-2")


def test_numbers_agree_with_the_ec2_tables() -> None:
    table = _ec2()
    compared = 0
    for entry in instance_types.all():
        theirs = table.get(entry.name.removeprefix("ml."))
        if theirs is not None:
            assert _ours(entry) == _theirs(theirs), entry.name
            compared += 1
    assert compared == len(instance_types.all()) - 1, "only ml.p6e-gb200.36xlarge is missing in the tables"


def test_every_type_that_a_cluster_accepts_is_known_and_no_other() -> None:
    shapes = Loader().load_service_model("sagemaker", "service-2")["shapes"]
    assert {entry.name for entry in instance_types.all()} == set(shapes["ClusterInstanceType"]["enum"])


def _get(name: str) -> instance_types.InstanceType:
    found = instance_types.get(name)
    assert found is not None, name
    return found


@cache
def _ec2() -> dict[str, Any]:
    tables = Path(moto.__file__).parent / "ec2" / "resources" / "instance_types.json.gz"
    loaded: dict[str, Any] = json.loads(gzip.decompress(tables.read_bytes()))
    return loaded


def _ours(entry: instance_types.InstanceType) -> tuple[object, ...]:
    return (
        entry.vcpus,
        entry.memory_gib * 1024,
        entry.max_enis,
        entry.ips_per_interface,
        entry.network_cards,
        entry.efa_interfaces,
        entry.gpus,
        entry.gpu_memory_mib,
        entry.nvme_disks,
        entry.nvme_disk_gb,
        entry.ebs_mbps,
        entry.architecture,
    )


def _theirs(entry: dict[str, Any]) -> tuple[object, ...]:
    network, gpus = entry["NetworkInfo"], entry.get("GpuInfo", {}).get("Gpus", [])
    disks = entry.get("InstanceStorageInfo", {}).get("Disks", [])
    return (
        entry["VCpuInfo"]["DefaultVCpus"],
        entry["MemoryInfo"]["SizeInMiB"],
        network["MaximumNetworkInterfaces"],
        network["Ipv4AddressesPerInterface"],
        network["MaximumNetworkCards"],
        (network.get("EfaInfo") or {}).get("MaximumEfaInterfaces", 0),
        gpus[0]["Count"] if gpus else 0,
        gpus[0]["MemoryInfo"]["SizeInMiB"] if gpus else None,
        disks[0]["Count"] if disks else 0,
        disks[0]["SizeInGB"] if disks else None,
        entry["EbsInfo"]["EbsOptimizedInfo"]["MaximumBandwidthInMbps"],
        "arm64" if "arm64" in entry["ProcessorInfo"]["SupportedArchitectures"] else "amd64",
    )
