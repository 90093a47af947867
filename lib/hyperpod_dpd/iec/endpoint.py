"""The part of an InferenceEndpointConfig that we write, as a type; ``manifest`` gives it the CRD's spelling."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hyperpod_dpd.iec.model_source import VOLUME_NAME, ModelSource, VolumeSource

API_VERSION = "inference.sagemaker.aws.amazon.com/v1"
KIND = "InferenceEndpointConfig"


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
class Topology:
    """Where the two roles must stand relative to each other."""

    same_zone: bool = True
    zone_name: str | None = None
    placement_group: str | None = None

    def manifest(self) -> dict[str, Any]:
        body: dict[str, Any] = {"sameAZ": self.same_zone}
        if self.zone_name:
            body["availabilityZone"] = self.zone_name
        if self.placement_group:
            body["placementGroup"] = self.placement_group
        return body


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
    invocation_path: str
    source: ModelSource
    image: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str | SecretReference]
    port: int
    model_path: str
    resources: Resources
    replicas: int = 1
    node_selector: Mapping[str, str] = field(default_factory=dict)
    prefill: Role | None = None
    decode: Role | None = None
    routing_threshold_tokens: int | None = None
    topology: Topology = Topology()
    routing_strategy: str | None = None
    health_check_path: str = "/health"
    idle_timeout_seconds: int | None = None
    metrics_enabled: bool = True
    metrics_scrape_interval_seconds: int | None = None
    l1_cache: bool = True
    l2_cache: Mapping[str, str] | None = None
    load_balancer_algorithm: str | None = None
    tls_certificate_uri: str | None = None
    certificate: tuple[str, str] | None = None
    """ARN and domain name of a certificate that is not the operator's own."""
    hosted_zone_id: str | None = None
    model_cache: Mapping[str, Any] | None = None
    max_deploy_seconds: int | None = None
    alternatives: tuple[str, ...] = ()
    request_limits: Mapping[str, int] | None = None
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

    def _spec(self) -> dict[str, Any]:
        spec: dict[str, Any] = {
            "endpointName": self.endpoint_name,
            "modelName": self.model_name,
            **self._instance_types(),
            "invocationEndpoint": self.invocation_path,
            "modelSourceConfig": self.source.manifest(),
            "loadBalancer": self._load_balancer(),
            "metrics": self._metrics(),
            "kvCacheSpec": self._cache(),
        }
        if self.routing_strategy:
            spec["intelligentRoutingSpec"] = {"enabled": True, "routingStrategy": self.routing_strategy}
        if self.prefill and self.decode:
            spec["pdSpec"] = self._pd(self.prefill, self.decode)
        elif self.replicas != 1:
            spec["replicas"] = self.replicas
        if tls := self._tls():
            spec["tlsConfig"] = tls
        if self.hosted_zone_id:
            spec["dnsConfig"] = {"hostedZoneId": self.hosted_zone_id}
        if self.model_cache:
            spec["modelCacheConfig"] = dict(self.model_cache)
        if self.max_deploy_seconds:
            spec["maxDeployTimeInSeconds"] = self.max_deploy_seconds
        if isinstance(self.source, VolumeSource):
            spec["kubernetes"] = {"volumes": [self.source.volume()]}
        spec["worker"] = self._worker()
        return spec

    def _tls(self) -> dict[str, Any]:
        body: dict[str, Any] = {}
        if self.tls_certificate_uri:
            body["tlsCertificateOutputS3Uri"] = self.tls_certificate_uri
        if self.certificate:
            arn, domain = self.certificate
            body["customCertificateConfig"] = {"acmArn": arn, "domainName": domain}
        return body

    def _load_balancer(self) -> dict[str, Any]:
        body: dict[str, Any] = {"healthCheckPath": self.health_check_path}
        if self.load_balancer_algorithm:
            body["routingAlgorithm"] = self.load_balancer_algorithm
        if self.idle_timeout_seconds:
            body["idleTimeoutSeconds"] = self.idle_timeout_seconds
        return body

    def _metrics(self) -> dict[str, Any]:
        body: dict[str, Any] = {"enabled": self.metrics_enabled}
        if self.metrics_scrape_interval_seconds:
            body["metricsScrapeIntervalSeconds"] = self.metrics_scrape_interval_seconds
        if self.metrics_enabled:
            body["modelMetrics"] = {"port": self.port}
        return body

    def _cache(self) -> dict[str, Any]:
        body: dict[str, Any] = {"enableL1Cache": self.l1_cache}
        if self.l2_cache:
            body["enableL2Cache"] = True
            body["l2CacheSpec"] = dict(self.l2_cache)
        return body

    def _pd(self, prefill: Role, decode: Role) -> dict[str, Any]:
        body: dict[str, Any] = {"prefillSpec": prefill.manifest(), "decodingSpec": decode.manifest()}
        if self.routing_threshold_tokens is not None:
            body["routingThreshold"] = self.routing_threshold_tokens
        body["topologySpec"] = self.topology.manifest()
        scaling = {
            "prefillAutoScaling": prefill.autoscaling,
            "decodingAutoScaling": decode.autoscaling,
        }
        if any(scaling.values()):
            body["autoScalingSpec"] = {k: v.manifest() for k, v in scaling.items() if v}
        return body

    def _worker(self) -> dict[str, Any]:
        worker: dict[str, Any] = {
            "image": self.image,
            "args": list(self.arguments),
            "modelInvocationPort": {"name": "http", "containerPort": self.port},
            "modelVolumeMount": {"name": VOLUME_NAME, "mountPath": self.model_path},
            "resources": self.resources.manifest(),
            "environmentVariables": [
                _variable(name, value) for name, value in sorted(self.environment.items())
            ],
        }
        if self.request_limits:
            worker["requestLimits"] = dict(self.request_limits)
        return worker


def _variable(name: str, value: str | SecretReference) -> dict[str, Any]:
    if isinstance(value, SecretReference):
        return {"name": name, "valueFrom": {"secretKeyRef": {"name": value.secret, "key": value.key}}}
    return {"name": name, "value": value}
