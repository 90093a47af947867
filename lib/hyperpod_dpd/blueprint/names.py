"""Every name that the cloud side and the Kubernetes side both use, and those the operator derives."""

from __future__ import annotations

from hashlib import sha256

from hyperpod_dpd.catalog import engine_defaults

OPERATOR_NAMESPACE = "hyperpod-inference-system"
OPERATOR_ADDON = "amazon-sagemaker-hyperpod-inference"
OBSERVABILITY_ADDON = "amazon-sagemaker-hyperpod-observability"
CNI_ADDON = "vpc-cni"
CERT_MANAGER_ADDON = "cert-manager"
METRICS_SERVER_ADDON = "metrics-server"
TASK_GOVERNANCE_ADDON = "amazon-sagemaker-hyperpod-taskgovernance"
OPTIONAL_ADDONS = (OBSERVABILITY_ADDON, TASK_GOVERNANCE_ADDON)
OPERATOR_SERVICE_ACCOUNT = "hyperpod-inference-controller-manager"  # made by the EKS add-on
OPERATOR_SERVICE_ACCOUNT_HELM = "hyperpod-inference-operator-controller-manager"  # made by the Helm chart
OPERATOR_CONTAINER = "manager"
OPERATOR_RELEASE = "hyperpod-inference-operator"  # of a Helm install
ROUTER_CONTAINER = "router-container"
OBSERVABILITY_NAMESPACE = "hyperpod-observability"
OBSERVABILITY_SERVICE_ACCOUNT = "hyperpod-observability-operator-otel-collector"
OBSERVABILITY_CONFIG = "hyperpod-observability"
LOG_EXPORTER = "dpd-log-exporter"
CANARY = "dpd-canary"
WATCH_NAMESPACE = "dpd-observability"  # ours: the log exporter and the dashboards
OPERATOR_DEPLOYMENTS = (OPERATOR_SERVICE_ACCOUNT, OPERATOR_SERVICE_ACCOUNT_HELM)  # either, by documentation
CLIENT_SERVICE_ACCOUNT = "dpd-client"
CHARACTERS_PER_ESTIMATED_TOKEN = 4  # how the router estimates a prompt given as text
GATEWAY_SERVICE_ACCOUNT = "inference-gateway-controller"
LOAD_BALANCER_SERVICE_ACCOUNT = "aws-load-balancer-controller"
AUTOSCALER_SERVICE_ACCOUNT = "keda-operator"
LOAD_BALANCER_NAMESPACE_HELM = "kube-system"  # the add-on runs both in OPERATOR_NAMESPACE
AUTOSCALER_NAMESPACE_HELM = "keda"
S3_DRIVER_ADDON = "aws-mountpoint-s3-csi-driver"
FSX_DRIVER_ADDON = "aws-fsx-csi-driver"
DRIVER_NAMESPACE = "kube-system"
S3_DRIVER_SERVICE_ACCOUNT = "s3-csi-driver-sa"
FSX_DRIVER_SERVICE_ACCOUNT = "fsx-csi-controller-sa"
INSTANCE_GROUP_LABEL = "sagemaker.amazonaws.com/instance-group-name"
ZONE_LABEL = "topology.kubernetes.io/zone"
ZONE_ID_LABEL = "topology.k8s.aws/zone-id"
INSTANCE_TYPE_LABEL = "node.kubernetes.io/instance-type"
ROLE_LABEL = "dpd.hyperpod/role"  # ours, set on the nodes of each instance group
POD_ROLE_LABEL = "inference.sagemaker.aws.amazon.com/dpd-role"  # set by the operator on its pods
ACKNOWLEDGE_ANNOTATION = "dpd.check/acknowledge"
MODEL_ANNOTATION = "dpd.check/model"
GPU_RESOURCE = "nvidia.com/gpu"
SESSION_KEY_VARIABLE = "SESSION_KEY"  # how a worker tells the router which header names a session
EFA_RESOURCE = "vpc.amazonaws.com/efa"
LIFECYCLE_ENTRYPOINT = "on_create.sh"

PUBLIC_LOAD_BALANCER_TAG = "kubernetes.io/role/elb"
INTERNAL_LOAD_BALANCER_TAG = "kubernetes.io/role/internal-elb"
LOAD_BALANCER_OWNER_TAG = "elbv2.k8s.aws/cluster"  # the ALB controller puts it on all it makes

ENVIRONMENT_TAG = "dpd:environment"

OUTPUT_VPC_ID = "VpcId"
OUTPUT_HYPERPOD_CLUSTER_ARN = "HyperPodClusterArn"
OUTPUT_PROMETHEUS_URL = "PrometheusUrl"
OUTPUT_GRAFANA_URL = "GrafanaUrl"
OUTPUT_LOAD_BALANCER_ROLE_ARN = "LoadBalancerRoleArn"
OUTPUT_AUTOSCALER_ROLE_ARN = "AutoscalerRoleArn"
OUTPUT_FILE_SYSTEM_ID = "FileSystemId"
OUTPUT_FILE_SYSTEM_DNS_NAME = "FileSystemDnsName"
OUTPUT_FILE_SYSTEM_MOUNT_NAME = "FileSystemMountName"
"""Stack outputs: exactly the facts that `dpd outputs pull` reads."""

OPERATOR_ROLE_PREFIX = "SageMakerHyperPodInference"
TLS_BUCKET_PREFIX = "hyperpod-tls"
LIFECYCLE_BUCKET_PREFIX = "sagemaker-"
OBSERVABILITY_ROLE_PREFIX = "AmazonSageMakerHyperPodObservabilityAddonAccess-"
GRAFANA_ROLE_PREFIX = "AmazonSageMakerHyperPodObservabilityGrafanaAccess-"

LABEL_MAX = 63
"""Longest name of a Service, a container or a label's value (RFC 1035)."""

WAVE_ANNOTATION = "argocd.argoproj.io/sync-wave"
STAGING_SERVICE_ACCOUNT_PREFIX = "dpd-staging-"
BENCHMARK_SERVICE_ACCOUNT_PREFIX = "dpd-benchmark-"
PRE_PULL_NAMESPACE = "dpd-images"
FILE_SYSTEM_CLAIM = "dpd-weights"
FILE_SYSTEM_PART = "models"  # what network_resource names the file system by
STATIC_STORAGE_CLASS = "dpd-static"
SECRET_STORE = "dpd-secrets-manager"
BACKGROUND_PRIORITY_CLASS = "dpd-background"
PURPOSE_LABEL = "dpd.hyperpod/purpose"


def bounded(name: str, limit: int) -> str:
    """``name``, or its beginning and a digest of the whole where it is longer than ``limit`` characters."""
    if len(name) <= limit:
        return name
    digest = sha256(name.encode()).hexdigest()[:8]
    return f"{name[: limit - 9].rstrip('-.')}-{digest}"


def stack(environment: str, stack_id: str) -> str:
    """CloudFormation stack name; ``stack_id`` is one of hyperpod_dpd.blueprint.stacks.ORDER."""
    return f"dpd-{environment}-{stack_id}"


def eks_cluster(environment: str) -> str:
    return f"dpd-{environment}"


def hyperpod_cluster(environment: str) -> str:
    return f"dpd-{environment}"


def lifecycle_bucket(environment: str, account: str, region: str) -> str:
    """The managed node policy reads buckets of this prefix only."""
    return f"{LIFECYCLE_BUCKET_PREFIX}dpd-{environment}-lcs-{account}-{region}"


def lifecycle_prefix(environment: str) -> str:
    """Where in its bucket an environment keeps its scripts: others may share the bucket."""
    return f"dpd-{environment}/scripts"


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


def scheduler_policy(environment: str) -> str:
    """HyperPod cluster scheduler policy of task governance."""
    return f"dpd-{environment}"


def pod_log_group(environment: str) -> str:
    """Within the prefix that the observability add-on may write to; the add-on's own naming is not published."""
    return f"/aws/sagemaker/Clusters/{hyperpod_cluster(environment)}/pods"


def prometheus_workspace(environment: str) -> str:
    """Alias of the AMP workspace."""
    return f"dpd-{environment}"


def rule_namespace(endpoint: str, environment: str | None = None) -> str:
    """Of an endpoint's rules in a Prometheus workspace; ``environment`` where others share the workspace."""
    return bounded(f"dpd-{environment}-{endpoint}" if environment else f"dpd-{endpoint}", 64)


def grafana_workspace(environment: str) -> str:
    return f"dpd-{environment}"


def grafana_token_secret(environment: str) -> str:
    """Secrets Manager's name of the token that grafana-operator signs in with."""
    return f"dpd/{environment}/grafana-token"


def alert_topic(environment: str) -> str:
    return f"dpd-{environment}-alerts"


def observability_role(environment: str, region: str, *, kind: str) -> str:
    """AWS's managed administrator policy passes roles of these prefixes only; ``kind`` is addon or grafana.

    The prefix leaves 14 of IAM's 64 characters, so environment and Region are told apart by a digest.
    """
    prefix = {"addon": OBSERVABILITY_ROLE_PREFIX, "grafana": GRAFANA_ROLE_PREFIX}[kind]
    return (
        f"{prefix}{environment[:7].rstrip('-')}-{sha256(f'{environment}/{region}'.encode()).hexdigest()[:6]}"
    )


def image_prefix(environment: str) -> str:
    """First part of the names of ECR repositories that hold copies of images."""
    return f"dpd-{environment}"


def cache_prefix(environment: str, registry: str) -> str:
    """Prefix of repositories that ECR fills from ``registry``; at most 30 characters."""
    short = "public" if registry.startswith("public.ecr") else "hub"
    return f"dpd-{environment}-{short}"


def budget(environment: str) -> str:
    return f"dpd-{environment}"


def argo_capability(environment: str) -> str:
    return f"dpd-{environment}-argocd"


def network_resource(environment: str, part: str) -> str:
    """What people see as the name of a VPC, a subnet or a gateway."""
    return f"dpd-{environment}-{part}"


def key_alias(environment: str, purpose: str) -> str:
    """Alias of a customer-managed key."""
    return f"alias/dpd-{environment}-{purpose}"


def cluster_tag(eks_cluster_name: str) -> str:
    """Tag key by which Kubernetes controllers know that a resource serves a cluster."""
    return f"kubernetes.io/cluster/{eks_cluster_name}"


def load_balancer_subject(install: str) -> str:
    """Namespace and service account of the operator's load balancer controller; ``install`` as in OperatorPlan."""
    namespace = OPERATOR_NAMESPACE if install == "addon" else LOAD_BALANCER_NAMESPACE_HELM
    return f"{namespace}:{LOAD_BALANCER_SERVICE_ACCOUNT}"


def autoscaler_subject(install: str) -> str:
    """Namespace and service account of the operator's KEDA; ``install`` as in OperatorPlan."""
    namespace = OPERATOR_NAMESPACE if install == "addon" else AUTOSCALER_NAMESPACE_HELM
    return f"{namespace}:{AUTOSCALER_SERVICE_ACCOUNT}"


def file_system_path(data_prefix: str) -> str:
    """Directory of the file system under which a prefix of the model bucket appears."""
    return f"/{data_prefix.strip('/')}"


def endpoint_app(endpoint: str) -> str:
    """GitOps folder of one endpoint."""
    return f"endpoint-{endpoint}"


def benchmark_app(endpoint: str) -> str:
    """GitOps folder of one endpoint's benchmark Jobs."""
    return f"benchmark-{endpoint}"


def staging_service_account(endpoint: str) -> str:
    """Identity of one endpoint's staging Job; its role reaches one prefix of the model bucket."""
    return f"{STAGING_SERVICE_ACCOUNT_PREFIX}{endpoint}"


def benchmark_service_account(endpoint: str) -> str:
    """Identity of one endpoint's benchmark; its role writes results to one prefix of the model bucket."""
    return f"{BENCHMARK_SERVICE_ACCOUNT_PREFIX}{endpoint}"


def static_volume(namespace: str, claim: str) -> str:
    """Persistent volume behind a claim that we render; volumes have no namespace."""
    return bounded(f"dpd-{namespace}-{claim}", LABEL_MAX)


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
    """In-cluster URL of the router: plain HTTP, whatever its port suggests."""
    service = routing_service(endpoint, namespace)
    port = engine_defaults.router().service_port
    return f"http://{service}.{OPERATOR_NAMESPACE}.svc.cluster.local:{port}/{invocation_path.lstrip('/')}"


def ingress(endpoint: str, namespace: str) -> str:
    return f"alb-{endpoint}-{namespace}"
