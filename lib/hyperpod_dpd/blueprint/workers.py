"""The workers of an endpoint: where each role stands, what its pods ask for, and what their engine is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from posixpath import dirname
from typing import TYPE_CHECKING, Literal, NamedTuple

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.catalog import engine_defaults, instance_types
from hyperpod_dpd.iec.argument_reading import parse_arguments
from hyperpod_dpd.iec.arguments import merge
from hyperpod_dpd.iec.endpoint import AutoScaling, Resources, Role, SecretReference
from hyperpod_dpd.sizing.pd_buffer import PdBuffer

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.groups import InstanceGroupPlan
    from hyperpod_dpd.config import endpoint as config

RoleName = Literal["prefill", "decode"]
_ROLES: tuple[RoleName, RoleName] = ("prefill", "decode")
NODE_SHARE = 2
"""A worker pod asks for one half of its GPUs' share of the node's CPU and memory, as AWS's example does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RolePlan:
    """One role of an endpoint, bound to an instance group.

    ``arguments`` are effective, after the operator's merge; ``manifest`` holds its own. ``max_replicas`` are those
    that it may be scaled to.
    """

    role: Literal["prefill", "decode", "worker"]
    group: str
    instance_type: str
    zone_id: str
    replicas: int
    max_replicas: int
    arguments: tuple[str, ...]
    manifest: Role

    @property
    def gpus(self) -> int:
        return self.manifest.resources.gpus

    @property
    def efa_interfaces(self) -> int:
        return self.manifest.resources.efa_interfaces


class Workers(NamedTuple):
    """Both roles, and what they share: ``arguments`` and the number of GPUs that one model copy takes."""

    tensor_parallel_size: int
    arguments: tuple[str, ...]
    prefill: RolePlan
    decode: RolePlan


def plan_workers(
    endpoint: config.Endpoint,
    groups: Mapping[str, InstanceGroupPlan],
    deployments: tuple[str, str],
    *,
    model_path: str,
    prometheus_url: str | None,
) -> Workers:
    """Each role on its group. ``deployments`` are their names; without ``prometheus_url`` nothing scales."""
    first = endpoint.prefill
    tensor_parallel = endpoint.engine.tensor_parallel_size or _gpus(first, groups[first.instance_group])
    shared = _shared_arguments(endpoint, tensor_parallel, model_path)
    prefill, decode = (
        _role(name, given, groups, shared, _scaling(given, prometheus_url, endpoint.namespace, deployment))
        for name, given, deployment in zip(_ROLES, (first, endpoint.decode), deployments, strict=True)
    )
    return Workers(tensor_parallel, shared, prefill, decode)


def as_one(prefill: RolePlan, decode: RolePlan) -> RolePlan:
    """The workers of a colocated endpoint, which the document still counts as two roles."""
    replicas = prefill.replicas + decode.replicas
    return replace(prefill, role="worker", replicas=replicas, max_replicas=replicas)


def _role(
    role: RoleName,
    given: config.Role,
    groups: Mapping[str, InstanceGroupPlan],
    shared: tuple[str, ...],
    autoscaling: AutoScaling | None,
) -> RolePlan:
    """One role on the nodes of its group; ``shared`` are the arguments of both roles."""
    group = groups[given.instance_group]
    own = _as_items(given.arguments)
    effective = merge(
        parse_arguments(list(shared), (), origin="worker"), parse_arguments(own, (), origin="role")
    )
    scaling = given.autoscaling
    return RolePlan(
        role=role,
        group=group.name,
        instance_type=group.instance_type,
        zone_id=group.zone_id,
        replicas=given.replicas,
        max_replicas=max(given.replicas, scaling.max_replicas) if scaling else given.replicas,
        arguments=tuple(effective.render()),
        manifest=Role(
            replicas=given.replicas,
            resources=_resources(given, group),
            arguments=tuple(own),
            node_selector={names.INSTANCE_GROUP_LABEL: group.name, **given.node_selector},
            autoscaling=autoscaling,
        ),
    )


def _gpus(given: config.Role, group: InstanceGroupPlan) -> int:
    """GPUs of one pod: those of the document, else all of a node."""
    known = instance_types.get(group.instance_type)
    return given.gpus or (known.gpus if known else 0) or 1


def _resources(given: config.Role, group: InstanceGroupPlan) -> Resources:
    known, gpus = instance_types.get(group.instance_type), _gpus(given, group)
    if known is None or not known.gpus:
        return Resources(cpu=given.cpu or "1", memory=given.memory or "1Gi", gpus=gpus, efa_interfaces=0)
    return Resources(
        cpu=given.cpu or str(max(1, known.vcpus * gpus // (known.gpus * NODE_SHARE))),
        memory=given.memory or f"{max(1, int(known.memory_gib) * gpus // (known.gpus * NODE_SHARE))}Gi",
        gpus=gpus,
        efa_interfaces=gpus * (known.efa_interfaces or 0) // known.gpus,
    )


def _scaling(given: config.Role, url: str | None, namespace: str, deployment: str) -> AutoScaling | None:
    """None without the workspace's URL. The default query counts requests that wait at this role."""
    scaling = given.autoscaling
    if scaling is None or url is None:
        return None
    waiting = f'sum(vllm:num_requests_waiting{{namespace="{namespace}",resource_name="{deployment}"}})'
    return AutoScaling(
        min_replicas=scaling.min_replicas,
        max_replicas=scaling.max_replicas,
        query=scaling.query or waiting,
        target_value=scaling.target_value,
        server_address=url.rstrip("/"),
    )


def _shared_arguments(endpoint: config.Endpoint, tensor_parallel: int, model_path: str) -> tuple[str, ...]:
    """Arguments of both roles: what the document says, else what AWS's example sets."""
    engine = endpoint.engine
    utilization = engine.gpu_memory_utilization or engine_defaults.documented().gpu_memory_utilization
    flags: dict[str, config.Argument] = {
        "model": model_path,
        "host": "0.0.0.0",
        "port": endpoint.port,
        "tensor-parallel-size": tensor_parallel,
        "max-model-len": engine.max_model_len_tokens,
        "gpu-memory-utilization": utilization,
        "kv-cache-dtype": engine.kv_cache_dtype,
    }
    given = {flag: value for flag, value in flags.items() if value is not None}
    return tuple(_as_items({**given, **engine.arguments}))


def _as_items(arguments: Mapping[str, config.Argument]) -> list[str]:
    """Each flag and its value as two items; true is a bare flag, false its ``--no-`` form."""
    items: list[str] = []
    for flag, value in arguments.items():
        spelled = f"--{flag.lstrip('-')}"
        if value is False:
            items.append(f"--no-{spelled[2:]}")
        elif value is True or value is None:
            items.append(spelled)
        else:
            items += [spelled, str(value)]
    return items


def variables(endpoint: config.Endpoint, buffer: int | None) -> dict[str, str | SecretReference]:
    """Environment variables of both roles; the document's own replace the derived ones, null removes one."""
    values: dict[str, str | SecretReference] = {"HF_HOME": "/tmp/hf_home"}
    if endpoint.topology == "disaggregated":
        values["PYTHONHASHSEED"] = engine_defaults.documented().python_hash_seed
        values["LMCACHE_SAVE_DECODE_CACHE"] = engine_defaults.documented().save_decode_cache
    if endpoint.metrics.enabled:
        # Without it vLLM starts before LMCache has set a default, and LMCache's series never show up. LMCache's own
        # default is a folder that only LMCache makes; the one above it is there when vLLM starts.
        values["PROMETHEUS_MULTIPROC_DIR"] = dirname(engine_defaults.lmcache().metrics_directory)
    if buffer is not None:
        values["PD_BUFFER_SIZE"] = str(buffer)
    if endpoint.routing.strategy == "session" and endpoint.routing.session_key:
        values[names.SESSION_KEY_VARIABLE] = endpoint.routing.session_key
    for name, value in endpoint.environment_variables.items():
        if value is None:
            values.pop(name, None)
            continue
        values[name] = (
            value if isinstance(value, str) else SecretReference(secret=value.secret, key=value.key)
        )
    return values


def pd_buffer_bytes(endpoint: config.Endpoint, page_bytes: int | None) -> int:
    """What the document says, else the documented default cut to whole pages."""
    if endpoint.cache.pd_buffer_bytes is not None:
        return endpoint.cache.pd_buffer_bytes
    default = engine_defaults.documented().pd_buffer_bytes
    if page_bytes is None:
        return default
    chunk = engine_defaults.lmcache().chunk_tokens
    buffer = PdBuffer(bytes=default, page_bytes=page_bytes, chunk_tokens=chunk)
    return buffer.aligned_bytes or default
