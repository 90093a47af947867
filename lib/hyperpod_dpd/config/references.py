"""What one key of an environment says of another: names that must exist, choices that exclude each other."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path as FilePath
from typing import TYPE_CHECKING
from unicodedata import category

from hyperpod_dpd.catalog import models
from hyperpod_dpd.config.closeness import closest, use_one_of
from hyperpod_dpd.config.fault import Complaint, Fault, Misspelt, faults_of
from hyperpod_dpd.document import Document, Path

if TYPE_CHECKING:
    from hyperpod_dpd.config.endpoint import Endpoint
    from hyperpod_dpd.config.environment import Environment

LIFECYCLE_ENTRYPOINT = "on_create.sh"  # the blueprint's name for it; config stands below the blueprint
ENVIRONMENT_TAG = "dpd:environment"  # the blueprint's as well
_TAG_MARKS = "_.:/=+-@"
QUARTERS_FOR_ACCELERATORS = 3  # of network.cidr; the first quarter holds the small subnets


def reference_faults(environment: Environment, document: Document, folder: FilePath) -> list[Fault]:
    """Every name that points nowhere and every choice that is not one."""
    complaints = [
        *_addresses(environment),
        *_groups(environment),
        *_names_aws_keeps(environment),
        *_existing_network(environment),
        *_storage(environment),
        *_files(environment, folder),
    ]
    for name, endpoint in environment.endpoints.items():
        complaints += _endpoint(environment, name, endpoint)
    return faults_of(document, complaints)


def _addresses(environment: Environment) -> Iterator[Complaint]:
    ranges: list[tuple[Path, str]] = [(("network", "cidr"), environment.network.cidr)]
    ranges += [
        (("network", "secondary_cidrs", i), cidr)
        for i, cidr in enumerate(environment.network.secondary_cidrs)
    ]
    networks: list[ipaddress.IPv4Network] = []
    for path, cidr in ranges:
        network = ipaddress.IPv4Network(cidr)
        clash = next((n for n in networks if n.overlaps(network)), None)
        if clash:
            yield path, f"'{cidr}' overlaps {clash}", "choose ranges that do not overlap"
        networks.append(network)


def _groups(environment: Environment) -> Iterator[Complaint]:
    zones = [zone.id for zone in environment.network.accelerator_zones]
    for index, zone in enumerate(zones):
        if zone in zones[:index]:
            path: Path = ("network", "accelerator_zones", index)
            yield path, f"'{zone}' is listed twice", "list each zone once"
    control = environment.network.control_plane_zones
    if len(set(control)) < len(control):
        path = ("network", "control_plane_zones")
        yield path, "a zone is listed twice; EKS wants at least two different ones", "list each zone once"
    places = QUARTERS_FOR_ACCELERATORS + len(environment.network.secondary_cidrs)
    for index, accelerator in enumerate(environment.network.accelerator_zones):
        if index >= places and accelerator.cidr is None and environment.network.existing is None:
            path = ("network", "accelerator_zones", index)
            yield (
                path,
                f"no room for a subnet of zone number {index + 1}",
                "give it a cidr, or add a secondary_cidr",
            )
    for name, group in environment.cluster.instance_groups.items():
        path = ("cluster", "instance_groups", name)
        if group.zone is not None and group.zone not in zones:
            yield (
                (*path, "zone"),
                f"'{group.zone}' is not among network.accelerator_zones ({', '.join(zones)})",
                "add the zone there or name one of them",
            )
        if group.zone is None and len(zones) > 1:
            yield path, f"no 'zone', and there are {len(zones)} accelerator zones", f"add 'zone: {zones[0]}'"
        if group.max_count is not None and group.max_count < group.count:
            yield (*path, "max_count"), f"{group.max_count} is less than count ({group.count})", "raise it"
        if group.min_count is not None and group.min_count > group.count:
            yield (*path, "min_count"), f"{group.min_count} is more than count ({group.count})", "lower it"
        plan = group.capacity.kind == "training-plan"
        if plan != (group.capacity.training_plan_arn is not None):
            yield (
                (*path, "capacity"),
                "'training_plan_arn' and kind 'training-plan' belong together",
                "write capacity: {kind: training-plan, training_plan_arn: arn:...}",
            )


def _names_aws_keeps(environment: Environment) -> Iterator[Complaint]:
    keys = list(environment.tags)
    for index, key in enumerate(keys):
        if key.lower().startswith("aws:"):
            yield ("tags", key), f"'{key}' begins with 'aws:', which AWS keeps for itself", "rename the tag"
        elif key.lower() == ENVIRONMENT_TAG:
            yield ("tags", key), f"'{key}' is the tag by which budgets and costs know us", "rename the tag"
        elif twin := next((k for k in keys[:index] if k.lower() == key.lower()), None):
            yield ("tags", key), f"IAM takes '{key}' and '{twin}' for the same tag", "keep one of them"
        odd = [c for c in key + environment.tags[key] if category(c)[0] not in "LNZ" and c not in _TAG_MARKS]
        if odd:
            yield ("tags", key), f"AWS takes no '{odd[0]}' (U+{ord(odd[0]):04X}) in a tag", "remove it"
    roles = environment.cluster.admin_role_arns
    for index, role in enumerate(roles):
        if role in roles[:index]:
            yield ("cluster", "admin_role_arns", index), f"'{role}' is listed twice", "list each role once"


def _existing_network(environment: Environment) -> Iterator[Complaint]:
    existing = environment.network.existing
    if existing is None:
        return
    for zone in environment.network.control_plane_zones:
        if zone not in existing.control_plane_subnets:
            path: Path = ("network", "existing", "control_plane_subnets")
            yield path, f"no subnet for control-plane zone '{zone}'", f"add '{zone}: subnet-...'"


def _storage(environment: Environment) -> Iterator[Complaint]:
    system = environment.storage.file_system
    zones = [zone.id for zone in environment.network.accelerator_zones]
    if system is None:
        return
    path: Path = ("storage", "file_system")
    if system.zone is not None and system.zone not in zones:
        yield (*path, "zone"), f"'{system.zone}' is not an accelerator zone", f"use {', '.join(zones)}"
    if system.zone is None and len(zones) > 1:
        yield path, "no 'zone', and there are several accelerator zones", f"add 'zone: {zones[0]}'"


def _files(environment: Environment, folder: FilePath) -> Iterator[Complaint]:
    scripts = environment.cluster.lifecycle_scripts
    if scripts is not None and not _is_there(folder / scripts, FilePath.is_dir):
        path: Path = ("cluster", "lifecycle_scripts")
        yield path, f"there is no folder '{scripts}' beside this file", "correct the path"
    elif scripts is not None and not _is_there(folder / scripts / LIFECYCLE_ENTRYPOINT, FilePath.is_file):
        path = ("cluster", "lifecycle_scripts")
        yield (
            path,
            f"the folder '{scripts}' has no {LIFECYCLE_ENTRYPOINT}, which nodes run",
            "add that script",
        )
    for name, endpoint in environment.endpoints.items():
        for keys, file in (
            (("model", "config"), endpoint.model.config),
            (("traffic", "trace"), endpoint.traffic.trace if endpoint.traffic else None),
        ):
            if file is not None and not _is_there(folder / file, FilePath.is_file):
                path = ("endpoints", name, *keys)
                yield path, f"there is no file '{file}' beside this file", "correct the path"


def _is_there(path: FilePath, of_kind: Callable[[FilePath], bool]) -> bool:
    try:
        return of_kind(path)
    except (OSError, ValueError):  # such as a name that no file system holds
        return False


def _endpoint(environment: Environment, name: str, endpoint: Endpoint) -> Iterator[Complaint]:
    base: Path = ("endpoints", name)
    groups = environment.cluster.instance_groups
    for role_name, role in (("prefill", endpoint.prefill), ("decode", endpoint.decode)):
        if role.instance_group not in groups:
            yield Misspelt(
                (*base, role_name, "instance_group"),
                f"the cluster has no instance group '{role.instance_group}'",
                use_one_of(role.instance_group, groups),
                closest(role.instance_group, groups),
            )
    for direction in ("input_tokens", "output_tokens"):
        lengths = getattr(endpoint.traffic, direction, None)
        given = lengths.model_dump(exclude_none=True) if lengths else {}
        for (lower, few), (higher, many) in pairwise(given.items()):
            if many < few:
                yield (
                    (*base, "traffic", direction, higher),
                    f"{many} is less than {lower} ({few})",
                    "percentiles grow: correct one of the two",
                )
    model = endpoint.model
    ways = [model.catalogue, model.config, model.geometry]
    if sum(way is not None for way in ways) != 1:
        yield (
            (*base, "model"),
            "exactly one of 'catalogue', 'config' and 'geometry' says what the model is",
            "keep one of them",
        )
    if model.catalogue is not None:
        if models.get(model.catalogue) is None:
            keys = [known.key for known in models.all()]
            yield Misspelt(
                (*base, "model", "catalogue"),
                f"the catalogue has no model '{model.catalogue}'",
                f"{use_one_of(model.catalogue, keys)} A model of your own is described by 'config' or 'geometry'",
                closest(model.catalogue, keys),
            )
    elif model.name is None:
        yield (*base, "model"), "'name' is missing; only a catalogue model brings its own", "add 'name:'"
    weights = model.weights
    places = [weights.s3, weights.fsx, weights.hugging_face, weights.volume]
    if sum(place is not None for place in places) != 1:
        yield (
            (*base, "model", "weights"),
            "exactly one of 's3', 'fsx', 'hugging_face' and 'volume' says where the weights are",
            "keep one of them",
        )
    if weights.fsx and not weights.fsx.file_system_id and environment.storage.file_system is None:
        yield (
            (*base, "model", "weights", "fsx"),
            "names no file system, and the environment has none",
            "add 'storage: {file_system: {}}' or give file_system_id",
        )
