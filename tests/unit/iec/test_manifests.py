"""The collected manifests: what the shape check says about each, pinned (section E of the cases)."""

from __future__ import annotations

import pytest

from hyperpod_dpd.iec.identity import Kind, identify
from hyperpod_dpd.iec.validation import validate

VARIABLES = """
    ENDPOINT_NAME NAMESPACE MODEL_NAME INSTANCE_TYPE REPLICAS MODEL_BUCKET REGION MODEL_LOCATION
    ROUTING_STRATEGY CERT_S3_URI MODEL_IMAGE MAX_MODEL_LEN TENSOR_PARALLEL_SIZE GPU_COUNT CPU_REQUEST
    MEMORY_REQUEST
"""
EXPECTED = {
    "01": {("wrong-kind", ("kind",))},
    "02": {
        ("placeholder", ("spec", "modelSourceConfig", "s3Storage", "bucketName")),
        ("placeholder", ("spec", "tlsConfig", "tlsCertificateOutputS3Uri")),
    },
    "03": {
        ("placeholder", ("spec", "modelSourceConfig", "s3Storage", "bucketName")),
        ("placeholder", ("spec", "kvCacheSpec", "l2CacheSpec", "l2CacheLocalUrl")),
        ("placeholder", ("spec", "tlsConfig", "tlsCertificateOutputS3Uri")),
    },
    "04": {("wrong-kind", ("kind",))},
    "05": set(),
    "06": set(),
    "07": {
        ("unexpanded-variable", ("spec", "endpointName")),
        ("unexpanded-variable", ("spec", "instanceType")),
        ("unexpanded-variable", ("spec", "modelSourceConfig", "s3Storage", "bucketName")),
        ("unexpanded-variable", ("spec", "modelSourceConfig", "s3Storage", "region")),
    },
    "08": {
        ("placeholder", ("spec", "modelSourceConfig", "s3Storage", "bucketName")),
        ("placeholder", ("spec", "modelSourceConfig", "s3Storage", "region")),
    },
    "09": {("unexpanded-variable", ("spec", "modelSourceConfig", "fsxStorage", "fileSystemId"))},
    "10": {
        ("unexpanded-variable", ("metadata", "name")),
        ("unexpanded-variable", ("metadata", "namespace")),
        ("unexpanded-variable", ("spec", "modelSourceConfig", "s3Storage", "bucketName")),
        ("unexpanded-variable", ("spec", "modelSourceConfig", "s3Storage", "region")),
    },
    "11": set(),
    "12": set(),
    "13": {
        ("missing", ("spec", "worker", "image")),
        ("missing", ("spec", "worker", "modelInvocationPort")),
        ("missing", ("spec", "worker", "modelVolumeMount")),
    },
    "15": {
        ("unknown-field", ("spec", "autoScalingSpec", "minReplicas")),
        ("unknown-field", ("spec", "autoScalingSpec", "maxReplicas")),
    },
    "16": {
        ("missing", ("spec", "worker", "modelInvocationPort")),
        ("missing", ("spec", "worker", "modelVolumeMount")),
    },
    "18": {
        ("wrong-api-version", ("apiVersion",)),
        ("unknown-field", ("spec", "model")),
        ("unknown-field", ("spec", "cacheConfig")),
        ("missing", ("spec", "modelName")),
        ("missing", ("spec", "modelSourceConfig")),
        ("missing", ("spec", "worker")),
    },
    "20": {("unknown-field", ("spec", "tlsConfig", "customCertificateConfig", "tlsCertificateOutputS3Uri"))},
    "21": set(),
    "23": {("not-kubernetes", ()), ("wrong-type", ("resources", "limits"))},
    "24": {
        ("wrong-type", ("spec", "worker", "environmentVariables", 0, "value")),
        ("wrong-type", ("spec", "worker", "environmentVariables", 1, "value")),
    },
}


@pytest.mark.parametrize("number", sorted(EXPECTED))
def test_exactly_these_problems(collected, number):
    assert {(p.kind, p.path) for p in validate(collected[number])} == EXPECTED[number]


def test_every_collected_manifest_is_pinned(collected):
    assert set(collected) == set(EXPECTED) | {"17"}


def test_unexpanded_guide_is_one_problem_per_variable(collected):
    problems = validate(collected["17"])
    assert {p.kind for p in problems} == {"unexpanded-variable"}
    assert {p.value for p in problems} == {f"${{{name}}}" for name in VARIABLES.split()}
    gpus = next(p for p in problems if p.value == "${GPU_COUNT}")
    assert len((gpus.path, *gpus.also)) == 2


def test_the_placeholder_in_a_constrained_field_is_refused(collected):
    refused = {p.path[-1] for p in validate(collected["02"]) if p.refused}
    assert refused == {"tlsCertificateOutputS3Uri"}


def test_the_guides_own_example_would_be_accepted(collected):
    assert [p.path for p in validate(collected["08"], release="3.2") if p.refused] == []


def test_identities(collected):
    assert {number: identify(manifest).kind for number, manifest in collected.items()} == {
        **dict.fromkeys(collected, Kind.ENDPOINT),
        "01": Kind.OTHER_HYPERPOD,
        "04": Kind.OTHER_HYPERPOD,
        "07": Kind.OLD_ENDPOINT,
        "10": Kind.OLD_ENDPOINT,
        "18": Kind.WRONG_API_VERSION,
        "23": Kind.NOT_KUBERNETES,
    }
