"""Instance group settings of the official templates as instance groups of our document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hyperpod_dpd.catalog import official_templates

_CHECKS = {"EnableStressCheck": "InstanceStress", "EnableConnectivityCheck": "InstanceConnectivity"}


def instance_groups(settings: list[Any], notes: list[str]) -> dict[str, dict[str, Any]]:
    """By name, in their order. What no key of ours says is added to ``notes``."""
    groups: dict[str, dict[str, Any]] = {}
    for number, entry in enumerate(_flat(settings), 1):
        if not isinstance(entry, Mapping):
            notes.append(f"instance group {number}: is no object and is left out")
            continue
        name = str(entry.get("InstanceGroupName") or f"group-{number}")
        if name in groups:
            notes.append(f"instance group '{name}': a second one of that name is left out")
            continue
        groups[name] = _group(name, entry, notes)
    return groups


def _flat(settings: list[Any]) -> Iterator[Any]:
    """The templates allow lists in the list."""
    for entry in settings:
        if isinstance(entry, list):
            yield from _flat(entry)
        else:
            yield entry


def _group(name: str, entry: Mapping[str, Any], notes: list[str]) -> dict[str, Any]:
    types = [entry["InstanceType"]] if entry.get("InstanceType") else []
    types += _list(_mapping(entry.get("InstanceRequirements")).get("InstanceTypes"))
    group: dict[str, Any] = {
        "instance_type": types[0] if types else None,
        "count": number(entry.get("InstanceCount", 0)),
    }
    if types[1:]:
        group["alternatives"] = types[1:]
    zones = [entry.get("TargetAvailabilityZoneId"), *_list(entry.get("TargetAvailabilityZoneIds"))]
    interface = _mapping(entry.get("NetworkInterface")).get("InterfaceType")
    kubernetes = _mapping(entry.get("KubernetesConfig"))
    checks = _list(entry.get("OnStartDeepHealthChecks"))
    checks += [check for key, check in _CHECKS.items() if str(entry.get(key)).lower() == "true"]
    given = {
        "zone": next((zone for zone in zones if zone), None),
        "min_count": number(entry.get("MinInstanceCount")),
        "image_id": entry.get("ImageId"),
        "network_interface": interface,
        "threads_per_core": number(entry.get("ThreadsPerCore")),
        "deep_health_checks": list(dict.fromkeys(map(str, checks))),
        "labels": dict(_mapping(kubernetes.get("Labels"))),
        "taints": [
            {str(key).lower(): value for key, value in _mapping(taint).items()}
            for taint in _list(kubernetes.get("Taints"))
        ],
        "capacity": _capacity(entry),
        "lifecycle": _scripts(entry),
        "auto_patch": _mapping(entry.get("AutoPatchConfig")).get("PatchingStrategy"),
    }
    group |= {key: value for key, value in given.items() if value not in (None, "", [], {})}
    group["ebs_gib"] = _volume(name, entry, notes)
    _tell(name, entry, notes)
    return group


def _volume(name: str, entry: Mapping[str, Any], notes: list[str]) -> Any:
    """Size of the extra volume in GiB, or None."""
    sizes = []
    for config in map(_mapping, _list(entry.get("InstanceStorageConfigs"))):
        volume = _mapping(config.get("EbsVolumeConfig"))
        if volume.get("VolumeSizeInGB") and not volume.get("RootVolume"):
            sizes.append(number(volume["VolumeSizeInGB"]))
        for key in sorted(volume.keys() & {"VolumeKmsKeyId", "RootVolume"}):
            notes.append(
                f"instance group '{name}', {_of_field(f'InstanceStorageConfigs.EbsVolumeConfig.{key}')}"
            )
        for key in sorted(config.keys() - {"EbsVolumeConfig"}):
            notes.append(f"instance group '{name}', {_of_field(f'InstanceStorageConfigs.{key}')}")
    if sizes[1:]:
        notes.append(f"instance group '{name}': of its volumes ({sizes} GiB) the first is taken")
    return sizes[0] if sizes else None


def _capacity(entry: Mapping[str, Any]) -> Any:
    """None for on-demand, which is ours by default."""
    if entry.get("TrainingPlanArn"):
        return {"kind": "training-plan", "training_plan_arn": entry["TrainingPlanArn"]}
    return "spot" if "Spot" in _mapping(entry.get("CapacityRequirements")) else None


def _scripts(entry: Mapping[str, Any]) -> dict[str, Any] | None:
    given = _mapping(entry.get("LifeCycleConfig"))
    if given.get("SourceS3Uri") and given.get("OnCreate"):
        return {"uri": given["SourceS3Uri"], "on_create": given["OnCreate"]}
    return None


def _tell(name: str, entry: Mapping[str, Any], notes: list[str]) -> None:
    known = {field.name.partition(".")[0] for field in official_templates.group_fields()}
    for key in entry:
        if key not in known:
            notes.append(f"instance group '{name}', {key}: no key of ours is known to say it")
            continue
        field = next((f for f in official_templates.group_fields() if f.name == key), None)
        if field is not None and (field.says != "expressed" or not field.imported):
            notes.append(f"instance group '{name}', {_of_field(key)}")


def _of_field(name: str) -> str:
    field = next((f for f in official_templates.group_fields() if f.name == name), None)
    if field is None:
        return f"{name}: no key of ours is known to say it"
    if field.says == "expressed":
        return f"{name}: say it with {' and '.join(field.keys)}"
    return f"{name}: {field.note}"


def number(value: Any) -> Any:
    """A number that was written as text; anything else as it is, for the document's own judgement."""
    return int(value) if isinstance(value, str) and value.isascii() and value.isdecimal() else value


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list) else []
