"""Regions: image map, managed services, and which Region a zone id belongs to."""

import botocore.session
import pytest

from hyperpod_dpd.catalog import regions

IMAGE_MAP = {
    "us-east-1",
    "us-east-2",
    "us-west-1",
    "us-west-2",
    "eu-central-1",
    "eu-north-1",
    "eu-west-1",
    "eu-west-2",
    "eu-south-2",
    "ap-northeast-1",
    "ap-south-1",
    "ap-southeast-1",
    "ap-southeast-2",
    "ap-southeast-3",
    "ap-southeast-4",
    "sa-east-1",
}
GRAFANA = {
    "us-east-1",
    "us-east-2",
    "us-west-2",
    "ap-northeast-1",
    "ap-southeast-1",
    "ap-southeast-2",
    "eu-central-1",
    "eu-west-1",
    "eu-west-2",
}


def test_sixteen_regions_have_operator_images_and_nine_have_grafana() -> None:
    assert set(regions.operator_regions()) == IMAGE_MAP and len(IMAGE_MAP) == 16
    assert set(regions.grafana_regions()) == GRAFANA and len(GRAFANA) == 9
    assert "chart" in regions.operator_images_source().description
    assert "Grafana" in regions.managed_services_source().description


def test_regions_that_the_guide_promises_but_the_map_lacks() -> None:
    for name in ("ca-central-1", "ap-south-2"):
        region = regions.get(name)
        assert region is not None and not region.operator_images


def test_prometheus_is_unknown_rather_than_absent_outside_the_list() -> None:
    known = {region.name: region.managed_prometheus for region in regions.all()}
    assert known["us-west-2"] is True
    assert known["ca-central-1"] is None
    assert False not in known.values()


@pytest.mark.parametrize(
    ("zone_id", "region", "kind"),
    [
        ("usw2-az1", "us-west-2", "availability"),
        ("usw2-az4", "us-west-2", "availability"),
        ("use1-az6", "us-east-1", "availability"),
        ("use2-az2", "us-east-2", "availability"),
        ("euc1-az2", "eu-central-1", "availability"),
        ("apne1-az4", "ap-northeast-1", "availability"),
        ("cac1-az1", "ca-central-1", "availability"),
        ("cnn1-az1", "cn-north-1", "availability"),
        ("usw2-az9", "us-west-2", "availability"),
        ("usw2-lax1-az1", "us-west-2", "local"),
        ("use1-wl1-bos-wlz1", "us-east-1", "wavelength"),
    ],
)
def test_the_region_of_a_zone_id(zone_id: str, region: str, kind: str) -> None:
    parsed = regions.parse_zone_id(zone_id)
    assert parsed is not None and parsed.region is not None
    assert (parsed.region.name, parsed.kind) == (region, kind)
    assert regions.region_of_zone_id(zone_id) is regions.get(region)


@pytest.mark.parametrize(
    "text", ["us-west-2a", "us-west-2", "usw2", "az1", "", "USW2-AZ1", "usw2-az", "usw2-lax1", "usw2_az1"]
)
def test_what_is_no_zone_id(text: str) -> None:
    assert regions.parse_zone_id(text) is None
    assert regions.region_of_zone_id(text) is None


def test_a_new_zone_has_a_region_but_is_not_known() -> None:
    known, new = regions.parse_zone_id("usw2-az4"), regions.parse_zone_id("usw2-az9")
    assert known is not None and known.is_known
    assert new is not None and not new.is_known


def test_an_unknown_prefix_is_a_zone_id_of_no_known_region() -> None:
    parsed = regions.parse_zone_id("xyz1-az1")
    assert parsed is not None and parsed.region is None
    assert regions.region_of_zone_id("xyz1-az1") is None


def test_zone_ids_of_well_known_regions() -> None:
    found = {name: region.zone_ids for name in ("us-west-2", "us-east-1") if (region := regions.get(name))}
    assert found["us-west-2"] == ("usw2-az1", "usw2-az2", "usw2-az3", "usw2-az4")
    assert found["us-east-1"] == tuple(f"use1-az{number}" for number in range(1, 7))


def test_prefixes_tell_regions_apart_and_every_zone_leads_back() -> None:
    prefixes = [region.zone_prefix for region in regions.all()]
    assert len(prefixes) == len(set(prefixes))
    for region in regions.all():
        assert len(region.zones) >= 2
        assert {regions.region_of_zone_id(zone_id) for zone_id in region.zone_ids} == {region}


def test_partitions_agree_with_the_names() -> None:
    for region in regions.all():
        expected = {"cn": "aws-cn", "us-gov": "aws-us-gov"}
        start = "us-gov" if region.name.startswith("us-gov") else region.name.partition("-")[0]
        assert region.partition == expected.get(start, "aws"), region.name


def test_every_commercial_region_is_there() -> None:
    theirs = set(botocore.session.get_session().get_available_regions("sagemaker", "aws"))
    assert {region.name for region in regions.all() if region.partition == "aws"} == theirs
