"""Every name that the cloud side and the Kubernetes side both use, and those the operator derives."""

from __future__ import annotations

OPERATOR_NAMESPACE = "hyperpod-inference-system"
OPERATOR_ADDON = "amazon-sagemaker-hyperpod-inference"
OBSERVABILITY_ADDON = "amazon-sagemaker-hyperpod-observability"
TASK_GOVERNANCE_ADDON = "amazon-sagemaker-hyperpod-taskgovernance"
OPTIONAL_ADDONS = (OBSERVABILITY_ADDON, TASK_GOVERNANCE_ADDON)
OPERATOR_SERVICE_ACCOUNT = "hyperpod-inference-controller-manager"  # made by the EKS add-on
OPERATOR_SERVICE_ACCOUNT_HELM = "hyperpod-inference-operator-controller-manager"  # made by the Helm chart
OPERATOR_CONTAINER = "manager"
INSTANCE_GROUP_LABEL = "sagemaker.amazonaws.com/instance-group-name"
ZONE_LABEL = "topology.kubernetes.io/zone"
ZONE_ID_LABEL = "topology.k8s.aws/zone-id"
INSTANCE_TYPE_LABEL = "node.kubernetes.io/instance-type"
ROLE_LABEL = "dpd.hyperpod/role"  # ours, set on the nodes of each instance group
POD_ROLE_LABEL = "inference.sagemaker.aws.amazon.com/dpd-role"  # set by the operator on its pods
ACKNOWLEDGE_ANNOTATION = "dpd.check/acknowledge"
MODEL_ANNOTATION = "dpd.check/model"
GPU_RESOURCE = "nvidia.com/gpu"
EFA_RESOURCE = "vpc.amazonaws.com/efa"
LIFECYCLE_ENTRYPOINT = "on_create.sh"

OPERATOR_ROLE_PREFIX = "SageMakerHyperPodInference"
TLS_BUCKET_PREFIX = "hyperpod-tls"
LIFECYCLE_BUCKET_PREFIX = "sagemaker-"

ENVIRONMENT_NAME_MAX = 16
"""Bucket names carry the environment, account and Region within 63 characters."""

STACKS = (
    "network",
    "storage",
    "images",
    "control-plane",
    "hyperpod",
    "addons",
    "observability",
    "delivery",
)
APPS = ("platform", "operator", "images", "weights", "observability")


def stack(environment: str, stack_id: str) -> str:
    """CloudFormation stack name; ``stack_id`` is one of STACKS."""
    return f"dpd-{environment}-{stack_id}"


def eks_cluster(environment: str) -> str:
    return f"dpd-{environment}"


def hyperpod_cluster(environment: str) -> str:
    return f"dpd-{environment}"


def lifecycle_bucket(environment: str, account: str, region: str) -> str:
    """The managed node policy reads buckets of this prefix only."""
    return f"{LIFECYCLE_BUCKET_PREFIX}dpd-{environment}-lcs-{account}-{region}"


def tls_bucket(environment: str, account: str, region: str) -> str:
    """The operator's managed policy writes certificates to buckets of this prefix only."""
    return f"{TLS_BUCKET_PREFIX}-{environment}-{account}-{region}"


def model_bucket(environment: str, account: str, region: str) -> str:
    return f"dpd-{environment}-models-{account}-{region}"


def access_log_bucket(environment: str, account: str, region: str) -> str:
    return f"dpd-{environment}-logs-{account}-{region}"


def operator_role(environment: str, region: str) -> str:
    """The add-on refuses an execution role without this prefix."""
    return f"{OPERATOR_ROLE_PREFIX}-dpd-{environment}-{region}"


def node_role(environment: str, region: str) -> str:
    return f"dpd-{environment}-nodes-{region}"


def endpoint_app(endpoint: str) -> str:
    """GitOps folder of one endpoint."""
    return f"endpoint-{endpoint}"


def benchmark_app(endpoint: str) -> str:
    """GitOps folder of one endpoint's benchmark Jobs."""
    return f"benchmark-{endpoint}"


def prefill_deployment(endpoint: str) -> str:
    """Deployment and container that the operator makes in the endpoint's namespace."""
    return f"prefill-{endpoint}"


def decode_deployment(endpoint: str) -> str:
    return f"decode-{endpoint}"


def router_deployment(endpoint: str, namespace: str) -> str:
    """Router that the operator makes in its own namespace."""
    return f"{endpoint}-{namespace}-router"


def routing_service(endpoint: str, namespace: str) -> str:
    return f"{endpoint}-{namespace}-routing-service"


def router_url(endpoint: str, namespace: str, invocation_path: str) -> str:
    """In-cluster URL of the router: plain HTTP, on port 443."""
    service = routing_service(endpoint, namespace)
    return f"http://{service}.{OPERATOR_NAMESPACE}.svc.cluster.local:443/{invocation_path.lstrip('/')}"


def ingress(endpoint: str, namespace: str) -> str:
    return f"alb-{endpoint}-{namespace}"
