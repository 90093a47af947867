"""The operator's CRD, from the table of its facts, and an endpoint to judge by it."""

from __future__ import annotations

import pytest

from tests.support.crd import crd_of_release_3_2


@pytest.fixture(scope="session")
def crd():
    """The operator's CRD of release 3.2."""
    return crd_of_release_3_2()


@pytest.fixture
def endpoint():
    """A disaggregated endpoint without a fault, to be spoiled."""
    gpus = {"nvidia.com/gpu": "8"}
    role = {"replicas": 1, "resources": {"requests": dict(gpus), "limits": dict(gpus)}}
    return {
        "apiVersion": "inference.sagemaker.aws.amazon.com/v1",
        "kind": "InferenceEndpointConfig",
        "metadata": {"name": "dpd", "namespace": "serving"},
        "spec": {
            "modelName": "llama",
            "instanceType": "ml.p5.48xlarge",
            "invocationEndpoint": "v1/chat/completions",
            "modelSourceConfig": {
                "modelSourceType": "s3",
                "modelLocation": "llama",
                "s3Storage": {"bucketName": "weights", "region": "us-east-2"},
            },
            "intelligentRoutingSpec": {"enabled": True, "routingStrategy": "prefixaware"},
            "pdSpec": {"prefillSpec": dict(role), "decodingSpec": dict(role), "routingThreshold": 4096},
            "worker": {
                "image": "image@sha256:0",
                "args": ["--model", "/opt/ml/model", "--port", "8000"],
                "modelInvocationPort": {"containerPort": 8000, "name": "http"},
                "modelVolumeMount": {"name": "model-weights", "mountPath": "/opt/ml/model"},
                "resources": {"limits": dict(gpus), "requests": dict(gpus)},
                "environmentVariables": [
                    {"name": "PYTHONHASHSEED", "value": "0"},
                    {"name": "PD_BUFFER_SIZE", "value": "8589934592"},
                ],
            },
        },
    }
