"""Manifests of the shapes found in public meet the shape rules that are for them."""

from __future__ import annotations

import pytest

from tests.support.findings import findings_in_case, findings_of

CERTIFICATE = "spec.tlsConfig.customCertificateConfig.tlsCertificateOutputS3Uri"


@pytest.mark.parametrize(
    ("case", "rule", "path", "words"),
    [
        ("model-hub-model", "DPD101", "apiVersion", "JumpStartModel"),
        ("placeholders-routing", "DPD106", "spec.tlsConfig.tlsCertificateOutputS3Uri", "placeholder"),
        ("model-deployment", "DPD101", "apiVersion", "ModelDeployment"),
        ("shell-variables-old-version", "DPD106", "spec.instanceType", "$ACCEL_INSTANCE_TYPE"),
        ("old-version-with-seed", "DPD101", "apiVersion", "v1alpha1"),
        ("partitioned-gpu", "DPD104", "spec.worker.image", "missing"),
        ("replica-names", "DPD102", "spec.autoScalingSpec.maxReplicas", "maxReplicaCount"),
        ("no-port-no-mount", "DPD104", "spec.worker.modelVolumeMount", "missing"),
        ("envsubst", "DPD106", "spec.replicas", "${REPLICAS}"),
        ("invented-group", "DPD101", "apiVersion", "inference.sagemaker.aws.amazon.com/v1"),
        (
            "certificate-too-deep",
            "DPD102",
            "spec.tlsConfig.customCertificateConfig.tlsCertificateOutputS3Uri",
            "one level up",
        ),
        ("mixed-advice", "DPD103", "spec.worker.environmentVariables[1].value", "number 0"),
    ],
)
def test_a_case_meets_its_rule(case, rule, path, words, tmp_path) -> None:
    found = {hit.path: hit.message for hit in findings_in_case(rule, case, tmp_path)}
    assert words in found[path]


def test_limits_that_yaml_reads_as_one_string(tmp_path) -> None:
    fragment = """
spec:
  worker:
    resources:
      limits: 'memory:64Gi cpu:"8" vpc.amazonaws.com/efa:4'
"""
    (hit,) = findings_of("DPD103", fragment, tmp_path)
    assert hit.path == "spec.worker.resources.limits"
    assert "space after each colon" in hit.message


@pytest.mark.parametrize(
    ("field", "released", "before"),
    [
        ("loadBalancer: {idleTimeoutSeconds: 300}", "3.3", "3.2"),
        ("modelCacheConfig: {weightsCache: {enabled: true}}", "3.3", "3.2"),
        ("metricsSidecarResources: {limits: {cpu: 1}}", "3.4", "3.3"),
        ("tolerations: [{operator: Exists}]", "3.7", "3.6"),
        ("lmcache: {mode: InProcess}", "3.7", "3.6"),
    ],
)
def test_a_field_is_dropped_by_the_release_before(field, released, before, tmp_path) -> None:
    (hit,) = findings_of("DPD107", f"spec: {{{field}}}", tmp_path, operator=before)
    assert hit.path.startswith(f"spec.{field.partition(':')[0]}")
    assert findings_of("DPD107", f"spec: {{{field}}}", tmp_path, operator=released) == []
    assert findings_of("DPD107", f"spec: {{{field}}}", tmp_path) == []


def test_in_an_environment_the_release_is_declared(tmp_path) -> None:
    fragment = """
operator: {release: "3.2"}
endpoints: {llama-70b: {load_balancer: {idle_timeout_seconds: 300}}}
"""
    (hit,) = findings_of("DPD107", fragment, tmp_path, of="environment")
    assert hit.path == "endpoints.llama-70b.load_balancer.idle_timeout_seconds"
