"""Certificates, DNS, what a closed network reaches, and the weights cache."""

from __future__ import annotations

import pytest

from tests.support.judging import environment_findings, lacks, manifest_findings, not_checked

ARN = "arn:aws:acm:%s:111122223333:certificate/0a1b2c3d-0000-1111-2222-333344445555"
CERTIFICATE = "spec: {%s tlsConfig: {customCertificateConfig: {acmArn: '%s', domainName: llm.example.com}}}"
CACHE = "spec: {%smodelCacheConfig: {weightsCache: {enabled: %s, hostPath: %s}}}"


def test_a_record_with_a_certificate_is_fine(tmp_path) -> None:
    fragment = CERTIFICATE % ("dnsConfig: {hostedZoneId: Z123},", ARN % "us-west-2")
    assert manifest_findings("DPD910", fragment, tmp_path) == []
    assert {f.path for f in manifest_findings("DPD912", fragment, tmp_path)} == {
        "spec.tlsConfig.customCertificateConfig",
        "spec.dnsConfig",
    }


def test_a_certificate_elsewhere_is_a_warning_while_only_the_bucket_tells_the_region(tmp_path) -> None:
    (found,) = manifest_findings("DPD911", CERTIFICATE % ("", ARN % "eu-west-1"), tmp_path)
    assert found.severity == "warning" and "not declared" in found.message
    assert found.path == "spec.tlsConfig.customCertificateConfig.acmArn"


def test_a_certificate_without_anything_to_compare_is_not_checked(tmp_path) -> None:
    source = "modelSourceConfig: {s3Storage: null, modelSourceType: fsx, fsxStorage: {fileSystemId: fs-0123456789}},"
    notes = not_checked(CERTIFICATE % (source, ARN % "eu-west-1"), tmp_path)
    assert lacks(notes, "DPD911", "region")


@pytest.mark.parametrize("arn", ["arn:aws:iam::111122223333:server-certificate/x", "not-an-arn"])
def test_what_is_no_certificate_is_left_to_the_shape(tmp_path, arn: str) -> None:
    assert manifest_findings("DPD911", CERTIFICATE % ("", arn), tmp_path) == []


def test_where_the_certificate_goes(tmp_path) -> None:
    assert lacks(not_checked("{}", tmp_path), "DPD913", "cluster")
    own = "spec: {tlsConfig: {tlsCertificateOutputS3Uri: 's3://hyperpod-tls-x'}}"
    assert not lacks(not_checked(own, tmp_path), "DPD913", "cluster")
    (found,) = environment_findings("DPD913", "operator: {install: helm}", tmp_path)
    assert found.severity == "warning" and "not installed as an add-on" in found.message


@pytest.mark.parametrize(
    ("uri", "fires"),
    [
        ("s3://my-tls", True),
        ("s3://hyperpod-tls", False),
        ("s3://hyperpod-tls-a/b", False),
        ("s3://<BUCKET>", False),
    ],
)
def test_the_certificates_bucket(tmp_path, uri: str, fires: bool) -> None:
    fragment = f"spec: {{tlsConfig: {{tlsCertificateOutputS3Uri: '{uri}'}}}}"
    assert bool(manifest_findings("DPD914", fragment, tmp_path)) is fires


@pytest.mark.parametrize(
    ("repository", "fires"),
    [
        ("lmcache/vllm-openai", True),
        ("public.ecr.aws/deep-learning-containers/vllm", True),
        ("111122223333.dkr.ecr.us-west-2.amazonaws.com/vllm", False),
        ("111122223333.dkr.ecr-fips.us-west-2.amazonaws.com/vllm", False),
        ("111122223333.dkr.ecr.eu-west-1.amazonaws.com/vllm", True),
    ],
)
def test_images_of_a_closed_network(tmp_path, repository: str, fires: bool) -> None:
    worker = f"worker: {{repository: {repository}, tag: v1}}"
    fragment = f"network: {{closed: true}}\nimages: {{registry: public, {worker}}}"
    found = environment_findings("DPD915", fragment, tmp_path)
    assert [f.path for f in found] == (["endpoints.llama-70b.image"] if fires else [])
    assert environment_findings("DPD915", fragment.replace("true", "false"), tmp_path) == []


def test_a_closed_network_pulls_copies_unless_told_otherwise(tmp_path) -> None:
    assert environment_findings("DPD915", "network: {closed: true}", tmp_path) == []


def test_images_and_weights_of_a_lone_manifest_are_not_checked(tmp_path) -> None:
    hub = """
spec:
  modelSourceConfig: {s3Storage: null, modelSourceType: huggingface, huggingFaceModel: {modelId: meta-llama/Llama}}
"""
    notes = not_checked(hub, tmp_path)
    assert lacks(notes, "DPD915", "network") and lacks(notes, "DPD916", "network")
    assert not lacks(not_checked("{}", tmp_path), "DPD916", "network")


@pytest.mark.parametrize("topology", ["disaggregated", "colocated"])
def test_the_hub_is_out_of_reach_for_every_endpoint(tmp_path, topology: str) -> None:
    fragment = f"""
network: {{closed: true}}
endpoints:
  llama-70b:
    topology: {topology}
    model: {{weights: {{s3: null, hugging_face: {{model_id: meta-llama/Llama-3.3-70B-Instruct}}}}}}
"""
    (found,) = environment_findings("DPD916", fragment, tmp_path)
    assert "meta-llama/Llama-3.3-70B-Instruct is downloaded" in found.message
    assert found.path == "endpoints.llama-70b.model.weights"


@pytest.mark.parametrize(
    ("kind", "enabled", "path", "says"),
    [
        ("", "true", "nvme/cache", "not an absolute path"),
        ("", "true", "/opt/dlami/nvme", ""),
        ("instanceType: ml.g5.metal, ", "true", "/opt/dlami/nvme", ""),
        ("instanceType: ml.m5.4xlarge, ", "true", "/opt/dlami/nvme/w", "ml.m5.4xlarge has none"),
        ("instanceType: ml.m5.4xlarge, ", "false", "/opt/dlami/nvme/w", ""),
        ("instanceType: ml.m5.4xlarge, ", "true", "/opt/sagemaker/w", ""),
    ],
)
def test_the_weights_cache(tmp_path, kind: str, enabled: str, path: str, says: str) -> None:
    found = manifest_findings("DPD917", CACHE % (kind, enabled, path), tmp_path)
    assert bool(found) is bool(says)
    if found:
        assert says in found[0].message and found[0].path == "spec.modelCacheConfig.weightsCache.hostPath"
