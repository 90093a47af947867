"""Lists of types per Region: what each linter has, and the linters themselves as witnesses."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import cfnlint
import pytest

from hyperpod_dpd.catalog import instance_type_regions, instance_types
from hyperpod_dpd.catalog.data_files import document

LISTS = "data/schemas/extensions/aws_sagemaker_cluster/instancetype_enum.json"
REGIONS = tuple(document("instance_type_regions")["regions"])


@cache
def cfn_lint() -> dict[str, list[str]]:
    text = (Path(cfnlint.__file__).parent / LISTS).read_text(encoding="utf-8")
    return {region: entry["enum"] for region, entry in json.loads(text).items() if isinstance(entry, dict)}


@pytest.mark.parametrize("region", REGIONS)
def test_ours_says_what_cfn_lint_says(region: str) -> None:
    theirs = set(cfn_lint()[region])
    for entry in instance_types.all():
        if instance_types.linter_refuses_wrongly(entry.name, region):
            continue
        assert instance_type_regions.absent(entry.name, region) is (entry.name not in theirs), entry.name
        if instance_type_regions.cdk_lags(entry.name, region):
            assert entry.name in theirs, entry.name


def test_types_that_serve() -> None:
    assert not instance_type_regions.absent("ml.p6-b200.48xlarge", "us-east-1")
    assert instance_type_regions.cdk_lags("ml.p6-b200.48xlarge", "us-east-1")
    assert not instance_type_regions.cdk_lags("ml.p6-b200.48xlarge", "us-west-2")
    assert instance_type_regions.absent("ml.p6-b200.48xlarge", "eu-west-1")
    assert instance_type_regions.regions_with("ml.p6-b200.48xlarge") == (
        "ap-south-1", "ap-south-2", "us-east-1", "us-east-2", "us-west-2",
    )  # fmt: skip


def test_where_no_list_tells_nothing_is_refused() -> None:
    assert not instance_type_regions.absent(
        "ml.p5e.48xlarge", "us-west-2"
    )  # in no list, and the service has it
    assert not instance_type_regions.absent("ml.p5.48xlarge", "xx-north-9")
    assert not instance_type_regions.absent("ml.nonsense.large", "us-west-2")  # another rule's matter
