"""Manifests of shapes found in public: what the shape check says about each, pinned."""

from __future__ import annotations

import pytest

from hyperpod_dpd.iec.identity import Kind, identify
from hyperpod_dpd.iec.validation import validate
from tests.support import found

VARIABLES = """
    ENDPOINT_NAME NAMESPACE MODEL_NAME INSTANCE_TYPE REPLICAS MODEL_BUCKET REGION MODEL_LOCATION
    ROUTING_STRATEGY CERT_S3_URI MODEL_IMAGE MAX_MODEL_LEN TENSOR_PARALLEL_SIZE GPU_COUNT CPU_REQUEST
    MEMORY_REQUEST
"""
EXPECTED = {
    "model-hub-model": {("wrong-kind", ("kind",))},
    "placeholders-routing": {
        ("placeholder", ("spec", "modelSourceConfig", "s3Storage", "bucketName")),
        ("placeholder", ("spec", "tlsConfig", "tlsCertificateOutputS3Uri")),
    },
    "placeholders-second-cache": {
        ("placeholder", ("spec", "modelSourceConfig", "s3Storage", "bucketName")),
        ("placeholder", ("spec", "kvCacheSpec", "l2CacheSpec", "l2CacheLocalUrl")),
        ("placeholder", ("spec", "tlsConfig", "tlsCertificateOutputS3Uri")),
    },
    "model-deployment": {("wrong-kind", ("kind",))},
    "djl-one-gpu": set(),
    "tgi-eight-gpus": set(),
    "shell-variables-old-version": {
        ("unexpanded-variable", ("spec", "endpointName")),
        ("unexpanded-variable", ("spec", "instanceType")),
        ("unexpanded-variable", ("spec", "modelSourceConfig", "s3Storage", "bucketName")),
        ("unexpanded-variable", ("spec", "modelSourceConfig", "s3Storage", "region")),
    },
    "complete-pair": {
        ("placeholder", ("spec", "modelSourceConfig", "s3Storage", "bucketName")),
        ("placeholder", ("spec", "modelSourceConfig", "s3Storage", "region")),
    },
    "file-system-variable": {
        ("unexpanded-variable", ("spec", "modelSourceConfig", "fsxStorage", "fileSystemId"))
    },
    "old-version-with-seed": {
        ("unexpanded-variable", ("metadata", "name")),
        ("unexpanded-variable", ("metadata", "namespace")),
        ("unexpanded-variable", ("spec", "modelSourceConfig", "s3Storage", "bucketName")),
        ("unexpanded-variable", ("spec", "modelSourceConfig", "s3Storage", "region")),
    },
    "colocated-routing-latest": set(),
    "hugging-face-source": set(),
    "partitioned-gpu": {
        ("missing", ("spec", "worker", "image")),
        ("missing", ("spec", "worker", "modelInvocationPort")),
        ("missing", ("spec", "worker", "modelVolumeMount")),
    },
    "replica-names": {
        ("unknown-field", ("spec", "autoScalingSpec", "minReplicas")),
        ("unknown-field", ("spec", "autoScalingSpec", "maxReplicas")),
    },
    "no-port-no-mount": {
        ("missing", ("spec", "worker", "modelInvocationPort")),
        ("missing", ("spec", "worker", "modelVolumeMount")),
    },
    "invented-group": {
        ("wrong-api-version", ("apiVersion",)),
        ("unknown-field", ("spec", "model")),
        ("unknown-field", ("spec", "cacheConfig")),
        ("missing", ("spec", "modelName")),
        ("missing", ("spec", "modelSourceConfig")),
        ("missing", ("spec", "worker")),
    },
    "certificate-too-deep": {
        ("unknown-field", ("spec", "tlsConfig", "customCertificateConfig", "tlsCertificateOutputS3Uri"))
    },
    "neuron": set(),
    "missing-space": {("not-kubernetes", ()), ("wrong-type", ("resources", "limits"))},
    "mixed-advice": {
        ("wrong-type", ("spec", "worker", "environmentVariables", 0, "value")),
        ("wrong-type", ("spec", "worker", "environmentVariables", 1, "value")),
    },
}


@pytest.mark.parametrize("case", sorted(EXPECTED))
def test_exactly_these_problems(case):
    assert {(p.kind, p.path) for p in validate(found.manifest_of(case))} == EXPECTED[case]


def test_every_manifest_is_pinned():
    assert set(found.names()) == set(EXPECTED) | {"envsubst"}


def test_unexpanded_guide_is_one_problem_per_variable():
    problems = validate(found.manifest_of("envsubst"))
    assert {p.kind for p in problems} == {"unexpanded-variable"}
    assert {p.value for p in problems} == {f"${{{name}}}" for name in VARIABLES.split()}
    gpus = next(p for p in problems if p.value == "${GPU_COUNT}")
    assert len((gpus.path, *gpus.also)) == 2


def test_the_placeholder_in_a_constrained_field_is_refused():
    refused = {p.path[-1] for p in validate(found.manifest_of("placeholders-routing")) if p.refused}
    assert refused == {"tlsCertificateOutputS3Uri"}


def test_the_guides_own_example_would_be_accepted():
    assert [p.path for p in validate(found.manifest_of("complete-pair"), release="3.2") if p.refused] == []


def test_identities():
    assert {case: identify(found.manifest_of(case)).kind for case in found.names()} == {
        **dict.fromkeys(found.names(), Kind.ENDPOINT),
        "model-hub-model": Kind.OTHER_HYPERPOD,
        "model-deployment": Kind.OTHER_HYPERPOD,
        "shell-variables-old-version": Kind.OLD_ENDPOINT,
        "old-version-with-seed": Kind.OLD_ENDPOINT,
        "invented-group": Kind.WRONG_API_VERSION,
        "missing-space": Kind.NOT_KUBERNETES,
    }
