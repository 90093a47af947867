"""The reference CRD and the collected manifests, read once; tests skip where the shared folder is absent."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

SHARED = Path(__file__).resolve().parents[3] / ".." / "shared"
if not SHARED.is_dir():
    SHARED = Path(__file__).resolve().parents[3] / ".." / ".." / "shared"


@pytest.fixture(scope="session")
def crd():
    """The operator's CRD of release 3.2."""
    path = SHARED / "reference" / "inferenceendpointconfigs-v3.2.crd.yaml"
    if not path.is_file():
        pytest.skip("../shared/reference is not here: the CRD to compare with lies outside the repository")
    return yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)


@pytest.fixture(scope="session")
def collected():
    """Collected manifests by the number in their file name, for example ``collected["08"]``."""
    folder = SHARED / "cases" / "manifests"
    if not folder.is_dir():
        pytest.skip(
            "../shared/cases is not here: the collected manifests are reference data outside the repository"
        )
    return {path.name[:2]: yaml.safe_load(path.read_text()) for path in sorted(folder.glob("*.yaml"))}


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
