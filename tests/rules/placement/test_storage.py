"""Buckets, the file system, and the second cache level."""

from __future__ import annotations

import pytest

from tests.support.judging import environment_findings, lacks, manifest_findings, not_checked

BUCKET = "spec: {modelSourceConfig: {s3Storage: {bucketName: '%s'}}}"


@pytest.mark.parametrize(
    "name", ["My-Models", "models_70b", "s3://models", "ab", "a" * 64, "models/llama", "a..b", "-a-b"]
)
def test_names_that_no_bucket_has(tmp_path, name: str) -> None:
    (found,) = manifest_findings("DPD241", BUCKET % name, tmp_path)
    assert found.path == "spec.modelSourceConfig.s3Storage.bucketName" and name in found.message


@pytest.mark.parametrize(
    "name", ["my-models", "models.example.com", "a1b", "a" * 63, "${BUCKET}", "<BUCKET>", "$BUCKET"]
)
def test_names_of_buckets_and_placeholders(tmp_path, name: str) -> None:
    assert manifest_findings("DPD241", BUCKET % name, tmp_path) == []


def test_the_region_of_a_bucket_in_an_environment_and_a_manifest(tmp_path) -> None:
    weights = "endpoints: {llama-70b: {model: {weights: {s3: {bucket: my-models, region: eu-west-1}}}}}"
    (found,) = environment_findings("DPD240", weights, tmp_path)
    assert found.path == "endpoints.llama-70b.model.weights.s3.region"
    assert "eu-west-1, the cluster is in us-west-2" in found.message
    assert lacks(not_checked("{}", tmp_path), "DPD240", "region")


@pytest.mark.parametrize("backend", ["tieredstorage", "TieredStorage"])
def test_tiered_storage_of_a_lone_manifest_is_not_checked(tmp_path, backend: str) -> None:
    fragment = f"spec: {{kvCacheSpec: {{enableL2Cache: true, l2CacheSpec: {{l2CacheBackend: {backend}}}}}}}"
    assert lacks(not_checked(fragment, tmp_path), "DPD218", "cluster")


@pytest.mark.parametrize(
    "cache", ["{enableL2Cache: false, l2CacheSpec: {l2CacheBackend: tieredstorage}}", "{enableL1Cache: true}"]
)
def test_a_second_level_that_is_off_asks_nothing(tmp_path, cache: str) -> None:
    assert not lacks(not_checked(f"spec: {{kvCacheSpec: {cache}}}", tmp_path), "DPD218", "cluster")


def test_redis_needs_no_tiered_storage(tmp_path) -> None:
    fragment = "endpoints: {llama-70b: {cache: {l2: {backend: redis, url: 'redis://cache:6379'}}}}"
    assert environment_findings("DPD218", fragment, tmp_path) == []


def test_a_file_system_elsewhere_does_not_matter_where_weights_come_from_s3(tmp_path) -> None:
    fragment = """
network: {accelerator_zones: [usw2-az2, usw2-az3]}
cluster: {instance_groups: {system: {zone: usw2-az2}, prefill: {zone: usw2-az2}, decode: {zone: usw2-az2}}}
storage: {file_system: {zone: usw2-az3}}
"""
    assert environment_findings("DPD235", fragment, tmp_path) == []
