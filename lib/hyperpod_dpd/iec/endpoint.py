"""The part of an InferenceEndpointConfig that we write, as a type; ``manifest`` gives it the CRD's spelling."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hyperpod_dpd.iec.copied import filled

API_VERSION = "inference.sagemaker.aws.amazon.com/v1"
KIND = "InferenceEndpointConfig"
VOLUME_NAME = "model-weights"


@dataclass(frozen=True, slots=True, kw_only=True)
class S3Source:
    """Weights below a prefix of a bucket in the cluster's Region."""

    bucket: str
    region: str
    prefix: str
    prefetch: bool = False

    def manifest(self) -> dict[str, Any]:
        body: dict[str, Any] = {
            "modelSourceType": "s3",
            "modelLocation": self.prefix,
            "s3Storage": {"bucketName": self.bucket, "region": self.region},
        }
        if self.prefetch:
            body["prefetchEnabled"] = True
        return body


@dataclass(frozen=True, slots=True, kw_only=True)
class FsxSource:
    """Weights on an FSx for Lustre file system."""

    file_system_id: str
    path: str
    dns_name: str | None = None
    mount_name: str | None = None

    def manifest(self) -> dict[str, Any]:
        storage: dict[str, Any] = {"fileSystemId": self.file_system_id}
        if self.dns_name:
            storage["dnsName"] = self.dns_name
        if self.mount_name:
            storage["mountName"] = self.mount_name
        return {"modelSourceType": "fsx", "modelLocation": self.path, "fsxStorage": storage}


@dataclass(frozen=True, slots=True, kw_only=True)
class HuggingFaceSource:
    """Weights from a repository at one commit; the token stays in a Secret."""

    model_id: str
    commit: str | None = None
    token_secret: str | None = None
    token_key: str = "token"
    prefetch: bool = False

    def manifest(self) -> dict[str, Any]:
        model: dict[str, Any] = {"modelId": self.model_id}
        if self.commit:
            model["commitSHA"] = self.commit
        if self.token_secret:
            model["tokenSecretRef"] = {"name": self.token_secret, "key": self.token_key}
        body: dict[str, Any] = {"modelSourceType": "huggingface", "huggingFaceModel": model}
        if self.prefetch:
            body["prefetchEnabled"] = True
        return body


@dataclass(frozen=True, slots=True, kw_only=True)
class VolumeSource:
    """Weights on a claim of the cluster, such as the node's own NVMe."""

    claim: str
    path: str

    def manifest(self) -> dict[str, Any]:
        return {"modelSourceType": "kubernetesVolume", "modelLocation": self.path}

    def volume(self) -> dict[str, Any]:
        """The pod volume, named as the worker's mount names it."""
        return {"name": VOLUME_NAME, "persistentVolumeClaim": {"claimName": self.claim}}


ModelSource = S3Source | FsxSource | HuggingFaceSource | VolumeSource


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """What one worker pod asks for; requests equal limits, so the pod is of the Guaranteed class."""

    cpu: str
    memory: str
    gpus: int
    efa_interfaces: int

    def manifest(self) -> dict[str, Any]:
        amounts = {
            "cpu": self.cpu,
            "memory": self.memory,
            "nvidia.com/gpu": str(self.gpus),
            "vpc.amazonaws.com/efa": str(self.efa_interfaces),
        }
        if not self.efa_interfaces:
            del amounts["vpc.amazonaws.com/efa"]
        return {"requests": dict(amounts), "limits": dict(amounts)}


@dataclass(frozen=True, slots=True, kw_only=True)
class AutoScaling:
    """KEDA scaling of one role on a Prometheus query; ``server_address`` is an AMP workspace URL."""

    min_replicas: int
    max_replicas: int
    query: str
    target_value: float
    server_address: str
    polling_interval_seconds: int = 30
    cooldown_seconds: int = 300

    def manifest(self) -> dict[str, Any]:
        return {
            "minReplicaCount": self.min_replicas,
            "maxReplicaCount": self.max_replicas,
            "pollingInterval": self.polling_interval_seconds,
            "cooldownPeriod": self.cooldown_seconds,
            "prometheusTrigger": {
                "serverAddress": self.server_address,
                "query": self.query,
                "targetValue": self.target_value,
            },
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """One side of a disaggregated endpoint."""

    replicas: int
    resources: Resources
    arguments: tuple[str, ...]
    node_selector: Mapping[str, str]
    autoscaling: AutoScaling | None = None

    def manifest(self) -> dict[str, Any]:
        body: dict[str, Any] = {"replicas": self.replicas, "resources": self.resources.manifest()}
        if self.arguments:
            body["args"] = list(self.arguments)
        body["nodeSelector"] = dict(self.node_selector)
        return body


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretReference:
    """An environment variable whose value stays in a Kubernetes Secret."""

    secret: str
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """One endpoint as the operator gets it. ``prefill`` and ``decode`` are both set or both None.

    A colocated endpoint has ``replicas`` workers of ``resources``; a disaggregated one repeats the
    resources there only because the CRD requires them. ``alternatives`` are the types that its nodes may have
    instead, in order of preference.
    """

    name: str
    namespace: str
    endpoint_name: str
    model_name: str
    instance_type: str
    source: ModelSource
    image: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str | SecretReference]
    port: int
    model_path: str
    resources: Resources
    copied: Mapping[str, Any]
    """What the document says and the manifest repeats, nested as the manifest is."""
    replicas: int = 1
    node_selector: Mapping[str, str] = field(default_factory=dict)
    prefill: Role | None = None
    decode: Role | None = None
    certificate: tuple[str, str] | None = None
    """ARN and domain name of a certificate that is not the operator's own."""
    alternatives: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    annotations: Mapping[str, str] = field(default_factory=dict)

    @property
    def disaggregated(self) -> bool:
        return self.prefill is not None

    def manifest(self) -> dict[str, Any]:
        """The whole Kubernetes object, in the CRD's spelling and a stable order of keys."""
        metadata: dict[str, Any] = {"name": self.name, "namespace": self.namespace}
        if self.labels:
            metadata["labels"] = dict(self.labels)
        if self.annotations:
            metadata["annotations"] = dict(self.annotations)
        return {"apiVersion": API_VERSION, "kind": KIND, "metadata": metadata, "spec": self._spec()}

    def _instance_types(self) -> dict[str, Any]:
        """The operator schedules by type: one that is left out here gets no pod."""
        if not self.alternatives:
            return {"instanceType": self.instance_type}
        return {"instanceTypes": [self.instance_type, *self.alternatives]}

    @property
    def max_deploy_seconds(self) -> int | None:
        """How long the operator waits for the endpoint, where the document says so."""
        seconds: int | None = self.copied["spec"].get("maxDeployTimeInSeconds")
        return seconds

    def _spec(self) -> dict[str, Any]:
        copied = self.copied["spec"]
        if not self.disaggregated:
            copied = {name: value for name, value in copied.items() if name != "pdSpec"}
        volume = {"volumes": [self.source.volume()]} if isinstance(self.source, VolumeSource) else None
        second_cache = "l2CacheSpec" in copied.get("kvCacheSpec", {})
        watched = copied.get("metrics", {}).get("enabled")
        skeleton = {
            "endpointName": self.endpoint_name,
            "modelName": self.model_name,
            **self._instance_types(),
            "invocationEndpoint": None,
            "modelSourceConfig": self.source.manifest(),
            "loadBalancer": None,
            "metrics": {
                "enabled": None,
                "metricsScrapeIntervalSeconds": None,
                "modelMetrics": {"port": self.port} if watched else None,
            },
            "kvCacheSpec": {"enableL1Cache": None, "enableL2Cache": True if second_cache else None},
            "intelligentRoutingSpec": {"enabled": True},
            "pdSpec": self._pd(self.prefill, self.decode) if self.prefill and self.decode else None,
            "replicas": self.replicas if self.replicas != 1 and not self.disaggregated else None,
            "tlsConfig": self._tls(),
            "dnsConfig": None,
            "modelCacheConfig": None,
            "maxDeployTimeInSeconds": None,
            "kubernetes": volume,
            "worker": self._worker(),
        }
        return filled(skeleton, copied)

    def _tls(self) -> dict[str, Any] | None:
        if not self.certificate:
            return None
        arn, domain = self.certificate
        custom = {"acmArn": arn, "domainName": domain}
        return {"tlsCertificateOutputS3Uri": None, "customCertificateConfig": custom}

    def _pd(self, prefill: Role, decode: Role) -> dict[str, Any]:
        scaling = {"prefillAutoScaling": prefill.autoscaling, "decodingAutoScaling": decode.autoscaling}
        given = {name: each.manifest() for name, each in scaling.items() if each}
        return {
            "prefillSpec": prefill.manifest(),
            "decodingSpec": decode.manifest(),
            "routingThreshold": None,
            "topologySpec": {"sameAZ": None},
            "autoScalingSpec": given or None,
        }

    def _worker(self) -> dict[str, Any]:
        return {
            "image": self.image,
            "args": list(self.arguments),
            "modelInvocationPort": {"name": "http", "containerPort": self.port},
            "modelVolumeMount": {"name": VOLUME_NAME, "mountPath": self.model_path},
            "resources": self.resources.manifest(),
            "environmentVariables": [
                _variable(name, value) for name, value in sorted(self.environment.items())
            ],
        }


def _variable(name: str, value: str | SecretReference) -> dict[str, Any]:
    if isinstance(value, SecretReference):
        return {"name": name, "valueFrom": {"secretKeyRef": {"name": value.secret, "key": value.key}}}
    return {"name": name, "value": value}
