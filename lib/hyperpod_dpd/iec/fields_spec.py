"""Every field of an InferenceEndpointConfig ``v1`` that we know, with the operator release that brought it.

Facts from the operator's schema of release 3.2 (June 2026) and, for later fields, from its release notes and
the schema of 3.3; written down in our own form. Where a place or a release is not documented, ``certain`` is
False.
"""

from __future__ import annotations

from functools import cache

from hyperpod_dpd.iec.field import (
    Field,
    boolean,
    integer,
    listing,
    obj,
    opaque,
    since,
    string_map,
    strings,
    text,
)
from hyperpod_dpd.iec.fields_autoscaling import autoscaling
from hyperpod_dpd.iec.fields_capture import data_capture
from hyperpod_dpd.iec.fields_core import (
    environment_variables,
    init_container,
    key_reference,
    node_affinity,
    probes,
    resources,
    tolerations,
)
from hyperpod_dpd.iec.fields_volumes import volume

_OBJECT_NAME = r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$"
_OBJECT_NAME_WORDS = "a Kubernetes name: lower case letters, digits, hyphens and dots"
_DOMAIN = r"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$"


@cache
def root() -> Field:
    """The whole object as stored, apiVersion to status."""
    return obj(
        apiVersion=text(),
        kind=text(),
        metadata=metadata(),
        spec=spec(),
        status=opaque(),
    )


@cache
def metadata() -> Field:
    """The part of the object's metadata that people write, and the rest of it as opaque."""
    kept_by_server = (
        "creationTimestamp deletionGracePeriodSeconds deletionTimestamp finalizers generation managedFields"
        " ownerReferences resourceVersion selfLink uid clusterName"
    )
    return obj(
        name=text(),
        generateName=text(),
        namespace=text(),
        labels=string_map(),
        annotations=string_map(),
        **{name: opaque() for name in kept_by_server.split()},
    )


@cache
def spec() -> Field:
    """What the user asks the operator for."""
    return obj(
        "modelName modelSourceConfig worker",
        InitialReplicaCount=integer(),
        autoScalingSpec=autoscaling(),
        dataCapture=since("3.1.2", data_capture()),
        dnsConfig=since(
            "3.1.2",
            obj(
                "hostedZoneId",
                hostedZoneId=text(r"^Z[A-Z0-9]+$", meaning="a hosted zone id such as Z1234567890ABC"),
            ),
        ),
        endpointName=text(
            r"^$|^[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}$",
            max_length=63,
            meaning="letters, digits and hyphens with a letter or digit at both ends, no dots or underscores",
        ),
        instanceType=text(r"^ml\..*", meaning="a SageMaker instance type such as ml.p5.48xlarge"),
        instanceTypes=since("2.3", strings()),
        intelligentRoutingSpec=_routing(),
        invocationEndpoint=text(default="invocations"),
        kubernetes=since("3.1", _kubernetes()),
        kvCacheSpec=_kv_cache(),
        loadBalancer=_load_balancer(),
        maxDeployTimeInSeconds=integer(default=3600),
        metrics=_metrics(),
        modelName=text(
            r"^[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}",
            max_length=63,
            meaning="a name that starts with a letter or digit",
        ),
        modelSourceConfig=_model_source(),
        modelVersion=text(),
        nodeAffinity=since("3.0", node_affinity()),
        pdSpec=since("3.2", _disaggregation()),
        replicas=integer(default=1),
        tags=listing(obj("name value", name=text(), value=text())),
        tlsConfig=_tls(),
        worker=_worker(),
        **_later(),
    )


def _later() -> dict[str, Field]:
    """Fields that came after 3.2."""
    place = "The release notes name the field but not its place; we take it to stand directly under spec."
    return {
        "modelCacheConfig": since("3.3", _model_cache()),
        "metricsSidecarResources": since("3.4", resources(), certain=False, note=place),
        "metricsCollectorResources": since("3.4", resources(), certain=False, note=place),
        "s3UploaderResources": since("3.4", resources(), certain=False, note=place),
        "inferenceGateway": since("3.6", opaque(), certain=False, note=place),
        "tolerations": since("3.7", tolerations(), certain=False, note=place),
        "lmcache": since("3.7", obj(mode=text(enum="InProcess MultiProcess")), certain=False, note=place),
        "dynamoSpec": since(
            "3.5",
            opaque(),
            certain=False,
            note="The release that brought dynamoSpec is not documented; 3.4 is the last known without it.",
        ),
    }


def _routing() -> Field:
    return obj(
        autoScalingSpec=autoscaling(),
        enabled=boolean(False),
        routingStrategy=text(enum="prefixaware kvaware session roundrobin", default="prefixaware"),
    )


def _kubernetes() -> Field:
    return obj(
        initContainers=listing(init_container()),
        podTemplateAnnotations=since("3.6", string_map()),
        schedulerName=text(_OBJECT_NAME, max_length=253, meaning=_OBJECT_NAME_WORDS),
        serviceAccountName=since("3.1.2", text(_OBJECT_NAME, max_length=253, meaning=_OBJECT_NAME_WORDS)),
        volumes=listing(volume()),
    )


def _kv_cache() -> Field:
    return obj(
        cacheConfigFile=text(),
        enableL1Cache=boolean(True),
        enableL2Cache=boolean(False),
        l2CacheSpec=obj(
            l2CacheBackend=text(r"(?i)redis|tieredstorage", meaning="redis or tieredstorage"),
            l2CacheLocalUrl=text(),
        ),
    )


def _load_balancer() -> Field:
    return obj(
        healthCheckPath=text(r"^/.*", default="/ping", meaning="a path that starts with /"),
        idleTimeoutSeconds=since("3.3", integer(minimum=1, maximum=4000)),
        routingAlgorithm=text(
            enum="least_outstanding_requests round_robin", default="least_outstanding_requests"
        ),
    )


def _metrics() -> Field:
    return obj(
        enabled=boolean(True),
        metricsScrapeIntervalSeconds=integer(default=15, minimum=5, maximum=300),
        modelMetrics=obj(
            path=text(r"^/[a-zA-Z0-9\-_.\/]*$", default="/metrics", meaning="a path that starts with /"),
            port=integer(default=8080, minimum=1024, maximum=65535),
        ),
    )


def _model_cache() -> Field:
    return obj(
        imageCache=obj("enabled", enabled=boolean()),
        weightsCache=obj(
            enabled=boolean(False), hostPath=text(default="/opt/dlami/nvme", min_length=1, max_length=255)
        ),
    )


def _model_source() -> Field:
    hugging_face = obj(
        "modelId",
        commitSHA=text(r"^[0-9a-f]{40}$", meaning="the full 40 digits of a commit, in lower case"),
        modelId=text(r"^[a-zA-Z0-9_.-]+/[a-zA-Z0-9_.-]+$", meaning="organisation/model"),
        tokenSecretRef=key_reference(),
    )
    return obj(
        "modelSourceType",
        fsxStorage=obj("fileSystemId", dnsName=text(), fileSystemId=text(), mountName=text()),
        huggingFaceModel=since("3.1.2", hugging_face),
        modelLocation=text(),
        modelSourceType=text(enum="fsx s3 huggingface kubernetesVolume"),
        prefetchEnabled=boolean(False),
        s3Storage=obj("bucketName region", bucketName=text(), region=text()),
    )


def _role() -> Field:
    return obj(
        args=strings(),
        nodeSelector=string_map(),
        replicas=integer(default=1, minimum=1),
        resources=resources(),
    )


def _disaggregation() -> Field:
    return obj(
        "decodingSpec prefillSpec",
        autoScalingSpec=obj(decodingAutoScaling=autoscaling(), prefillAutoScaling=autoscaling()),
        decodingSpec=_role(),
        prefillSpec=_role(),
        routingThreshold=integer(default=4096, minimum=0),
        topologySpec=obj(availabilityZone=text(), placementGroup=text(), sameAZ=boolean(True)),
    )


def _tls() -> Field:
    certificate = obj(
        "acmArn domainName",
        acmArn=text(
            r"^arn:aws:acm:[a-z0-9-]+:[0-9]{12}:certificate/[a-fA-F0-9-]+$",
            meaning="an ACM certificate ARN of the partition aws",
        ),
        domainName=text(_DOMAIN, max_length=253, meaning="a domain name in lower case without a wildcard"),
    )
    return obj(
        customCertificateConfig=since("3.1", certificate),
        tlsCertificateOutputS3Uri=text(r"^s3://([^/]+)/?(.*)$", meaning="s3://bucket or s3://bucket/prefix"),
    )


def _worker() -> Field:
    return obj(
        "image modelInvocationPort modelVolumeMount resources",
        args=strings(),
        command=strings(),
        environmentVariables=environment_variables(),
        image=text(),
        modelInvocationPort=obj(
            "containerPort",
            containerPort=integer(minimum=1, maximum=65535),
            name=text(r"^http$|^grpc$", default="http", meaning="http or grpc"),
        ),
        modelVolumeMount=obj("name", mountPath=text(default="/opt/ml/model"), name=text()),
        probes=obj(**probes()),
        requestLimits=since(
            "3.1",
            obj(
                maxConcurrentRequests=integer(minimum=1),
                maxQueueSize=integer(minimum=0),
                overflowStatusCode=integer(default=429, minimum=400, maximum=599),
            ),
        ),
        resources=resources(),
        workingDir=text(),
    )
