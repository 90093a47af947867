"""Derive what the cluster gets beside its endpoints: guard rails, volumes, secrets, jobs, routes, delivery."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.apps import (
    AppsPlan,
    ClaimPlan,
    DeliveryPlan,
    NamespacePlan,
    PatchPlan,
    PrePullPlan,
    ReleasePlan,
    RoutePlan,
)
from hyperpod_dpd.blueprint.dependencies import plan_dependencies
from hyperpod_dpd.blueprint.endpoints import EndpointPlan
from hyperpod_dpd.blueprint.groups import eks_name
from hyperpod_dpd.blueprint.jobs import plan_benchmarks, plan_staging
from hyperpod_dpd.blueprint.note import Note
from hyperpod_dpd.blueprint.stores import BucketPlan
from hyperpod_dpd.catalog import regions, tools
from hyperpod_dpd.iec.endpoint import KIND

if TYPE_CHECKING:
    from hyperpod_dpd.config import LoadedEnvironment
    from hyperpod_dpd.config.environment import Environment

_EVERY_CLUSTER_HAS = frozenset({"default", "kube-system", "kube-public", "kube-node-lease"})
_SURGE = 4
"""A Deployment's rolling update starts a quarter of its replicas more, rounded up."""


def plan_apps(
    loaded: LoadedEnvironment,
    endpoints: tuple[EndpointPlan, ...],
    patches: tuple[PatchPlan, ...],
    buckets: BucketPlan,
) -> AppsPlan:
    """Every app of the environment but its endpoints."""
    environment = loaded.environment
    chart, notes = _chart(loaded, buckets.tls)
    return AppsPlan(
        namespaces=tuple(_namespaces(loaded, endpoints)),
        platform=environment.platform,
        claims=tuple(_claims(loaded)),
        pre_pull=tuple(_pre_pull(endpoints)) if environment.platform.pre_pull else (),
        secrets=environment.secrets,
        staging=tuple(plan_staging(loaded, bucket=buckets.models)),
        benchmarks=tuple(plan_benchmarks(loaded, endpoints, bucket=buckets.models)),
        routes=tuple(_routes(loaded, endpoints)),
        chart=chart,
        dependencies=plan_dependencies(loaded),
        delivery=_delivery(loaded),
        patches=patches,
        notes=tuple(notes),
    )


def plan_patches(environment: Environment) -> Iterator[PatchPlan]:
    """The document's overrides, in its order."""
    for index, override in enumerate(environment.overrides):
        yield PatchPlan(
            kind=override.kind,
            name=override.name,
            namespace=override.namespace,
            operations=tuple(
                {
                    "op": patch.op,
                    "path": patch.path,
                    **({"from": patch.source} if patch.source is not None else {"value": patch.value}),
                }
                for patch in override.patch
            ),
            place=("overrides", index),
        )


def endpoint_patches(patches: tuple[PatchPlan, ...], name: str, namespace: str) -> tuple[PatchPlan, ...]:
    """Those that are for one InferenceEndpointConfig."""
    target = {"kind": KIND, "metadata": {"name": name, "namespace": namespace}}
    return tuple(patch for patch in patches if patch.is_for(target))


def _namespaces(loaded: LoadedEnvironment, endpoints: tuple[EndpointPlan, ...]) -> Iterator[NamespacePlan]:
    quota = loaded.environment.platform.gpu_quota
    used = {endpoint.namespace for endpoint in endpoints}
    used |= {secret.namespace for secret in loaded.environment.secrets.values()}
    for name in sorted(used):
        here = [endpoint for endpoint in endpoints if endpoint.namespace == name]
        yield NamespacePlan(
            name=name,
            gpus=sum(_most_gpus(endpoint) for endpoint in here) if quota and here else None,
            disaggregated=any(endpoint.topology == "disaggregated" for endpoint in here),
            owned=name not in _EVERY_CLUSTER_HAS | {names.OPERATOR_NAMESPACE},
        )


def _most_gpus(endpoint: EndpointPlan) -> int:
    """GPUs of all replicas at their most, and of the surge pods of a rolling update of every role."""
    return sum((role.max_replicas + -(-role.max_replicas // _SURGE)) * role.gpus for role in endpoint.roles)


def _claims(loaded: LoadedEnvironment) -> Iterator[ClaimPlan]:
    seen = set()
    for endpoint in loaded.environment.endpoints.values():
        volume = endpoint.model.weights.volume
        if volume and volume.host_path and (endpoint.namespace, volume.claim) not in seen:
            seen.add((endpoint.namespace, volume.claim))
            yield ClaimPlan(
                name=volume.claim,
                namespace=endpoint.namespace,
                size_gib=volume.size_gib,
                host_path=volume.host_path,
            )
    system, known = loaded.environment.storage.file_system, loaded.outputs.file_system
    if system is None or known is None or known.dns_name is None or known.mount_name is None:
        return
    for namespace in sorted({endpoint.namespace for endpoint in loaded.environment.endpoints.values()}):
        yield ClaimPlan(
            name=names.FILE_SYSTEM_CLAIM,
            namespace=namespace,
            size_gib=system.capacity_gib,
            file_system_id=known.id,
            dns_name=known.dns_name,
            mount_name=known.mount_name,
        )


def _pre_pull(endpoints: tuple[EndpointPlan, ...]) -> Iterator[PrePullPlan]:
    groups: dict[str, dict[str, None]] = {}
    for endpoint in endpoints:
        for role in endpoint.roles:
            groups.setdefault(endpoint.image, {})[role.group] = None
    for image, used in groups.items():
        yield PrePullPlan(image=image, groups=tuple(sorted(used)))


def _routes(loaded: LoadedEnvironment, endpoints: tuple[EndpointPlan, ...]) -> Iterator[RoutePlan]:
    by_name = {endpoint.name: endpoint for endpoint in endpoints}
    for name, route in loaded.environment.routes.items():
        # A name that points nowhere is a fault of the document, which is told beside what the rest leads to.
        chosen = [by_name[endpoint] for endpoint in route.weights if endpoint in by_name]
        documents = [loaded.environment.endpoints[plan.name] for plan in chosen]
        if not documents:
            continue
        yield RoutePlan(
            name=name,
            backends=tuple(
                (names.routing_service(plan.name, plan.namespace), route.weights[plan.name])
                for plan in chosen
            ),
            paths=tuple(dict.fromkeys(f"/{each.invocation_path.strip('/')}" for each in documents)),
            health_check_path=documents[0].load_balancer.health_check_path,
            host=route.host,
            certificate_arn=route.certificate_arn,
            scheme=route.scheme,
            idle_timeout_seconds=route.idle_timeout_seconds,
        )


def _chart(loaded: LoadedEnvironment, tls: str) -> tuple[ReleasePlan | None, list[Note]]:
    """The Helm release, or None and a note when a fact that only a deployment brings is missing."""
    environment, outputs = loaded.environment, loaded.outputs
    if environment.operator.install == "addon":
        return None, []
    chart = environment.operator.chart
    # No interface endpoint of these is known, and the controller would ask them about every ingress.
    unasked = {"enableShield": False, "enableWaf": False, "enableWafv2": False}
    facts = {
        "operator.chart.commit": chart and chart.commit,
        "vpc_id": outputs.vpc_id or (environment.network.existing and environment.network.existing.vpc_id),
        "hyperpod_cluster_arn": outputs.hyperpod_cluster_arn,
        "load_balancer_role_arn": environment.roles.load_balancer or outputs.load_balancer_role_arn,
        "autoscaler_role_arn": environment.roles.keda or outputs.autoscaler_role_arn,
    }
    missing = [name for name, value in facts.items() if not value]
    if chart is None or missing:
        message = (
            f"the operator's Helm release is left out: {', '.join(missing)} not known; "
            f"`dpd outputs pull {loaded.name}` brings what a deployment made"
        )
        return None, [Note(subject="operator.install", message=message)]
    region, cluster = environment.region, eks_name(loaded)
    partition = str(outputs.hyperpod_cluster_arn).split(":")[1]
    role = names.operator_role(loaded.name, region)
    return ReleasePlan(
        release=names.OPERATOR_RELEASE,
        namespace=names.OPERATOR_NAMESPACE,
        repository=chart.repository or str(tools.value("operator_chart_repository").value),
        commit=chart.commit,
        path=chart.path or str(tools.value("operator_chart_path").value),
        values={
            "region": region,
            "eksClusterName": cluster,
            "hyperpodClusterArn": outputs.hyperpod_cluster_arn,
            "executionRoleArn": environment.roles.operator
            or f"arn:{partition}:iam::{environment.account}:role/{role}",
            "tlsCertificateS3Bucket": f"s3://{tls}",
            "alb": {
                "enabled": True,
                "region": region,
                "clusterName": cluster,
                "vpcId": facts["vpc_id"],
                "serviceAccount": {
                    "create": True,
                    "annotations": {"eks.amazonaws.com/role-arn": facts["load_balancer_role_arn"]},
                },
                **(unasked if environment.network.closed else {}),
            },
            "keda": {
                "enabled": True,
                "podIdentity": {"aws": {"irsa": {"enabled": True, "roleArn": facts["autoscaler_role_arn"]}}},
            },
            "s3": {"enabled": False},
            "fsx": {"enabled": False},
            "metrics": {"enabled": False},
            "cert-manager": {"enabled": False},
        },
    ), []


def _delivery(loaded: LoadedEnvironment) -> DeliveryPlan:
    environment = loaded.environment
    delivery = environment.delivery
    default_namespace = "flux-system" if delivery.kind == "flux" else "argocd"
    cluster = eks_name(loaded)
    known = regions.get(environment.region)
    partition = known.partition if known else "aws"
    return DeliveryPlan(
        kind=delivery.kind,
        repository=delivery.repository or "",
        revision=delivery.revision,
        path=f"{delivery.path.strip('/')}/{loaded.name}".lstrip("/"),
        namespace=delivery.namespace or default_namespace,
        project=delivery.project or f"dpd-{loaded.name}",
        credentials_secret=delivery.credentials_secret,
        prune=delivery.prune,
        self_heal=delivery.self_heal,
        cluster_arn=f"arn:{partition}:eks:{environment.region}:{environment.account}:cluster/{cluster}",
    )
