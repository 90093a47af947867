"""Endpoints: every count, size, flag and variable that the manifest needs, derived from the document."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.models import ModelPlan, plan_model, plan_source
from hyperpod_dpd.blueprint.note import Note
from hyperpod_dpd.blueprint.patching import patched
from hyperpod_dpd.blueprint.registry import worker_image
from hyperpod_dpd.blueprint.watching import ObjectivesPlan
from hyperpod_dpd.blueprint.workers import (
    RolePlan,
    as_one,
    pd_buffer_bytes,
    plan_workers,
    variables,
)
from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.config.endpoint import Objectives
from hyperpod_dpd.iec.copied import to_manifest
from hyperpod_dpd.iec.endpoint import Endpoint
from hyperpod_dpd.iec.releases import prune

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.apps import PatchPlan
    from hyperpod_dpd.blueprint.groups import InstanceGroupPlan
    from hyperpod_dpd.config import LoadedEnvironment
    from hyperpod_dpd.config import endpoint as config

_ANOTHER = re.compile(r";(?=\s*DPD\d)")


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointPlan:
    """One endpoint: the typed manifest the operator gets and the facts it was derived from.

    ``arguments`` of each RolePlan are effective, after the operator's merge. ``pd_buffer_bytes`` is
    whole pages per rank when the geometry is known.
    """

    name: str
    namespace: str
    topology: Literal["disaggregated", "colocated"]
    zone_id: str
    manifest: Endpoint | None
    model: ModelPlan
    roles: tuple[RolePlan, ...]
    tensor_parallel_size: int
    max_model_len_tokens: int | None
    pd_buffer_bytes: int | None
    routing_threshold_tokens: int
    image: str
    operator_release: str
    acknowledge: Mapping[str, str]
    objectives: ObjectivesPlan = field(default_factory=ObjectivesPlan)
    patches: tuple[PatchPlan, ...] = ()

    @property
    def app(self) -> str:
        return names.endpoint_app(self.name)

    def whole(self) -> dict[str, Any] | None:
        """The manifest with the document's overrides, as rules judge it; None when left out."""
        if self.manifest is None:
            return None
        manifest = self.manifest.manifest()
        return patched(manifest, self.patches) if self.patches else manifest

    def rendered(self) -> dict[str, Any] | None:
        """The manifest without any field that this operator release would drop; None when left out."""
        whole = self.whole()
        return prune(whole, self.operator_release) if whole is not None else None

    def role(self, role: str) -> RolePlan | None:
        return next((r for r in self.roles if r.role == role), None)


def plan_endpoint(
    loaded: LoadedEnvironment,
    name: str,
    *,
    groups: Mapping[str, InstanceGroupPlan],
    model_bucket: str,
    patches: tuple[PatchPlan, ...] = (),
) -> tuple[EndpointPlan, list[Note]]:
    """One endpoint, and a note for each part that had to be left out."""
    environment = loaded.environment
    endpoint = environment.endpoints[name]
    disaggregated = endpoint.topology == "disaggregated"
    notes = _unrendered(loaded, name, endpoint)
    acknowledge = {**environment.acknowledge, **endpoint.acknowledge}
    deployments = (names.prefill_deployment(name), names.decode_deployment(name))
    model_path = engine_defaults.documented().model_mount_path
    tensor_parallel, arguments, prefill, decode = plan_workers(
        endpoint, groups, deployments, model_path=model_path, prometheus_url=loaded.outputs.prometheus_url
    )
    source = plan_source(loaded, name, endpoint.model.weights, model_bucket)
    model = plan_model(loaded, endpoint, tensor_parallel_size=tensor_parallel)
    buffer = pd_buffer_bytes(endpoint, model.page_bytes) if disaggregated else None
    environment_variables = variables(endpoint, buffer)
    image = worker_image(loaded, endpoint.image or environment.images.worker)
    copied = to_manifest(endpoint)
    if isinstance(source, Note):
        manifest, notes = None, [source, *notes]
    else:
        manifest = Endpoint(
            name=name,
            namespace=endpoint.namespace,
            endpoint_name=name if endpoint.endpoint_name is None else endpoint.endpoint_name,
            model_name=model.name,
            instance_type=prefill.instance_type,
            alternatives=_alternatives(groups[prefill.group], groups[decode.group]),
            copied=copied,
            source=source,
            image=image,
            arguments=arguments,
            environment=environment_variables,
            port=endpoint.port,
            model_path=model_path,
            resources=prefill.manifest.resources,
            replicas=1 if disaggregated else prefill.replicas + decode.replicas,
            prefill=prefill.manifest if disaggregated else None,
            decode=decode.manifest if disaggregated else None,
            certificate=_certificate(endpoint),
            annotations=_annotations(model, acknowledge),
        )
    return EndpointPlan(
        name=name,
        namespace=endpoint.namespace,
        topology=endpoint.topology,
        zone_id=prefill.zone_id,
        manifest=manifest,
        model=model,
        roles=(prefill, decode) if disaggregated else (as_one(prefill, decode),),
        tensor_parallel_size=tensor_parallel,
        max_model_len_tokens=endpoint.engine.max_model_len_tokens,
        pd_buffer_bytes=buffer,
        routing_threshold_tokens=endpoint.routing.threshold_tokens,
        image=image,
        operator_release=environment.operator.release,
        acknowledge=acknowledge,
        patches=patches,
        objectives=_objectives(endpoint),
    ), notes


def _unrendered(loaded: LoadedEnvironment, name: str, endpoint: config.Endpoint) -> list[Note]:
    """What was asked for and cannot be rendered."""
    notes = []
    scaled = [role for role in ("prefill", "decode") if getattr(endpoint, role).autoscaling]
    if scaled and endpoint.topology == "disaggregated" and loaded.outputs.prometheus_url is None:
        message = (
            f"autoscaling of {' and '.join(scaled)} is left out: the URL of the Prometheus workspace is not known "
            f"yet; deploy the observability stack, then run `dpd outputs pull {loaded.name}`"
        )
        notes.append(Note(subject=f"endpoints.{name}.autoscaling", message=message))
    if scaled and endpoint.topology == "colocated":
        message = "autoscaling of its roles is left out: a colocated endpoint has none"
        notes.append(Note(subject=f"endpoints.{name}.autoscaling", message=message))
    if endpoint.benchmark and not endpoint.invocation_path.strip("/").endswith("chat/completions"):
        message = (
            "its benchmark sends chat completions, the only kind that genai-bench knows, and not "
            f"{endpoint.invocation_path}"
        )
        notes.append(Note(subject=f"endpoints.{name}.benchmark", message=message))
    return notes


def _objectives(endpoint: config.Endpoint) -> ObjectivesPlan:
    given = endpoint.objectives or Objectives()
    latency, first = given.inter_token_latency_p99_ms, given.time_to_first_token_p95_ms
    failed = given.failed_requests_percent
    return ObjectivesPlan(
        inter_token_latency_p99_seconds=latency / 1000 if latency else None,
        time_to_first_token_p95_seconds=first / 1000 if first else None,
        failed_requests_share=round(failed / 100, 6) if failed else None,
        around_the_clock=bool(endpoint.traffic and endpoint.traffic.around_the_clock),
    )


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


def _alternatives(*groups: InstanceGroupPlan) -> tuple[str, ...]:
    """Further types of the roles' groups: the endpoint has one list for both."""
    if not any(group.alternatives for group in groups):
        return ()
    named = [kind for group in groups for kind in (group.instance_type, *group.alternatives)]
    return tuple(kind for kind in dict.fromkeys(named) if kind != groups[0].instance_type)
