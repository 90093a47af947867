"""Endpoint kinds from one document: disaggregated, the colocated baseline on as many GPUs, and the way back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

from hyperpod_dpd.cli.main import dpd
from k8s.layout import files
from k8s.rendering import render
from k8s.writer import write_environment
from tests.support.documents import ENVIRONMENTS

COLOCATED = "endpoints: {llama-70b: {topology: colocated}}"


def endpoint(blueprint: Any) -> dict[str, Any]:
    [manifest] = [plan.rendered() for plan in blueprint.endpoints]
    return manifest


def gpus(manifest: dict[str, Any]) -> int:
    """GPUs of all pods of an endpoint."""
    spec = manifest["spec"]
    if "pdSpec" not in spec:
        per_pod = int(spec["worker"]["resources"]["limits"]["nvidia.com/gpu"])
        return per_pod * int(spec.get("replicas", 1))
    return sum(
        role["replicas"] * int(role["resources"]["limits"]["nvidia.com/gpu"])
        for role in (spec["pdSpec"]["prefillSpec"], spec["pdSpec"]["decodingSpec"])
    )


@pytest.mark.parametrize("name", ["dev", "staging", "prod"])
def test_the_baseline_has_as_many_gpus_and_loses_no_resource(document, blueprints, name):
    before = endpoint(blueprints[name])
    outputs = ENVIRONMENTS / f"outputs/{name}.yaml"
    after = endpoint(document(COLOCATED, of=name, outputs=outputs.read_text() if outputs.is_file() else ""))
    assert "pdSpec" not in after["spec"] and gpus(after) == gpus(before)
    for role in ("prefillSpec", "decodingSpec"):
        assert after["spec"]["worker"]["resources"] == before["spec"]["pdSpec"][role]["resources"]
    variables = {each["name"] for each in after["spec"]["worker"]["environmentVariables"]}
    assert not {"PD_BUFFER_SIZE", "LMCACHE_SAVE_DECODE_CACHE", "PYTHONHASHSEED"} & variables
    assert after["spec"]["worker"]["image"] == before["spec"]["worker"]["image"]
    assert after["spec"]["worker"]["args"] == before["spec"]["worker"]["args"]
    assert after["spec"]["modelSourceConfig"] == before["spec"]["modelSourceConfig"]


def test_check_of_the_change_finds_no_error_on_the_way_back(document, tmp_path):
    for folder, blueprint in (("old", document()), ("new", document(COLOCATED))):
        environment = render(blueprint)
        write_environment(tmp_path / folder, "dev", files(environment))
    arguments = [
        "check", "--format", "json", "--previous", str(tmp_path / "old/dev/endpoint-llama-70b"),
        str(tmp_path / "new/dev/endpoint-llama-70b"),
    ]  # fmt: skip
    done = CliRunner().invoke(dpd, arguments)
    findings = json.loads(done.output)["findings"]
    assert [each["message"] for each in findings if each["severity"] == "error"] == []


def test_forward_again_is_the_same_endpoint(document):
    first = endpoint(document())
    assert endpoint(document(COLOCATED)) != first
    assert endpoint(document()) == first


AUTOSCALED = "endpoints: {llama-70b: {prefill: {autoscaling: {max_replicas: 3}}}}"
URL = "https://aps-workspaces.us-west-2.amazonaws.com/workspaces/ws-0a1b2c3d"


def test_prefill_scales_on_its_queue_with_an_explicit_maximum(document):
    scaling = endpoint(document(AUTOSCALED, outputs=f"prometheus_url: {URL}/"))["spec"]["pdSpec"][
        "autoScalingSpec"
    ]
    assert list(scaling) == ["prefillAutoScaling"]
    rule = scaling["prefillAutoScaling"]
    assert (rule["minReplicaCount"], rule["maxReplicaCount"]) == (1, 3)
    trigger = rule["prometheusTrigger"]
    assert trigger["serverAddress"] == URL
    assert trigger["query"] == (
        'sum(vllm:num_requests_waiting{namespace="inference",resource_name="prefill-llama-70b"})'
    )


def test_scaling_without_the_workspace_is_left_out_and_named(document):
    blueprint = document(AUTOSCALED)
    assert "autoScalingSpec" not in endpoint(blueprint)["spec"]["pdSpec"]
    [note] = [note for note in render(blueprint).notes if "autoscaling" in note.subject]
    assert "dpd outputs pull dev" in note.message


def test_scaling_of_a_colocated_endpoint_is_named(document):
    blueprint = document(f"{COLOCATED[:-2]}, prefill: {{autoscaling: {{max_replicas: 2}}}}}}}}")
    assert "autoScalingSpec" not in endpoint(blueprint)["spec"]
    assert any("colocated endpoint has none" in note.message for note in render(blueprint).notes)


TLS = """
endpoints:
  llama-70b:
    tls: {certificate_arn: "arn:aws:acm:us-west-2:111122223333:certificate/a", domain_name: chat.example.com,
          hosted_zone_id: Z0123}
    load_balancer: {idle_timeout_seconds: 900, routing_algorithm: round_robin}
    request_limits: {maxConcurrentRequests: 32, maxQueueSize: 8}
"""


def test_certificate_records_limits_and_balancer(document):
    spec = endpoint(document(TLS))["spec"]
    assert spec["tlsConfig"]["customCertificateConfig"] == {
        "acmArn": "arn:aws:acm:us-west-2:111122223333:certificate/a",
        "domainName": "chat.example.com",
    }
    assert spec["dnsConfig"] == {"hostedZoneId": "Z0123"}
    assert spec["loadBalancer"] == {
        "healthCheckPath": "/health",
        "routingAlgorithm": "round_robin",
        "idleTimeoutSeconds": 900,
    }
    assert spec["worker"]["requestLimits"] == {"maxConcurrentRequests": 32, "maxQueueSize": 8}


def test_idle_timeout_needs_operator_3_3(document):
    old = endpoint(document(f'operator: {{release: "3.2"}}\n{TLS}'))
    assert "idleTimeoutSeconds" not in old["spec"]["loadBalancer"]


@pytest.mark.parametrize(
    ("tls", "says"),
    [
        ("{certificate_arn: x}", "belong together"),
        ("{hosted_zone_id: Z1}", "only for a certificate of your own"),
    ],
)
def test_halves_of_tls_are_refused(document, tls, says):
    from hyperpod_dpd.config import InvalidEnvironment

    with pytest.raises(InvalidEnvironment, match=says):
        document(f"endpoints: {{llama-70b: {{tls: {tls}}}}}")


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        (
            "{s3: {prefix: a/b, prefetch: true}}",
            {
                "modelSourceType": "s3",
                "modelLocation": "a/b",
                "s3Storage": {"bucketName": "dpd-dev-models-111122223333-us-west-2", "region": "us-west-2"},
                "prefetchEnabled": True,
            },
        ),
        (
            "{s3: null, fsx: {path: a, file_system_id: fs-0123456789abcdef0}}",
            {
                "modelSourceType": "fsx",
                "modelLocation": "a",
                "fsxStorage": {"fileSystemId": "fs-0123456789abcdef0"},
            },
        ),
        (
            "{s3: null, hugging_face: {model_id: o/m, commit: " + "a" * 40 + ", token_secret: hf}}",
            {
                "modelSourceType": "huggingface",
                "huggingFaceModel": {
                    "modelId": "o/m",
                    "commitSHA": "a" * 40,
                    "tokenSecretRef": {"name": "hf", "key": "token"},
                },
            },
        ),
    ],
)
def test_model_sources(document, weights, expected):
    fragment = f"endpoints: {{llama-70b: {{model: {{weights: {weights}}}}}}}"
    assert endpoint(document(fragment))["spec"]["modelSourceConfig"] == expected
