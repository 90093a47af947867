"""Zones, ranges, sizes of subnets, ways out, and networks that somebody else owns."""

from __future__ import annotations

import pytest

from tests.support.judging import environment_findings, lacks, not_checked

EXISTING = """
network:
  %s
  existing:
    vpc_id: vpc-0a1b2c3d4e5f60718
    control_plane_subnets: {usw2-az1: subnet-0a1b2c3d4e5f60711, usw2-az2: subnet-0a1b2c3d4e5f60712}
    accelerator_subnets: {usw2-az2: %s}
    cidrs: [10.0.0.0/16]
    private_route_table_ids: [%s]
"""
ACCELERATOR, ROUTES = "subnet-0a1b2c3d4e5f60713", "rtb-0a1b2c3d4e5f60714"
ZONE = "network: {accelerator_zones: [{id: usw2-az2, cidr: %s}]}"


@pytest.mark.parametrize(
    ("zones", "path", "severity", "says"),
    [
        (
            "control_plane_zones: [usw2-az1, use1-az2]",
            "network.control_plane_zones[1]",
            "error",
            "is in us-east-1",
        ),
        ("accelerator_zones: [xyz1-az1]", "network.accelerator_zones[0]", "error", "begin with usw2-"),
        ("accelerator_zones: [usw2-az9]", "network.accelerator_zones[0]", "error", "usw2-az4"),
        (
            "accelerator_zones: [{id: usw2-az2, name: us-east-1b}]",
            "network.accelerator_zones[0].name",
            "error",
            "not the name of a zone of us-west-2",
        ),
    ],
)
def test_zones_of_elsewhere(tmp_path, zones: str, path: str, severity: str, says: str) -> None:
    (found,) = environment_findings("DPD224", f"network: {{{zones}}}", tmp_path)
    assert (found.path, found.severity) == (path, severity)
    assert says in found.message


@pytest.mark.parametrize("key", ["control_plane_subnets", "accelerator_subnets", "nat_gateway_ids"])
def test_zones_of_what_exists_are_judged_too(key: str, tmp_path) -> None:
    kind = "nat" if key == "nat_gateway_ids" else "subnet"
    fragment = f"network: {{existing: {{{key}: {{use1-az1: {kind}-0123456789abcdef0}}}}}}"
    (found,) = environment_findings("DPD224", fragment, tmp_path, name="existing-cluster")
    assert found.path == f"network.existing.{key}.use1-az1" and "is in us-east-1" in found.message


def test_a_zone_that_unconfirmed_tables_do_not_list_is_a_warning(tmp_path) -> None:
    zones = "network: {control_plane_zones: [eun1-az1, eun1-az2], accelerator_zones: [eun1-az9]}"
    (found,) = environment_findings("DPD224", f"region: eu-north-1\n{zones}", tmp_path)
    assert found.severity == "warning" and "not confirmed" in found.message


def test_a_local_zone_is_of_its_region(tmp_path) -> None:
    fragment = "network: {accelerator_zones: [usw2-lax1-az1]}"
    assert environment_findings("DPD224", fragment, tmp_path) == []
    (found,) = environment_findings("DPD225", fragment, tmp_path)
    assert found.severity == "warning" and "the file system" not in found.message
    (system,) = environment_findings("DPD225", fragment + "\nstorage: {file_system: {}}", tmp_path)
    assert "the file system" in system.message


def test_control_plane_in_a_local_zone_is_an_error(tmp_path) -> None:
    (found,) = environment_findings(
        "DPD225", "network: {control_plane_zones: [usw2-az1, usw2-lax1-az1]}", tmp_path
    )
    assert found.severity == "error" and found.path == "network.control_plane_zones[1]"


@pytest.mark.parametrize(("count", "fires"), [(1, False), (2, True)])
def test_a_24_holds_two_p5_pairs_less_the_system_nodes(tmp_path, count: int, fires: bool) -> None:
    """251 addresses: 60 for two system nodes leave room for two P5 nodes of 81, not for three."""
    groups = f"\ncluster: {{instance_groups: {{prefill: {{count: {count}}}}}}}"
    found = environment_findings("DPD226", ZONE % "10.192.64.0/24" + groups, tmp_path)
    assert bool(found) is fires
    if found:
        assert found[0].path == "network.accelerator_zones[0].cidr"
        assert "2 prefill (ml.p5.48xlarge) x 81" in found[0].message
        assert found[0].fix == "use at least a /23, or fewer nodes"


def test_what_a_group_may_grow_to_counts(tmp_path) -> None:
    grown = "\ncluster: {instance_groups: {decode: {max_count: 40}}}"
    (found,) = environment_findings("DPD226", ZONE % "10.192.64.0/20" + "\n" + grown, tmp_path) or [None]
    assert found is None, "40 x 81 + 81 + 60 addresses fit a /20"
    grown = grown.replace("40", "60")
    (found,) = environment_findings("DPD226", ZONE % "10.192.64.0/20" + grown, tmp_path)
    assert "60 decode" in found.message and "at least a /19" in found.fix


def test_derived_addresses_are_said_to_be(tmp_path) -> None:
    groups = """
cluster:
  instance_groups:
    prefill: {instance_type: ml.p5en.48xlarge, count: 3}
    decode: {instance_type: ml.p5en.48xlarge}
"""
    (found,) = environment_findings("DPD226", ZONE % "10.192.64.0/24" + groups, tmp_path)
    assert found.severity == "error" and "derived" in found.message


@pytest.mark.parametrize(
    ("prefix", "kind", "system", "prefill", "fits"),
    [
        (24, "ml.p5.48xlarge", 2, 1, True),  # 2 x 81 + 2 x 30 of 251
        (24, "ml.p5.48xlarge", 3, 1, False),  # one address too many
        (22, "ml.p5.48xlarge", 4, 10, True),  # 11 x 81 + 4 x 30 of 1,019
        (22, "ml.p5.48xlarge", 4, 11, False),
        (24, "ml.p5en.48xlarge", 1, 2, True),  # 3 x 65 + 30
        (24, "ml.p5en.48xlarge", 1, 3, False),
    ],
)
def test_the_last_node_that_fits_and_the_first_that_does_not(
    prefix: int, kind: str, system: int, prefill: int, fits: bool, tmp_path
) -> None:
    groups = f"""
cluster:
  instance_groups:
    system: {{count: {system}}}
    prefill: {{instance_type: {kind}, count: 1, max_count: {prefill}}}
    decode: {{instance_type: {kind}}}
"""
    found = environment_findings("DPD226", ZONE % f"10.192.64.0/{prefix}" + groups, tmp_path)
    assert [each.severity for each in found] == ([] if fits else ["error"])


def test_the_alternative_that_takes_most_addresses_counts(tmp_path) -> None:
    groups = """
cluster:
  instance_groups:
    system: {instance_type: ml.c5.large, alternatives: [ml.m5.4xlarge], count: 3}
"""
    (found,) = environment_findings("DPD226", ZONE % "10.192.64.0/24" + groups, tmp_path)
    assert "3 system (ml.m5.4xlarge) x 30" in found.message


def test_too_many_nodes_for_any_subnet(tmp_path) -> None:
    groups = "\ncluster: {instance_groups: {decode: {max_count: 900}}}"
    (found,) = environment_findings("DPD226", ZONE % "10.192.64.0/18" + groups, tmp_path)
    assert "spread the nodes over several subnets" in found.message


def test_control_plane_subnets_of_a_small_vpc_still_hold_a_load_balancer(tmp_path) -> None:
    fragment = "network: {cidr: 10.192.0.0/20, accelerator_zones: [{id: usw2-az2, cidr: 10.192.8.0/21}]}"
    assert environment_findings("DPD226", fragment, tmp_path) == []
    assert environment_findings("DPD227", fragment, tmp_path) == []


def test_a_subnet_of_somebody_else_has_an_unknown_size_unless_declared(tmp_path) -> None:
    existing = EXISTING % ("nat: none", ACCELERATOR, ROUTES)
    assert environment_findings("DPD226", existing, tmp_path) == []
    assert lacks(
        not_checked(existing, tmp_path, of="environment"), "DPD226", "size of the accelerator subnet"
    )
    small = EXISTING % ("accelerator_zones: [{id: usw2-az2, cidr: 10.0.1.0/26}]", ACCELERATOR, ROUTES)
    (found,) = environment_findings("DPD226", small, tmp_path)
    assert "10.0.1.0/26" in found.message
    assert not lacks(
        not_checked(small, tmp_path, of="environment"), "DPD226", "size of the accelerator subnet"
    )


@pytest.mark.parametrize(
    ("network", "path", "says"),
    [
        ("cidr: 10.0.0.0/12", "network.cidr", "is a /12"),
        (
            "accelerator_zones: [{id: usw2-az2, cidr: 10.192.0.0/18}]",
            "network.accelerator_zones[0].cidr",
            "overlaps",
        ),
        (
            "accelerator_zones: [{id: usw2-az2, cidr: 10.192.64.0/29}]",
            "network.accelerator_zones[0].cidr",
            "a /29",
        ),
        (
            "accelerator_zones: [{id: usw2-az2, cidr: 10.193.0.0/18}]",
            "network.accelerator_zones[0].cidr",
            "outside",
        ),
    ],
)
def test_ranges_that_cannot_be(tmp_path, network: str, path: str, says: str) -> None:
    (found,) = environment_findings("DPD227", f"network: {{{network}}}", tmp_path)
    assert found.path == path and says in found.message


def test_a_range_in_a_secondary_cidr(tmp_path) -> None:
    fragment = (
        "network: {secondary_cidrs: [10.50.0.0/16], accelerator_zones: [{id: usw2-az2, cidr: 10.50.0.0/17}]}"
    )
    assert environment_findings("DPD227", fragment, tmp_path) == []


def test_an_existing_vpc_brings_its_own_way_out(tmp_path) -> None:
    assert environment_findings("DPD231", EXISTING % ("nat: none", ACCELERATOR, ROUTES), tmp_path) == []
    (found,) = environment_findings("DPD231", "network: {nat: none}", tmp_path)
    assert found.path == "network.nat"


def test_one_subnet_for_two_zones(tmp_path) -> None:
    shared = EXISTING % ("nat: none", "subnet-0a1b2c3d4e5f60711", ROUTES)
    (found,) = environment_findings("DPD232", shared, tmp_path)
    assert found.path == "network.existing.accelerator_subnets.usw2-az2"
    assert "for usw2-az2 and for usw2-az1" in found.message


def test_the_same_zone_may_share_its_subnet(tmp_path) -> None:
    assert (
        environment_findings("DPD232", EXISTING % ("nat: none", "subnet-0a1b2c3d4e5f60712", ROUTES), tmp_path)
        == []
    )


@pytest.mark.parametrize(
    ("mode", "says"), [("nat: none", "through NAT"), ("closed: true", "nothing reaches S3")]
)
def test_route_tables_that_nobody_named(tmp_path, mode: str, says: str) -> None:
    (found,) = environment_findings("DPD232", EXISTING % (mode, ACCELERATOR, ""), tmp_path)
    assert found.severity == "warning" and says in found.message


@pytest.mark.parametrize(
    ("nat", "production", "fires"),
    [("single", True, True), ("per-zone", True, False), ("single", False, False)],
)
def test_one_nat_gateway(tmp_path, nat: str, production: bool, fires: bool) -> None:
    fragment = f"production: {str(production).lower()}\nnetwork: {{nat: {nat}}}"
    assert bool(environment_findings("DPD239", fragment, tmp_path)) is fires


@pytest.mark.parametrize("prefix", [28, 29, 31, 32])
def test_a_range_too_small_to_divide_is_one_rules_matter(tmp_path, prefix: int) -> None:
    fragment = f"network: {{cidr: 10.0.0.0/{prefix}}}"
    assert environment_findings("DPD227", fragment, tmp_path)
    assert environment_findings("DPD001", fragment, tmp_path) == []
