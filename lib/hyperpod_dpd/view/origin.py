"""From a fact a rule saw back to the line the user wrote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.document import Document, Path, dotted


@dataclass(frozen=True, slots=True)
class Location:
    """A place in the user's file; ``path`` is dotted, in that file's own keys.

    ``of_environment``: the file is an environment, and spells there what a manifest calls otherwise.
    """

    file: str
    line: int
    column: int
    path: str
    of_environment: bool = False


ENVIRONMENT: Path = ("environment",)
"""First part of a path that stands in the environment document outside the endpoint's own section."""


class Origin(Protocol):
    """Translates a path of the view into a place of the file the view was built from."""

    def locate(self, path: Path) -> Location: ...


@dataclass(frozen=True, slots=True)
class DocumentOrigin:
    """The view shows the document itself, perhaps one item of a list in it."""

    document: Document
    base: Path = ()

    def locate(self, path: Path) -> Location:
        full = self.base + path
        position = self.document.where(full)
        return Location(self.document.file, position.line, position.column, dotted(full))


@dataclass(frozen=True, slots=True)
class EnvironmentOrigin:
    """The view shows the manifest an environment leads to; places are those of the environment's file."""

    document: Document
    endpoint: str
    arguments: dict[Path, str]
    variables: tuple[str, ...]
    overrides: tuple[tuple[tuple[str, ...], Path], ...] = ()
    """Paths that overrides set, each with its place in the document; the last one counts."""

    def locate(self, path: Path) -> Location:
        if path[:1] == ENVIRONMENT:
            full = path[1:]
        else:
            set_by = self._override(path)
            if set_by:  # written in the manifest's own words
                return self._at(set_by, translated=False)
            full = ("endpoints", self.endpoint, *self._translate(path))
        return self._at(full, translated=True)

    def _at(self, full: Path, *, translated: bool) -> Location:
        position = self.document.where(full)
        return Location(self.document.file, position.line, position.column, dotted(full), translated)

    def _override(self, path: Path) -> Path | None:
        spelled = tuple(map(str, path))
        for target, place in reversed(self.overrides):
            if spelled[: len(target)] == target:
                return place
        return None

    def _translate(self, path: Path) -> Path:
        if path[:1] in _OWN_KEYS:
            return path
        if path in self.arguments:
            return self._argument(path)
        if path[:3] == ("spec", "worker", "environmentVariables") and len(path) > 3:
            return self._variable(path)
        if path == _LOCATION:
            return self._weights()
        for prefix, target in _PLACES:
            if path[: len(prefix)] == prefix:
                return (*target, *_tail(path[len(prefix) :]))
        return ()

    def _argument(self, path: Path) -> Path:
        flag = self.arguments[path]
        role = _ROLE_KEYS.get(str(path[2])) if path[1] == "pdSpec" else None
        if role:
            return (role, "arguments", flag)
        return _ENGINE_KEYS.get(flag, ("engine", "arguments", flag))

    def _weights(self) -> Path:
        """The key that says where the weights are: each kind of place has one of its own."""
        for kind, key in (("s3", "prefix"), ("fsx", "path"), ("volume", "path")):
            place: Path = ("model", "weights", kind, key)
            if self.document.exists(("endpoints", self.endpoint, *place)):
                return place
        return ("model", "weights")

    def _variable(self, path: Path) -> Path:
        index = path[3]
        name = self.variables[index] if isinstance(index, int) and index < len(self.variables) else ""
        given: Path = ("environment_variables", name)
        if name == "PD_BUFFER_SIZE" and not self.document.exists(("endpoints", self.endpoint, *given)):
            return ("cache", "pd_buffer_bytes")
        return given


_OWN_KEYS: tuple[Path, ...] = (("traffic",), ("objectives",))
"""Keys of an endpoint's section that no manifest has: a path that begins with one needs no translation."""
_ROLE_KEYS = {"prefillSpec": "prefill", "decodingSpec": "decode"}
_ENGINE_KEYS: dict[str, Path] = {
    "tensor-parallel-size": ("engine", "tensor_parallel_size"),
    "max-model-len": ("engine", "max_model_len_tokens"),
    "gpu-memory-utilization": ("engine", "gpu_memory_utilization"),
    "kv-cache-dtype": ("engine", "kv_cache_dtype"),
    "port": ("port",),
}
_AMOUNTS = {"cpu": "cpu", "memory": "memory", names.GPU_RESOURCE: "gpus"}
_SPEC: Path = ("spec",)
_LOCATION: Path = ("spec", "modelSourceConfig", "modelLocation")
_PD: Path = ("spec", "pdSpec")
_PLACES: tuple[tuple[Path, Path], ...] = (
    *(
        place
        for key, role in _ROLE_KEYS.items()
        for place in (
            ((*_PD, key, "replicas"), (role, "replicas")),
            ((*_PD, key, "args"), (role, "arguments")),
            *(
                ((*block, "resources", kind, resource), (role, own))
                for block in ((*_PD, key), *([(*_SPEC, "worker")] if role == "prefill" else []))
                for kind in ("requests", "limits")
                for resource, own in _AMOUNTS.items()
            ),
            ((*_PD, key, "resources"), (role,)),
            ((*_PD, key, "nodeSelector", names.INSTANCE_GROUP_LABEL), (role, "instance_group")),
            ((*_PD, key, "nodeSelector"), (role, "node_selector")),
            ((*_PD, key), (role,)),
        )
    ),
    *(
        place
        for key, role in (("prefillAutoScaling", "prefill"), ("decodingAutoScaling", "decode"))
        for place in (
            ((*_PD, "autoScalingSpec", key, "minReplicaCount"), (role, "autoscaling", "min_replicas")),
            ((*_PD, "autoScalingSpec", key, "maxReplicaCount"), (role, "autoscaling", "max_replicas")),
            ((*_PD, "autoScalingSpec", key), (role, "autoscaling")),
        )
    ),
    ((*_PD, "routingThreshold"), ("routing", "threshold_tokens")),
    ((*_PD, "topologySpec", "sameAZ"), ("placement", "same_zone")),
    ((*_PD, "topologySpec", "availabilityZone"), ("placement", "zone_name")),
    ((*_PD, "topologySpec", "placementGroup"), ("placement", "placement_group")),
    ((*_PD, "topologySpec"), ("placement",)),
    (_PD, ("topology",)),
    ((*_SPEC, "intelligentRoutingSpec", "routingStrategy"), ("routing", "strategy")),
    ((*_SPEC, "intelligentRoutingSpec"), ("routing",)),
    ((*_SPEC, "invocationEndpoint"), ("invocation_path",)),
    ((*_SPEC, "instanceType"), ("prefill", "instance_group")),
    ((*_SPEC, "endpointName"), ("endpoint_name",)),
    ((*_SPEC, "modelSourceConfig", "s3Storage", "region"), ("model", "weights", "s3", "region")),
    ((*_SPEC, "modelSourceConfig", "s3Storage", "bucketName"), ("model", "weights", "s3", "bucket")),
    *(
        ((*_SPEC, "modelSourceConfig", block, key), ("model", "weights", kind, own))
        for block, kind, keys in (
            (
                "fsxStorage",
                "fsx",
                {"fileSystemId": "file_system_id", "dnsName": "dns_name", "mountName": "mount_name"},
            ),
            (
                "huggingFaceModel",
                "hugging_face",
                {"modelId": "model_id", "commitSHA": "commit", "tokenSecretRef": "token_secret"},
            ),
        )
        for key, own in keys.items()
    ),
    ((*_SPEC, "modelSourceConfig"), ("model", "weights")),
    ((*_SPEC, "modelName"), ("model", "name")),
    ((*_SPEC, "loadBalancer", "healthCheckPath"), ("load_balancer", "health_check_path")),
    ((*_SPEC, "loadBalancer", "idleTimeoutSeconds"), ("load_balancer", "idle_timeout_seconds")),
    ((*_SPEC, "loadBalancer", "routingAlgorithm"), ("load_balancer", "routing_algorithm")),
    ((*_SPEC, "loadBalancer"), ("load_balancer",)),
    ((*_SPEC, "tlsConfig", "tlsCertificateOutputS3Uri"), ("tls", "certificate_output_uri")),
    ((*_SPEC, "tlsConfig", "customCertificateConfig", "acmArn"), ("tls", "certificate_arn")),
    ((*_SPEC, "tlsConfig", "customCertificateConfig", "domainName"), ("tls", "domain_name")),
    ((*_SPEC, "tlsConfig"), ("tls",)),
    ((*_SPEC, "dnsConfig"), ("tls", "hosted_zone_id")),
    ((*_SPEC, "metrics", "enabled"), ("metrics", "enabled")),
    ((*_SPEC, "metrics", "metricsScrapeIntervalSeconds"), ("metrics", "scrape_interval_seconds")),
    ((*_SPEC, "metrics"), ("metrics",)),
    ((*_SPEC, "kvCacheSpec", "enableL1Cache"), ("cache", "l1")),
    ((*_SPEC, "kvCacheSpec", "l2CacheSpec", "l2CacheBackend"), ("cache", "l2", "backend")),
    ((*_SPEC, "kvCacheSpec", "l2CacheSpec", "l2CacheLocalUrl"), ("cache", "l2", "url")),
    ((*_SPEC, "kvCacheSpec"), ("cache", "l2")),
    ((*_SPEC, "modelCacheConfig"), ("model_cache",)),
    ((*_SPEC, "maxDeployTimeInSeconds"), ("max_deploy_seconds",)),
    ((*_SPEC, "worker", "image"), ("image",)),
    ((*_SPEC, "worker", "modelInvocationPort"), ("port",)),
    ((*_SPEC, "worker", "requestLimits"), ("request_limits",)),
    ((*_SPEC, "worker", "args"), ("engine",)),
    ((*_SPEC, "worker", "environmentVariables"), ("environment_variables",)),
    ((*_SPEC, "worker", "resources"), ("prefill",)),
    (("metadata", "namespace"), ("namespace",)),
    (("metadata", "annotations", names.ACKNOWLEDGE_ANNOTATION), ("acknowledge",)),
)


def _tail(rest: Path) -> Path:
    """What follows a translated prefix keeps its name only where both documents spell it alike."""
    return rest if len(rest) == 1 and isinstance(rest[0], str) and "/" in rest[0] else ()
