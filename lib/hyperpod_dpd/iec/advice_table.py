"""Fields that people write where the custom resource has none, from real manifests and sister resources."""

from __future__ import annotations

Sentence = tuple[str, str]

_ENVIRONMENT: Sentence = (
    "environment variables stand in spec.worker.environmentVariables.",
    "Write the variables under spec.worker.environmentVariables, each with name and value.",
)
_SHARED_ENVIRONMENT: Sentence = (
    "both roles share spec.worker.environmentVariables; there are none per role.",
    "Move the variables to spec.worker.environmentVariables; what must differ between roles goes into args.",
)
_SHARED_IMAGE: Sentence = (
    "both roles run spec.worker.image; there is no image per role.",
    "Remove it, and set the one image in spec.worker.image.",
)
_ROLE_NODES: Sentence = (
    "a role chooses its nodes with nodeSelector; nodeAffinity exists for the whole endpoint only.",
    "Write nodeSelector with the label of the instance group, or move nodeAffinity to spec.nodeAffinity.",
)
_VOLUMES: Sentence = (
    (
        "the worker mounts one volume, the model's, by spec.worker.modelVolumeMount; further pod volumes are"
        " declared in spec.kubernetes.volumes and are mounted by init containers only."
    ),
    "Write modelVolumeMount with name and mountPath for the model; declare others under spec.kubernetes.",
)
_PROBE: Sentence = (
    "probes stand in spec.worker.probes.",
    "Move it into spec.worker.probes.",
)
_ROLE_SCALING: Sentence = (
    "scaling of a role stands in spec.pdSpec.autoScalingSpec.prefillAutoScaling or decodingAutoScaling.",
    "Move it to spec.pdSpec.autoScalingSpec.prefillAutoScaling, with minReplicaCount and maxReplicaCount.",
)
_REPLICAS: Sentence = (
    "replicas stand in spec.replicas, or per role in spec.pdSpec.prefillSpec and spec.pdSpec.decodingSpec.",
    "Move replicas to the role (disaggregated endpoint) or to spec.",
)
_DEPLOYMENT: Sentence = (
    "that is how a Deployment is written; the operator builds the pods itself from spec.worker.",
    "Write image, args, environmentVariables and resources directly under spec.worker.",
)
_JUMPSTART: Sentence = (
    "that field belongs to a JumpStartModel, another kind of the operator.",
    "Write endpointName, modelName, modelSourceConfig and instanceType directly under spec.",
)
_OPERATOR_CHART: Sentence = (
    (
        "priorityClassName is a value of the operator's Helm chart (3.7) and sets the operator's own pod; no"
        " field of the endpoint with that name is documented."
    ),
    "Remove it from the endpoint and set it in the chart's values.",
)

# Under prefillSpec or decodingSpec.
IN_ROLE: dict[str, Sentence] = {
    "image": _SHARED_IMAGE,
    "environmentVariables": _SHARED_ENVIRONMENT,
    "env": _SHARED_ENVIRONMENT,
    "nodeAffinity": _ROLE_NODES,
    "affinity": _ROLE_NODES,
    "tolerations": (
        "tolerations exist for the whole endpoint (operator 3.7 and later), not per role.",
        "Move tolerations to spec.tolerations, or separate the nodes by label with nodeSelector.",
    ),
    "instanceType": (
        "both roles use spec.instanceType; a role chooses its nodes with nodeSelector.",
        "Remove it, and write nodeSelector with the label of the instance group.",
    ),
    "command": (
        "both roles run spec.worker.command; only args can differ.",
        "Move command to spec.worker.command, or write the difference into args.",
    ),
    "probes": (
        "both roles share spec.worker.probes.",
        "Move probes to spec.worker.probes.",
    ),
    "volumeMounts": _VOLUMES,
    "autoScalingSpec": _ROLE_SCALING,
    "autoscaling": _ROLE_SCALING,
    "minReplicaCount": _ROLE_SCALING,
    "maxReplicaCount": _ROLE_SCALING,
    "minReplicas": _ROLE_SCALING,
    "maxReplicas": _ROLE_SCALING,
}

# By the name of the mapping that carries the field.
UNDER: dict[tuple[str, str], Sentence] = {
    ("worker", "volumeMounts"): _VOLUMES,
    ("worker", "volumes"): _VOLUMES,
    ("worker", "env"): (
        "the name here is environmentVariables.",
        "Rename env to environmentVariables.",
    ),
    ("worker", "livenessProbe"): _PROBE,
    ("worker", "readinessProbe"): _PROBE,
    ("worker", "startupProbe"): _PROBE,
    ("worker", "replicas"): _REPLICAS,
    ("worker", "ports"): (
        "the worker has one port, spec.worker.modelInvocationPort.",
        "Write modelInvocationPort with containerPort.",
    ),
    ("worker", "port"): (
        "the worker's port is spec.worker.modelInvocationPort.containerPort.",
        "Write modelInvocationPort with containerPort.",
    ),
    ("worker", "nodeSelector"): (
        "node selectors stand in spec.pdSpec.prefillSpec and spec.pdSpec.decodingSpec.",
        "Move nodeSelector to the role, or use spec.nodeAffinity for the whole endpoint.",
    ),
    ("worker", "modelVolumeMounts"): (
        "did you mean modelVolumeMount?",
        "Rename modelVolumeMounts to modelVolumeMount, a single mapping with name and mountPath.",
    ),
    ("customCertificateConfig", "tlsCertificateOutputS3Uri"): (
        "it belongs one level up, in spec.tlsConfig.",
        "Move tlsCertificateOutputS3Uri one level up, beside customCertificateConfig.",
    ),
    ("metrics", "modelMetricsConfig"): (
        "the name is modelMetrics (older AWS pages had it wrong).",
        "Rename modelMetricsConfig to modelMetrics.",
    ),
    ("spec", "env"): _ENVIRONMENT,
    ("spec", "environment"): _ENVIRONMENT,
    ("spec", "environmentVariables"): _ENVIRONMENT,
    ("spec", "template"): _DEPLOYMENT,
    ("spec", "containers"): _DEPLOYMENT,
    ("spec", "selector"): _DEPLOYMENT,
    ("spec", "sageMakerEndpoint"): _JUMPSTART,
    ("spec", "server"): _JUMPSTART,
    ("spec", "model"): _JUMPSTART,
    ("spec", "priorityClassName"): _OPERATOR_CHART,
    ("spec", "nodeSelector"): (
        (
            "node selectors stand in spec.pdSpec.prefillSpec and spec.pdSpec.decodingSpec; for the whole"
            " endpoint there is nodeAffinity."
        ),
        "Move nodeSelector to both roles, or write spec.nodeAffinity.",
    ),
    ("spec", "minReplicas"): (
        "scaling stands in spec.autoScalingSpec, or per role in spec.pdSpec.autoScalingSpec.",
        "Write minReplicaCount in the scaling block.",
    ),
    ("spec", "maxReplicas"): (
        "scaling stands in spec.autoScalingSpec, or per role in spec.pdSpec.autoScalingSpec.",
        "Write maxReplicaCount in the scaling block.",
    ),
    ("pdSpec", "replicas"): _REPLICAS,
    ("pdSpec", "topology"): ("did you mean topologySpec?", "Rename topology to topologySpec."),
    ("autoScalingSpec", "prefillSpec"): (
        "did you mean prefillAutoScaling?",
        "Rename prefillSpec to prefillAutoScaling.",
    ),
    ("autoScalingSpec", "decodingSpec"): (
        "did you mean decodingAutoScaling?",
        "Rename decodingSpec to decodingAutoScaling.",
    ),
}


# Names of other tools, with the fields that may be meant; the first one that exists in that place is taken.
RENAMED: dict[str, tuple[str, ...]] = {
    "minReplicas": ("minReplicaCount",),
    "maxReplicas": ("maxReplicaCount",),
    "min": ("minReplicaCount", "minValue"),
    "max": ("maxReplicaCount",),
    "minAutoScaleReplicas": ("minReplicaCount",),
    "maxAutoScaleReplicas": ("maxReplicaCount",),
    "prefill": ("prefillSpec", "prefillAutoScaling"),
    "prefiller": ("prefillSpec", "prefillAutoScaling"),
    "prefillerSpec": ("prefillSpec",),
    "decode": ("decodingSpec", "decodingAutoScaling"),
    "decoder": ("decodingSpec", "decodingAutoScaling"),
    "decoding": ("decodingSpec", "decodingAutoScaling"),
    "decodeSpec": ("decodingSpec",),
    "decoderSpec": ("decodingSpec",),
    "decodeAutoScaling": ("decodingAutoScaling",),
    "threshold": ("routingThreshold", "targetValue"),
    "pdThreshold": ("routingThreshold",),
    "tokenThreshold": ("routingThreshold",),
    "az": ("availabilityZone",),
    "zone": ("availabilityZone",),
    "strategy": ("routingStrategy",),
    "routing": ("intelligentRoutingSpec",),
    "routingSpec": ("intelligentRoutingSpec",),
    "intelligentRouting": ("intelligentRoutingSpec",),
    "kvCache": ("kvCacheSpec",),
    "cacheConfig": ("kvCacheSpec",),
    "disaggregationSpec": ("pdSpec",),
    "dpdSpec": ("pdSpec",),
    "pd": ("pdSpec",),
    "modelSource": ("modelSourceConfig",),
    "storage": ("modelSourceConfig",),
    "s3": ("s3Storage",),
    "fsx": ("fsxStorage",),
    "huggingFace": ("huggingFaceModel",),
    "huggingface": ("huggingFaceModel",),
    "bucket": ("bucketName",),
    "modelPath": ("modelLocation",),
    "location": ("modelLocation",),
    "prefix": ("modelLocation",),
    "idleTimeout": ("idleTimeoutSeconds",),
    "healthPath": ("healthCheckPath",),
    "scrapeInterval": ("metricsScrapeIntervalSeconds",),
    "instances": ("instanceTypes",),
    "env": ("environmentVariables",),
    "environment": ("environmentVariables",),
    "arguments": ("args",),
    "L1Cache": ("enableL1Cache",),
    "l1Cache": ("enableL1Cache",),
    "L2Cache": ("enableL2Cache", "l2CacheSpec"),
    "l2Cache": ("l2CacheSpec", "enableL2Cache"),
    "backend": ("l2CacheBackend",),
    "certificateArn": ("acmArn",),
    "domain": ("domainName",),
    "zoneId": ("hostedZoneId",),
}
