"""Turn an environment into a Blueprint: a pure function, so that both programs see the same result."""

from __future__ import annotations

from collections.abc import Iterator

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.addons import plan_addons
from hyperpod_dpd.blueprint.cloud import (
    ArgoCapabilityPlan,
    BudgetPlan,
    IdentityPlan,
    LifecyclePlan,
    SchedulingPlan,
)
from hyperpod_dpd.blueprint.collisions import collision_faults
from hyperpod_dpd.blueprint.endpoints import plan_endpoint
from hyperpod_dpd.blueprint.external_secrets import plan_external_secrets
from hyperpod_dpd.blueprint.grants import grant_notes, plan_buckets
from hyperpod_dpd.blueprint.groups import eks_name, lifecycle_source, plan_groups
from hyperpod_dpd.blueprint.kubernetes import endpoint_patches, plan_apps, plan_patches
from hyperpod_dpd.blueprint.model import Blueprint, ClusterPlan, EndpointPlan, Note, OperatorPlan
from hyperpod_dpd.blueprint.models import model_faults, model_notes
from hyperpod_dpd.blueprint.networking import NetworkPlan, accelerator_key, plan_network
from hyperpod_dpd.blueprint.observability import plan_observability
from hyperpod_dpd.blueprint.patching import PatchFault
from hyperpod_dpd.blueprint.reach import services_called
from hyperpod_dpd.blueprint.registry import plan_images
from hyperpod_dpd.blueprint.replacement import refuse_replacement
from hyperpod_dpd.blueprint.source import source_digest
from hyperpod_dpd.blueprint.stores import BucketPlan, FileSystemPlan
from hyperpod_dpd.catalog import operator_releases, regions, requirements
from hyperpod_dpd.catalog.versions import OperatorRelease
from hyperpod_dpd.config import Fault, InvalidEnvironment, LoadedEnvironment


def resolve(loaded: LoadedEnvironment) -> Blueprint:
    """The blueprint of one valid environment.

    Raises InvalidEnvironment for a model whose declared shape cannot be used, for a name that is taken, for an
    override that does not fit the endpoint it is for, for a change that would replace what is locked, and for
    nothing else.
    """
    environment = loaded.environment
    name, account, region = loaded.name, environment.account, environment.region
    known = regions.get(region)
    buckets, images = plan_buckets(loaded), plan_images(loaded)
    notes: list[Note] = list(grant_notes(loaded, buckets, images))
    endpoints: list[EndpointPlan] = []
    watching = plan_observability(loaded, grafana_here=bool(known and known.managed_grafana))
    network = plan_network(loaded, needed=services_called(loaded, watching))
    cluster = _cluster(loaded, buckets, network)
    groups = {group.name: group for group in cluster.groups}
    patches = tuple(plan_patches(environment))
    for endpoint_name, endpoint in environment.endpoints.items():
        plan, more = plan_endpoint(
            loaded,
            endpoint_name,
            groups=groups,
            model_bucket=buckets.models,
            patches=endpoint_patches(patches, endpoint_name, endpoint.namespace),
        )
        endpoints.append(plan)
        notes += [*more, *model_notes(endpoint_name, plan.model)]
    _refuse_misfits(loaded, endpoints)
    operator, more = _operator(loaded)
    notes += more
    blueprint = Blueprint(
        name=name,
        account=account,
        region=region,
        partition=known.partition if known else "aws",
        production=environment.production,
        protected=environment.production and bool(loaded.locks.immutable.facts),
        tags={names.ENVIRONMENT_TAG: name, **environment.tags},
        network=network,
        cluster=cluster,
        operator=operator,
        addons=plan_addons(environment, operator),
        buckets=buckets,
        file_system=_file_system(loaded),
        own_kms_keys=environment.storage.own_kms_keys,
        roles=environment.roles,
        scheduling=_scheduling(loaded),
        endpoints=tuple(endpoints),
        observability=watching,
        images=images,
        argo_capability=_argo_capability(loaded),
        budget=_budget(loaded),
        external_secrets=plan_external_secrets(loaded, watching),
        apps=plan_apps(loaded, tuple(endpoints), patches, buckets),
        notes=tuple(notes),
        source_digest=source_digest(loaded),
    )
    refuse_replacement(loaded, blueprint)
    return blueprint


def _scheduling(loaded: LoadedEnvironment) -> SchedulingPlan | None:
    given = loaded.environment.scheduling
    if given is None:
        return None
    classes = sorted(given.priority_classes.items(), key=lambda each: (-each[1], each[0]))
    return SchedulingPlan(
        name=names.scheduler_policy(loaded.name),
        fair_share=given.fair_share,
        priority_classes=tuple(classes),
    )


def _refuse_misfits(loaded: LoadedEnvironment, endpoints: list[EndpointPlan]) -> None:
    """Raises InvalidEnvironment with every unusable model, taken name and override that does not fit its endpoint."""
    faults = [*model_faults(loaded), *collision_faults(loaded), *_override_faults(loaded, endpoints)]
    if faults:
        raise InvalidEnvironment(loaded.document.file, faults)


def _override_faults(loaded: LoadedEnvironment, endpoints: list[EndpointPlan]) -> Iterator[Fault]:
    for plan in endpoints:
        try:
            plan.whole() if plan.patches else None
        except PatchFault as error:
            position = loaded.document.where(error.place)
            fix = "`python -m k8s` shows the object without it"
            yield Fault(loaded.document.file, position, error.place, str(error), fix)


def _cluster(loaded: LoadedEnvironment, buckets: BucketPlan, network: NetworkPlan) -> ClusterPlan:
    cluster = loaded.environment.cluster
    scripts = cluster.lifecycle_scripts
    return ClusterPlan(
        eks_name=eks_name(loaded),
        hyperpod_name=names.hyperpod_cluster(loaded.name),
        kubernetes_version=cluster.kubernetes_version,
        endpoint_public_access=bool(cluster.api_access.public_cidrs),
        public_access_cidrs=tuple(cluster.api_access.public_cidrs),
        private_access_cidrs=_private_access(loaded, network),
        admin_role_arns=tuple(cluster.admin_role_arns),
        node_recovery=cluster.node_recovery,
        tiered_storage_percent=cluster.tiered_storage_percent,
        lifecycle_scripts=str(loaded.folder / scripts) if scripts else None,
        groups=plan_groups(loaded.environment),
        existing=cluster.existing,
        autoscaling=cluster.autoscaling,
        lifecycle=_lifecycle(loaded, buckets),
        kubernetes_groups={
            **dict.fromkeys(cluster.deployer_role_arns, loaded.environment.platform.deployers_group),
            **dict.fromkeys(cluster.reader_role_arns, loaded.environment.platform.readers_group),
        },
    )


def _private_access(loaded: LoadedEnvironment, network: NetworkPlan) -> tuple[str, ...]:
    """Ranges admitted to the private address of the API; somebody else's cluster has its own rules."""
    cluster = loaded.environment.cluster
    if cluster.existing is not None:
        return ()
    given = cluster.api_access.private_cidrs
    return tuple(dict.fromkeys(network.ranges if given is None else given))


def _lifecycle(loaded: LoadedEnvironment, buckets: BucketPlan) -> LifecyclePlan | None:
    """The scripts of the document's folder, copied into the lifecycle bucket, or those of a bucket."""
    if loaded.environment.cluster.lifecycle_scripts is None:
        return lifecycle_source(loaded.environment.cluster.lifecycle)
    return LifecyclePlan(
        bucket=buckets.lifecycle,
        uri=f"s3://{buckets.lifecycle}/{names.lifecycle_prefix(loaded.name)}/",
        on_create=names.LIFECYCLE_ENTRYPOINT,
    )


def _argo_capability(loaded: LoadedEnvironment) -> ArgoCapabilityPlan | None:
    delivery = loaded.environment.delivery
    center = delivery.identity_center
    if delivery.kind != "argocd-managed" or center is None:
        return None
    identities = [IdentityPlan(id=i.id, type=i.type, role="ADMIN") for i in center.admins]
    identities += [IdentityPlan(id=i.id, type=i.type, role="VIEWER") for i in center.viewers]
    return ArgoCapabilityPlan(
        name=names.argo_capability(loaded.name),
        namespace=delivery.namespace or "argocd",
        instance_arn=center.instance_arn,
        instance_region=center.region or loaded.environment.region,
        identities=tuple(identities),
        repository_secret_arns=tuple(center.repository_secret_arns),
    )


def _budget(loaded: LoadedEnvironment) -> BudgetPlan | None:
    budget = loaded.environment.operations.budget
    if budget is None:
        return None
    return BudgetPlan(
        name=names.budget(loaded.name),
        monthly_usd=budget.monthly_usd,
        notify=tuple(budget.notify),
        alert_percents=tuple(budget.alert_percents),
        tag=f"user:{names.ENVIRONMENT_TAG}${loaded.name}",
    )


def _operator(loaded: LoadedEnvironment) -> tuple[OperatorPlan, list[Note]]:
    operator = loaded.environment.operator
    addon = operator.addon_version
    if addon is None:
        paired = operator_releases.addon_for(OperatorRelease.parse(operator.release))
        addon = str(paired) if paired else None
    notes = []
    if addon is None and operator.install == "addon":
        notes.append(
            Note(
                subject="operator.addon_version",
                message=f"no EKS add-on version is known for operator {operator.release}: the add-on is left "
                "out; give operator.addon_version",
            )
        )
    return OperatorPlan(
        release=operator.release,
        addon_version=addon,
        install=operator.install,
        role_name=names.operator_role(loaded.name, loaded.environment.region),
        gateway=loaded.environment.addons.inference.gateway,
    ), notes


def _file_system(loaded: LoadedEnvironment) -> FileSystemPlan | None:
    system = loaded.environment.storage.file_system
    if system is None:
        return None
    zone = system.zone or loaded.environment.network.accelerator_zones[0].id
    return FileSystemPlan(
        subnet=accelerator_key(zone),
        capacity_gib=system.capacity_gib,
        throughput_mbps_per_tib=system.throughput_mbps_per_tib,
        data_prefix=system.data_prefix,
        lustre_version=str(requirements.requirement("fsx_lustre_version").value),
        compression=system.compression,
    )
