"""The endpoint's section of the document that comes nearest to a manifest; what is still missing is told later."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, get_args

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.catalog import manifest_fields, models
from hyperpod_dpd.catalog.worker_images import parse_reference
from hyperpod_dpd.config.endpoint import Endpoint, Engine
from hyperpod_dpd.iec.copied import defaults_of, filled, to_document
from hyperpod_dpd.iec.endpoint import VOLUME_NAME
from hyperpod_dpd.importing.arguments import as_mapping

_DERIVED = ("HF_HOME", "PYTHONHASHSEED", "LMCACHE_SAVE_DECODE_CACHE")
_ACKNOWLEDGED = re.compile(r"(?:^|;\s*)(DPD\d{3,4}):\s*(.*?)(?=;\s*DPD\d{3,4}:|$)", re.DOTALL)
UNKNOWN_MODEL_CONFIG = "models/config.json"
"""Stands where the document needs the model's config.json and the manifest cannot say which it is."""


def endpoint_section(manifest: dict[str, Any], groups: dict[str, str]) -> dict[str, Any]:
    """``groups`` maps prefill and decode to the instance group each is bound to."""
    spec, metadata = manifest["spec"], manifest["metadata"]
    pd = spec.get("pdSpec")
    worker = spec.get("worker", {})
    section: dict[str, Any] = {
        "namespace": metadata.get("namespace", "default"),
        "endpoint_name": _unless(spec.get("endpointName", ""), metadata["name"]),
        "topology": None if pd else "colocated",
        "model": _model(spec, metadata),
        **_roles(spec, pd, groups),
        "engine": None,
        "routing": {"strategy": None, "threshold_tokens": None, "session_key": _session_key(spec, worker)},
        "cache": {"l1": None, "l2": None, "pd_buffer_bytes": _buffer_bytes(spec, worker)},
        "metrics": {
            "enabled": None,
            "scrape_interval_seconds": spec.get("metrics", {}).get("metricsScrapeIntervalSeconds"),
        },
        "placement": {"same_zone": None},
        "load_balancer": None,
        "tls": _tls(spec),
        "image": _image(worker.get("image", "")),
        "invocation_path": None,
        "port": _unless(worker.get("modelInvocationPort", {}).get("containerPort"), 8000),
        "environment_variables": None,
        "request_limits": None,
        "max_deploy_seconds": None,
        "model_cache": None,
        "acknowledge": _acknowledgements(metadata),
    }
    values = {
        **to_document(_in_use(manifest), _defaults()),
        "engine": _engine(worker.get("args", []), worker),
        "environment_variables": _variables(worker, bool(pd)),
    }
    whole = filled(section, values)
    return {key: value for key, value in whole.items() if value not in (None, {}, [])}


@cache
def _defaults() -> dict[str, Any]:
    """What the document has by default, by dotted key."""
    unset: dict[str, Any] = {}
    return defaults_of(Endpoint.model_construct(**unset))


def _in_use(manifest: dict[str, Any]) -> dict[str, Any]:
    """Without what is said and has no effect, for which the document has no place."""
    spec = dict(manifest["spec"])
    if not spec.get("kvCacheSpec", {}).get("enableL2Cache"):
        spec["kvCacheSpec"] = {k: v for k, v in spec.get("kvCacheSpec", {}).items() if k != "l2CacheSpec"}
    if not spec.get("tlsConfig", {}).get("customCertificateConfig"):
        spec.pop("dnsConfig", None)
    return {**manifest, "spec": spec}


def _unless(value: Any, default: Any) -> Any:
    """None for what the document has by default."""
    return None if value == default else value


def _given(**values: Any) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value not in (None, {})}


def _model(spec: dict[str, Any], metadata: dict[str, Any]) -> dict[str, Any]:
    name = spec.get("modelName", "model")
    source = spec.get("modelSourceConfig", {})
    annotated = metadata.get("annotations", {}).get(names.MODEL_ANNOTATION)
    texts = (name, source.get("huggingFaceModel", {}).get("modelId"), source.get("modelLocation"))
    known = models.get(annotated) if annotated else None
    for text in texts:
        known = known or (models.match(text) if isinstance(text, str) else None)
    weights = _weights(spec, source)
    if known is None:
        return {"name": name, "config": UNKNOWN_MODEL_CONFIG, "weights": weights}
    same_name = name == known.name.replace(".", "-")
    return {"catalogue": known.key, **({} if same_name else {"name": name}), "weights": weights}


def _weights(spec: dict[str, Any], source: dict[str, Any]) -> dict[str, Any]:
    kind, location = source.get("modelSourceType"), source.get("modelLocation", "")
    prefetch = source.get("prefetchEnabled") or None
    if kind == "fsx":
        storage = source.get("fsxStorage", {})
        fsx = _given(
            file_system_id=storage.get("fileSystemId"),
            dns_name=storage.get("dnsName"),
            mount_name=storage.get("mountName"),
        )
        return {"fsx": {"path": location or "/", **fsx}}
    if kind == "huggingface":
        model = source.get("huggingFaceModel", {})
        token = model.get("tokenSecretRef", {})
        return {
            "hugging_face": _given(
                model_id=model.get("modelId"),
                commit=model.get("commitSHA"),
                token_secret=token.get("name"),
                token_key=_unless(token.get("key"), "token"),
                prefetch=prefetch,
            )
        }
    if kind == "kubernetesVolume":
        volumes = spec.get("kubernetes", {}).get("volumes", [])
        claims = [
            each["persistentVolumeClaim"]["claimName"]
            for each in volumes
            if each.get("name") == VOLUME_NAME and "persistentVolumeClaim" in each
        ]
        return {"volume": {"claim": claims[0] if claims else "model-weights", "path": location}}
    storage = source.get("s3Storage", {})
    return {
        "s3": _given(
            prefix=location or "/",
            bucket=storage.get("bucketName"),
            region=storage.get("region"),
            prefetch=prefetch,
        )
    }


def _roles(spec: dict[str, Any], pd: dict[str, Any] | None, groups: dict[str, str]) -> dict[str, Any]:
    if pd is None:
        replicas = int(spec.get("replicas", 1))
        resources = spec.get("worker", {}).get("resources", {})
        first = max(1, replicas - 1)
        return {
            "prefill": {"instance_group": groups["prefill"], "replicas": first, **_amounts(resources)},
            "decode": {
                "instance_group": groups["decode"],
                "replicas": replicas - first,
                **_amounts(resources),
            },
        }
    roles = {}
    scaling = pd.get("autoScalingSpec", {})
    for role, key, rule in (
        ("prefill", "prefillSpec", "prefillAutoScaling"),
        ("decode", "decodingSpec", "decodingAutoScaling"),
    ):
        part = pd.get(key, {})
        selector = {k: v for k, v in part.get("nodeSelector", {}).items() if k != names.INSTANCE_GROUP_LABEL}
        roles[role] = {
            "instance_group": groups[role],
            **_given(
                replicas=_unless(part.get("replicas"), 1),
                **_amounts(part.get("resources", {})),
                arguments=as_mapping(part.get("args", [])),
                node_selector=selector,
                autoscaling=_autoscaling(scaling.get(rule)),
            ),
        }
    return roles


def _amounts(resources: dict[str, Any]) -> dict[str, Any]:
    limits = {**resources.get("requests", {}), **resources.get("limits", {})}
    gpus = str(limits.get(names.GPU_RESOURCE, ""))
    return _given(
        gpus=int(gpus) if gpus.isdecimal() and int(gpus) else None,
        cpu=str(limits["cpu"]) if "cpu" in limits else None,
        memory=str(limits["memory"]) if "memory" in limits else None,
    )


def _autoscaling(scaling: dict[str, Any] | None) -> dict[str, Any] | None:
    """Only what is scaled on a Prometheus query has a place in the document."""
    trigger = (scaling or {}).get("prometheusTrigger")
    if not scaling or not trigger or "query" not in trigger:
        return None
    return _given(
        min_replicas=_unless(scaling.get("minReplicaCount"), 1),
        max_replicas=scaling.get("maxReplicaCount", 5),
        query=trigger["query"],
        target_value=float(trigger["targetValue"]) if "targetValue" in trigger else None,
    )


def _engine(args: list[str], worker: dict[str, Any]) -> dict[str, Any]:
    """What the document names by key, and every other flag under ``arguments``."""
    flags = as_mapping(args)
    if flags is None:
        return {}
    defaults = {
        "model": worker.get("modelVolumeMount", {}).get("mountPath"),
        "host": "0.0.0.0",
        "port": worker.get("modelInvocationPort", {}).get("containerPort"),
    }
    engine: dict[str, Any] = {}
    rest: dict[str, Any] = {}
    for flag, value in flags.items():
        section, _, key = ".".join(manifest_fields.arguments().get(flag, ())).rpartition(".")
        if section == "engine" and _fits(key, value):
            engine[key] = value
        elif value != defaults.get(flag, object()):
            rest[flag] = value
    if "max-model-len" not in flags or "max-model-len" in rest:
        engine["max_model_len_tokens"] = None
    return {**engine, **({"arguments": rest} if rest else {})}


def _fits(key: str, value: Any) -> bool:
    """Whether the document's key takes a value of this type; strict, so that it is written back as it was."""
    return type(value) in get_args(Engine.model_fields[key].annotation)


def _session_key(spec: dict[str, Any], worker: dict[str, Any]) -> str | None:
    if spec.get("intelligentRoutingSpec", {}).get("routingStrategy") != "session":
        return None
    variables = {v.get("name"): v.get("value") for v in worker.get("environmentVariables", [])}
    return variables.get(names.SESSION_KEY_VARIABLE)


def _buffer_bytes(spec: dict[str, Any], worker: dict[str, Any]) -> int | None:
    buffer = _buffer(worker)
    return int(buffer) if buffer and spec.get("pdSpec") else None


def _buffer(worker: dict[str, Any]) -> str | None:
    for entry in worker.get("environmentVariables", []):
        value = entry.get("value")
        if entry.get("name") == "PD_BUFFER_SIZE" and isinstance(value, str) and str(value).isdecimal():
            return value if str(int(value)) == value else None
    return None


def _tls(spec: dict[str, Any]) -> dict[str, Any]:
    custom = spec.get("tlsConfig", {}).get("customCertificateConfig", {})
    return {
        "certificate_output_uri": None,
        "certificate_arn": custom.get("acmArn"),
        "domain_name": custom.get("domainName"),
    }


def _image(reference: str) -> dict[str, Any]:
    try:
        image = parse_reference(reference)
    except ValueError:
        return {"repository": reference}
    repository = reference.partition("@")[0]
    if image.tag:
        repository = repository.removesuffix(f":{image.tag}")
    return _given(repository=repository, tag=image.tag, digest=image.digest)


def _variables(worker: dict[str, Any], disaggregated: bool) -> dict[str, Any]:
    """Each variable that is not derived as it is; null for a derived one that the manifest lacks."""
    result: dict[str, Any] = {}
    for entry in worker.get("environmentVariables", []):
        reference = entry.get("valueFrom", {}).get("secretKeyRef")
        if "value" in entry:
            result[entry["name"]] = entry["value"]
        elif reference:
            result[entry["name"]] = {"secret": reference.get("name", ""), "key": reference.get("key", "")}
    derived = _DERIVED if disaggregated else _DERIVED[:1]
    for name in (*derived, *(["PD_BUFFER_SIZE"] if disaggregated else [])):
        result.setdefault(name, None)
    if _buffer(worker) and disaggregated:
        del result["PD_BUFFER_SIZE"]
    return result


def _acknowledgements(metadata: dict[str, Any]) -> dict[str, str]:
    text = metadata.get("annotations", {}).get(names.ACKNOWLEDGE_ANNOTATION, "")
    return {rule: reason.strip() for rule, reason in _ACKNOWLEDGED.findall(text)}
