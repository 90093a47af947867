"""Fixes in the keys of the environment document: rules speak of the manifest, and the user wrote another text."""

from __future__ import annotations

import re
from functools import cache

_ENGINE = {
    "--tensor-parallel-size": "engine.tensor_parallel_size",
    "--max-model-len": "engine.max_model_len_tokens",
    "--gpu-memory-utilization": "engine.gpu_memory_utilization",
    "--kv-cache-dtype": "engine.kv_cache_dtype",
    "--port": "port",
}
"""Flags that have a key of their own; any other stands below ``arguments``."""
_KEYS = {
    "remove pdSpec": "set topology to colocated",
    "metadata.name": "the endpoint's own key",
    "endpointName": "endpoint_name",
    "invocationEndpoint": "invocation_path",
    "maxDeployTimeInSeconds": "max_deploy_seconds",
    "modelName": "model.name",
    "modelLocation": "model.weights",
    "modelSourceType": "model.weights",
    "huggingFaceModel.commitSHA": "model.weights.hugging_face.commit",
    "huggingFaceModel.tokenSecretRef": "model.weights.hugging_face.token_secret",
    "s3Storage.region": "model.weights.s3.region",
    "s3Storage.bucketName": "model.weights.s3.bucket",
    "modelCacheConfig": "model_cache",
    "pdSpec.prefillSpec": "prefill",
    "prefillSpec.args": "prefill.arguments",
    "prefillSpec": "prefill",
    "pdSpec.decodingSpec": "decode",
    "decodingSpec.args": "decode.arguments",
    "decodingSpec": "decode",
    "pdSpec.routingThreshold": "routing.threshold_tokens",
    "routingThreshold": "routing.threshold_tokens",
    "routingStrategy": "routing.strategy",
    "topologySpec.availabilityZone": "placement.zone_name",
    "availabilityZone": "placement.zone_name",
    "topologySpec.sameAZ": "placement.same_zone",
    "sameAZ": "placement.same_zone",
    "placementGroup": "placement.placement_group",
    "prefillAutoScaling": "prefill",
    "decodingAutoScaling": "decode",
    "minReplicaCount": "autoscaling.min_replicas",
    "maxReplicaCount": "autoscaling.max_replicas",
    "prometheusTrigger": "autoscaling.query",
    "loadBalancer.healthCheckPath": "load_balancer.health_check_path",
    "loadBalancer.idleTimeoutSeconds": "load_balancer.idle_timeout_seconds",
    "idleTimeoutSeconds": "load_balancer.idle_timeout_seconds",
    "worker.modelInvocationPort.containerPort": "port",
    "containerPort": "port",
    "worker.requestLimits": "request_limits",
    "worker.image": "image",
    "kvCacheSpec.enableL1Cache": "cache.l1",
    "kvCacheSpec.enableL2Cache": "cache.l2",
    "enableL2Cache": "cache.l2",
    "l2CacheSpec": "cache.l2",
    "l2CacheBackend": "cache.l2.backend",
    "l2CacheLocalUrl": "cache.l2.url",
    "tlsConfig.tlsCertificateOutputS3Uri": "tls.certificate_output_uri",
    "tlsConfig.customCertificateConfig": "tls.certificate_arn",
    "dnsConfig": "tls.hosted_zone_id",
    "valueFrom.secretKeyRef": "{secret: NAME, key: KEY}",
    "PD_BUFFER_SIZE": "cache.pd_buffer_bytes",
}
"""What a fix says of the manifest, and how the endpoint's section of the document spells it."""
_ARGUMENTS = re.compile(r"\.arguments(\.|$)")


def in_keys_of_environment(fix: str, path: str) -> str:
    """``fix`` for a finding at ``path`` of an environment. Flags that the user wrote as flags stay flags."""
    words = _words(flags=not _ARGUMENTS.search(path))
    return words.sub(lambda found: _KEYS.get(found[1]) or _ENGINE[found[1]], fix)


@cache
def _words(*, flags: bool) -> re.Pattern[str]:
    known = sorted([*_KEYS, *(_ENGINE if flags else ())], key=len, reverse=True)
    return re.compile(rf"(?<![\w.-])(?:spec\.)?({'|'.join(map(re.escape, known))})(?![\w-])")


def document_keys() -> frozenset[str]:
    """Every key of the document that a fix may be given."""
    return frozenset({*_KEYS.values(), *_ENGINE.values()})
