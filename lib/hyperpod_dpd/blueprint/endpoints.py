"""Endpoints: every count, size, flag and variable that the manifest needs, derived from the document."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.engine import as_items, pd_buffer_bytes, shared_arguments, variables
from hyperpod_dpd.blueprint.groups import zone_of
from hyperpod_dpd.blueprint.model import EndpointPlan, Note, RolePlan
from hyperpod_dpd.blueprint.models import plan_model
from hyperpod_dpd.blueprint.registry import with_digest
from hyperpod_dpd.blueprint.scaling import plan_autoscaling, unrendered
from hyperpod_dpd.blueprint.stores import BucketPlan
from hyperpod_dpd.blueprint.watching import ObjectivesPlan
from hyperpod_dpd.blueprint.weights import plan_source
from hyperpod_dpd.catalog import engine_defaults, instance_types, worker_images
from hyperpod_dpd.iec.argument_reading import parse_arguments
from hyperpod_dpd.iec.arguments import merge
from hyperpod_dpd.iec.copied import to_manifest
from hyperpod_dpd.iec.endpoint import Endpoint, Resources, Role

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.apps import PatchPlan
    from hyperpod_dpd.blueprint.model import ModelPlan
    from hyperpod_dpd.config import LoadedEnvironment
    from hyperpod_dpd.config import endpoint as config
    from hyperpod_dpd.config.images import WorkerImage

_ANOTHER = re.compile(r";(?=\s*DPD\d)")
NODE_SHARE = 2
"""A worker pod asks for one half of its GPUs' share of the node's CPU and memory, as AWS's example does."""


def plan_endpoint(
    loaded: LoadedEnvironment,
    name: str,
    endpoint: config.Endpoint,
    buckets: BucketPlan,
    patches: tuple[PatchPlan, ...] = (),
) -> tuple[EndpointPlan, list[Note]]:
    """One endpoint, and a note for each part that had to be left out."""
    environment = loaded.environment
    release = environment.operator.release
    source, notes = plan_source(loaded, name, endpoint, buckets)
    tensor_parallel = endpoint.engine.tensor_parallel_size or _gpus(loaded, endpoint.prefill)
    model = plan_model(loaded, endpoint, tensor_parallel_size=tensor_parallel)
    disaggregated = endpoint.topology == "disaggregated"
    buffer = pd_buffer_bytes(endpoint, model) if disaggregated else None
    image = image_reference(endpoint.image or environment.images.worker, loaded)
    model_path = engine_defaults.documented().model_mount_path
    shared = shared_arguments(endpoint, tensor_parallel, model_path)
    prefill = _role(loaded, "prefill", endpoint.prefill, shared)
    decode = _role(loaded, "decode", endpoint.decode, shared)
    resources = _resources(loaded, endpoint.prefill)
    acknowledge = {**environment.acknowledge, **endpoint.acknowledge}
    manifest = (
        None
        if source is None
        else Endpoint(
            name=name,
            namespace=endpoint.namespace,
            endpoint_name=name if endpoint.endpoint_name is None else endpoint.endpoint_name,
            model_name=model.name,
            instance_type=prefill.instance_type,
            alternatives=_alternatives(loaded, prefill, decode),
            copied=to_manifest(endpoint),
            source=source,
            image=image,
            arguments=shared,
            environment=variables(endpoint, buffer),
            port=endpoint.port,
            model_path=model_path,
            resources=resources,
            replicas=1 if disaggregated else endpoint.prefill.replicas + endpoint.decode.replicas,
            prefill=_manifest_role(loaded, name, endpoint, "prefill") if disaggregated else None,
            decode=_manifest_role(loaded, name, endpoint, "decode") if disaggregated else None,
            certificate=_certificate(endpoint),
            annotations=_annotations(model, acknowledge),
        )
    )
    notes = [*notes, *unrendered(loaded, name, endpoint)]
    roles = (prefill, decode) if disaggregated else (_worker(prefill, decode),)
    return EndpointPlan(
        name=name,
        namespace=endpoint.namespace,
        topology=endpoint.topology,
        zone_id=prefill.zone_id,
        manifest=manifest,
        model=model,
        roles=roles,
        tensor_parallel_size=tensor_parallel,
        max_model_len_tokens=endpoint.engine.max_model_len_tokens,
        pd_buffer_bytes=buffer,
        routing_threshold_tokens=endpoint.routing.threshold_tokens,
        image=image,
        operator_release=release,
        acknowledge=acknowledge,
        patches=patches,
        objectives=_objectives(endpoint),
    ), notes


def _objectives(endpoint: config.Endpoint) -> ObjectivesPlan:
    given = endpoint.objectives
    if given is None:
        return ObjectivesPlan()
    latency, first = given.inter_token_latency_p99_ms, given.time_to_first_token_p95_ms
    return ObjectivesPlan(
        inter_token_latency_p99_seconds=latency / 1000 if latency else None,
        time_to_first_token_p95_seconds=first / 1000 if first else None,
    )


def image_reference(image: WorkerImage, loaded: LoadedEnvironment) -> str:
    """What the pods pull: by digest once pinned (in the document, or in the lock), by tag before."""
    default = worker_images.parse_reference(worker_images.supported()[0].reference)
    repository = image.repository or f"{default.registry}/{default.repository}"
    tag = image.tag or (default.tag if image.repository is None else None)
    tagged = f"{repository}:{tag}" if tag else repository
    return with_digest(loaded, tagged, image.digest)


def _certificate(endpoint: config.Endpoint) -> tuple[str, str] | None:
    tls = endpoint.tls
    return (tls.certificate_arn, tls.domain_name) if tls.certificate_arn and tls.domain_name else None


def acknowledgement_text(acknowledge: dict[str, str]) -> str:
    """Acknowledgements as the one line that the manifest's annotation holds; no reason can begin another."""
    reasons = {rule: _ANOTHER.sub(",", " ".join(reason.split())) for rule, reason in acknowledge.items()}
    return "; ".join(f"{rule}: {reason}" for rule, reason in sorted(reasons.items()))


def _annotations(model: ModelPlan, acknowledge: dict[str, str]) -> dict[str, str]:
    annotations = {}
    if acknowledge:
        annotations[names.ACKNOWLEDGE_ANNOTATION] = acknowledgement_text(acknowledge)
    if model.key:
        annotations[names.MODEL_ANNOTATION] = model.key
    return annotations


def _alternatives(loaded: LoadedEnvironment, *roles: RolePlan) -> tuple[str, ...]:
    """Further types of the roles' groups: the endpoint has one list for both."""
    groups = loaded.environment.cluster.instance_groups
    if not any(groups[role.group].alternatives for role in roles):
        return ()
    named = [kind for role in roles for kind in (role.instance_type, *groups[role.group].alternatives)]
    return tuple(kind for kind in dict.fromkeys(named) if kind != roles[0].instance_type)


def _gpus(loaded: LoadedEnvironment, role: config.Role) -> int:
    group = loaded.environment.cluster.instance_groups[role.instance_group]
    known = instance_types.get(group.instance_type)
    return role.gpus or (known.gpus if known else 0) or 1


def _resources(loaded: LoadedEnvironment, role: config.Role) -> Resources:
    group = loaded.environment.cluster.instance_groups[role.instance_group]
    known = instance_types.get(group.instance_type)
    gpus = _gpus(loaded, role)
    if known is None or not known.gpus:
        return Resources(cpu=role.cpu or "1", memory=role.memory or "1Gi", gpus=gpus, efa_interfaces=0)
    return Resources(
        cpu=role.cpu or str(max(1, known.vcpus * gpus // (known.gpus * NODE_SHARE))),
        memory=role.memory or f"{max(1, int(known.memory_gib) * gpus // (known.gpus * NODE_SHARE))}Gi",
        gpus=gpus,
        efa_interfaces=gpus * (known.efa_interfaces or 0) // known.gpus,
    )


def _role(
    loaded: LoadedEnvironment,
    role: Literal["prefill", "decode"],
    plan: config.Role,
    shared: tuple[str, ...],
) -> RolePlan:
    environment = loaded.environment
    resources = _resources(loaded, plan)
    effective = merge(
        parse_arguments(list(shared), (), origin="worker"),
        parse_arguments(as_items(plan.arguments), (), origin="role"),
    )
    return RolePlan(
        role=role,
        group=plan.instance_group,
        instance_type=environment.cluster.instance_groups[plan.instance_group].instance_type,
        zone_id=zone_of(environment, plan.instance_group),
        replicas=plan.replicas,
        gpus=resources.gpus,
        efa_interfaces=resources.efa_interfaces,
        arguments=tuple(effective.render()),
    )


def _worker(prefill: RolePlan, decode: RolePlan) -> RolePlan:
    return RolePlan(
        role="worker",
        group=prefill.group,
        instance_type=prefill.instance_type,
        zone_id=prefill.zone_id,
        replicas=prefill.replicas + decode.replicas,
        gpus=prefill.gpus,
        efa_interfaces=prefill.efa_interfaces,
        arguments=prefill.arguments,
    )


def _manifest_role(
    loaded: LoadedEnvironment, name: str, endpoint: config.Endpoint, role: Literal["prefill", "decode"]
) -> Role:
    plan = endpoint.prefill if role == "prefill" else endpoint.decode
    return Role(
        replicas=plan.replicas,
        resources=_resources(loaded, plan),
        arguments=tuple(as_items(plan.arguments)),
        node_selector={names.INSTANCE_GROUP_LABEL: plan.instance_group, **plan.node_selector},
        autoscaling=plan_autoscaling(loaded, plan, deployment=f"{role}-{name}", namespace=endpoint.namespace),
    )
