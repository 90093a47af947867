"""One InferenceEndpointConfig to an environment fragment, checked by rendering the fragment again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.patching import apply
from hyperpod_dpd.catalog import instance_types, manifest_fields, regions
from hyperpod_dpd.config import InvalidEnvironment, load_document
from hyperpod_dpd.config.outputs import Outputs
from hyperpod_dpd.document import dump_yaml, read_documents
from hyperpod_dpd.iec.coercion import coerce
from hyperpod_dpd.iec.endpoint import KIND
from hyperpod_dpd.iec.identity import identify
from hyperpod_dpd.importing.endpoint import UNKNOWN_MODEL_CONFIG, endpoint_section
from hyperpod_dpd.importing.residue import residue

_SERVER_ANNOTATIONS = frozenset({"kubectl.kubernetes.io/last-applied-configuration", names.WAVE_ANNOTATION})
_OUR_LABELS = frozenset({"app.kubernetes.io/managed-by", "app.kubernetes.io/part-of"})
_STAND_IN_GEOMETRY = {
    "layers": 1,
    "attention_heads": 8,
    "kv_heads": 8,
    "head_dim": 128,
    "parameters_billion": 1,
}
_DEFAULT_REGION = "us-west-2"
_MOST_REFUSALS = 5
_SECTION_DEPTH = 3
"""A path below ``endpoints.NAME.KEY`` names a part of the section; a shorter one the section or a whole key."""


class NotImportable(ValueError):
    """An object that leads to no fragment; the text says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """``fragment`` holds endpoints, their instance groups and overrides; ``outputs`` late-bound facts.

    ``overridden`` are paths of the manifest for which the document has no key of its own; ``notes`` say what
    was left out, or what only the user knows.
    """

    name: str
    fragment: dict[str, Any]
    outputs: dict[str, str]
    overridden: tuple[str, ...]
    notes: tuple[str, ...]
    stand_ins: frozenset[str] = frozenset()
    """Instance groups that the manifest does not name, so that they may be called anything."""


def import_endpoint(value: Any) -> Imported:
    """Raises NotImportable for what is no InferenceEndpointConfig v1, or what no document can hold."""
    identity = identify(value)
    if not identity.is_endpoint or identity.kind.value != "endpoint":
        raise NotImportable(f"{identity.message or 'is of another kind'} {identity.fix}".strip())
    manifest, notes = _cleaned(coerce(value))
    if not manifest.get("metadata", {}).get("name") or not isinstance(manifest.get("spec"), dict):
        raise NotImportable("the object has no metadata.name or no spec")
    groups = _groups(manifest)
    name = manifest["metadata"]["name"]
    section = endpoint_section(manifest, groups)
    outputs = _outputs(manifest)
    fragment: dict[str, Any] = {
        "cluster": {"instance_groups": _instance_groups(manifest, groups, notes)},
        "endpoints": {name: section},
    }
    made = _rendered(name, fragment, outputs, _region(section), notes)
    operations = residue(made, manifest)
    for operation in operations:
        apply(made, operation)
    if operations:
        target = {"kind": KIND, "name": name, "namespace": section.get("namespace")}
        fragment["overrides"] = [{**target, "patch": operations}]
    if section["model"].get("config") == UNKNOWN_MODEL_CONFIG:
        notes.append(
            f"no model of the catalogue is meant by modelName '{section['model']['name']}': "
            f"put its config.json at {UNKNOWN_MODEL_CONFIG}, or write 'catalogue' or 'geometry' instead"
        )
    if outputs:
        notes.append(
            f"autoscaling asks {outputs['prometheus_url']}: 'prometheus_url' of environments/outputs/ENVIRONMENT.yaml"
        )
    return Imported(
        name=name,
        fragment=fragment,
        outputs=outputs,
        overridden=tuple(dict.fromkeys(_dotted(operation["path"]) for operation in operations)),
        notes=tuple(notes),
        stand_ins=frozenset(groups.values()) - _named_groups(manifest),
    )


def merged_fragment(imported: list[Imported]) -> dict[str, Any]:
    """One fragment of several; a group that several endpoints name has room for all of them.

    Raises NotImportable for two endpoints of one name, and for a group that would be of two instance types.
    """
    groups: dict[str, Any] = {}
    endpoints: dict[str, Any] = {}
    overrides: list[Any] = []
    for each in sorted(imported, key=lambda each: bool(each.stand_ins)):
        section = each.fragment["endpoints"][each.name]
        if each.name in endpoints:
            raise NotImportable(f"two endpoints are named '{each.name}'; an environment names each once")
        for name, group in each.fragment["cluster"]["instance_groups"].items():
            chosen = _free_group(name, group, groups, stand_in=name in each.stand_ins)
            for role in ("prefill", "decode"):
                if section[role]["instance_group"] == name:
                    section = {**section, role: {**section[role], "instance_group": chosen}}
            before = groups.get(chosen, {"count": 0})["count"]
            groups[chosen] = {**group, "count": group["count"] + before}
        endpoints[each.name] = section
        overrides += each.fragment.get("overrides", [])
    order = {each.name: endpoints[each.name] for each in imported}
    result: dict[str, Any] = {"cluster": {"instance_groups": groups}, "endpoints": order}
    return {**result, "overrides": overrides} if overrides else result


def _free_group(name: str, group: dict[str, Any], groups: dict[str, Any], *, stand_in: bool) -> str:
    """``name``, or one that says the instance type where other endpoints' group of that name has another."""
    kind = group["instance_type"]
    if groups.get(name, group)["instance_type"] == kind:
        return name
    if not stand_in:
        other = groups[name]["instance_type"]
        raise NotImportable(f"instance group '{name}' is {kind} for one endpoint and {other} for another")
    return f"{name}-{kind.removeprefix('ml.').replace('.', '-')}"


def _cleaned(manifest: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Without what the server or our own rendering writes."""
    notes = []
    fields = manifest_fields.root().fields["metadata"].fields
    of_server = fields.keys() - {"name", "namespace", "labels", "annotations"}
    metadata = {k: v for k, v in manifest.get("metadata", {}).items() if k not in of_server}
    for key, dropped in (("annotations", _SERVER_ANNOTATIONS), ("labels", _OUR_LABELS)):
        kept = {k: v for k, v in metadata.pop(key, {}).items() if k not in dropped}
        if kept:
            metadata[key] = kept
    if "namespace" not in metadata and metadata.get("name"):
        metadata["namespace"] = "default"
        notes.append("the manifest names no namespace: 'default' is taken")
    if "status" in manifest:
        notes.append("status is left out: the operator writes it")
    return {**{k: v for k, v in manifest.items() if k != "status"}, "metadata": metadata}, notes


def _named_groups(manifest: dict[str, Any]) -> set[str]:
    pd = manifest["spec"].get("pdSpec") or {}
    selectors = [pd.get(key, {}).get("nodeSelector", {}) for key in ("prefillSpec", "decodingSpec")]
    return {
        str(each[names.INSTANCE_GROUP_LABEL]) for each in selectors if each.get(names.INSTANCE_GROUP_LABEL)
    }


def _groups(manifest: dict[str, Any]) -> dict[str, str]:
    pd = manifest["spec"].get("pdSpec") or {}
    found = {}
    for role, key in (("prefill", "prefillSpec"), ("decode", "decodingSpec")):
        named = pd.get(key, {}).get("nodeSelector", {}).get(names.INSTANCE_GROUP_LABEL)
        found[role] = str(named) if named else role if pd else "workers"
    return found


def _instance_groups(manifest: dict[str, Any], groups: dict[str, str], notes: list[str]) -> dict[str, Any]:
    spec = manifest["spec"]
    kind = spec.get("instanceType") or next(iter(spec.get("instanceTypes") or []), None)
    if kind is None:
        kind = next(each.name for each in instance_types.all() if each.gpus)
        notes.append(f"the manifest names no instance type: {kind} stands in for it")
    pd = spec.get("pdSpec") or {}
    counts = {
        "prefill": int(pd.get("prefillSpec", {}).get("replicas", 1)),
        "decode": int(pd.get("decodingSpec", {}).get("replicas", 1)),
    }
    if not pd:
        counts = {"prefill": int(spec.get("replicas", 1)), "decode": 0}
    result: dict[str, Any] = {}
    for role, group in groups.items():
        before = result.get(group, {"count": 0})["count"]
        result[group] = {"instance_type": kind, "count": before + counts[role]}
    notes.append("counts of instance groups are those of the replicas: correct them where nodes are shared")
    return result


def _outputs(manifest: dict[str, Any]) -> dict[str, str]:
    scaling = (manifest["spec"].get("pdSpec") or {}).get("autoScalingSpec", {})
    for part in scaling.values():
        url = part.get("prometheusTrigger", {}).get("serverAddress")
        if url:
            return {"prometheus_url": url}
    return {}


def _region(section: dict[str, Any]) -> str:
    given = section["model"]["weights"].get("s3", {}).get("region")
    known = regions.get(given) if isinstance(given, str) else None
    return known.name if known and len(known.zone_ids) > 1 else _DEFAULT_REGION


def _rendered(
    name: str, fragment: dict[str, Any], outputs: dict[str, str], region: str, notes: list[str]
) -> dict[str, Any]:
    """The manifest that the fragment leads to; a value that the document refuses is taken out of the fragment.

    Raises NotImportable with the faults that remain.
    """
    first = ""
    for _ in range(_MOST_REFUSALS):
        try:
            return _try(name, fragment, outputs, region)
        except InvalidEnvironment as error:
            faults = "; ".join(f"{_dotted_path(fault.path)}: {fault.message}" for fault in error.faults)
            first = first or faults
            if not all(_take_out(fragment, fault.path) for fault in error.faults):
                raise NotImportable(f"a document cannot hold it: {first}") from None
            notes.append(f"the document refuses, so an override keeps: {faults}")
    raise NotImportable(f"a document cannot hold it: {first}")


def _take_out(fragment: dict[str, Any], path: tuple[str | int, ...]) -> bool:
    """Removes an optional value of the endpoint's section; False for what is not one."""
    if len(path) <= _SECTION_DEPTH or path[0] != "endpoints":
        return False
    value: Any = fragment
    for part in path[:-1]:
        if not isinstance(value, dict) or part not in value:
            return False
        value = value[part]
    return isinstance(value, dict) and value.pop(path[-1], None) is not None


def _try(name: str, fragment: dict[str, Any], outputs: dict[str, str], region: str) -> dict[str, Any]:
    """The manifest that the fragment leads to. Raises InvalidEnvironment."""
    from hyperpod_dpd.blueprint.resolve import resolve

    known = regions.get(region)
    assert known is not None
    section = fragment["endpoints"][name]
    model = section["model"]
    if model.get("config") == UNKNOWN_MODEL_CONFIG:
        model = {k: v for k, v in model.items() if k != "config"} | {"geometry": _STAND_IN_GEOMETRY}
    whole = {
        "account": "111122223333",
        "region": region,
        "network": {
            "control_plane_zones": list(known.zone_ids[:2]),
            "accelerator_zones": [known.zone_ids[0]],
        },
        **fragment,
        "endpoints": {name: {**section, "model": model}},
    }
    [document] = read_documents(dump_yaml(whole).encode(), "fragment")
    loaded = load_document(document, Path("/nowhere/import.yaml"))
    if outputs:
        loaded = replace(loaded, outputs=Outputs.model_validate(outputs))
    [plan] = resolve(loaded).endpoints
    made = plan.whole()
    assert made is not None
    return made


def _dotted(pointer: str) -> str:
    return ".".join(part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:])


def _dotted_path(path: tuple[str | int, ...]) -> str:
    return ".".join(map(str, path))
