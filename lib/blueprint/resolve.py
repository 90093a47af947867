"""Turn an environment into a Blueprint: a pure function, so that both programs see the same result."""

from __future__ import annotations

from lib.blueprint import names
from lib.blueprint.addons import plan_addons
from lib.blueprint.endpoints import plan_endpoint
from lib.blueprint.groups import plan_groups
from lib.blueprint.kubernetes import endpoint_patches, plan_apps, plan_patches
from lib.blueprint.model import (
    Blueprint,
    BucketPlan,
    ClusterPlan,
    EndpointPlan,
    FileSystemPlan,
    Note,
    OperatorPlan,
)
from lib.blueprint.networking import accelerator_key, plan_network
from lib.blueprint.patching import PatchFault
from lib.catalog import regions
from lib.config import Fault, InvalidEnvironment, LoadedEnvironment


def resolve(loaded: LoadedEnvironment) -> Blueprint:
    """The blueprint of one valid environment.

    Raises InvalidEnvironment for an override that does not fit the endpoint it is for, and for nothing else.
    """
    environment = loaded.environment
    name, account, region = loaded.name, environment.account, environment.region
    known = regions.get(region)
    buckets = BucketPlan(
        models=names.model_bucket(name, account, region),
        lifecycle=names.lifecycle_bucket(name, account, region),
        tls=names.tls_bucket(name, account, region),
        access_logs=names.access_log_bucket(name, account, region),
        retain=environment.production,
    )
    notes: list[Note] = []
    endpoints: list[EndpointPlan] = []
    patches = tuple(plan_patches(loaded))
    for endpoint_name, endpoint in environment.endpoints.items():
        own = endpoint_patches(patches, endpoint_name, endpoint.namespace)
        plan, more = plan_endpoint(loaded, endpoint_name, endpoint, buckets, own)
        endpoints.append(plan)
        notes += more
    _refuse_misfits(loaded, endpoints)
    apps, more = plan_apps(loaded, tuple(endpoints), models=buckets.models, tls=buckets.tls)
    notes += more
    operator, more = _operator(loaded)
    notes += more
    return Blueprint(
        name=name,
        account=account,
        region=region,
        partition=known.partition if known else "aws",
        production=environment.production,
        tags={"dpd:environment": name, **environment.tags},
        network=plan_network(loaded),
        cluster=_cluster(loaded),
        operator=operator,
        addons=plan_addons(environment, operator),
        buckets=buckets,
        file_system=_file_system(loaded),
        own_kms_keys=environment.storage.own_kms_keys,
        endpoints=tuple(endpoints),
        apps=apps,
        notes=tuple(notes),
    )


def _refuse_misfits(loaded: LoadedEnvironment, endpoints: list[EndpointPlan]) -> None:
    """Raises InvalidEnvironment with every override that does not fit its endpoint."""
    faults = []
    for plan in endpoints:
        try:
            plan.whole() if plan.patches else None
        except PatchFault as error:
            position = loaded.document.where(error.place)
            fix = "`python -m k8s` shows the object without it"
            faults.append(Fault(loaded.document.file, position, error.place, str(error), fix))
    if faults:
        raise InvalidEnvironment(loaded.document.file, faults)


def _cluster(loaded: LoadedEnvironment) -> ClusterPlan:
    cluster = loaded.environment.cluster
    scripts = cluster.lifecycle_scripts
    return ClusterPlan(
        eks_name=names.eks_cluster(loaded.name),
        hyperpod_name=names.hyperpod_cluster(loaded.name),
        kubernetes_version=cluster.kubernetes_version,
        endpoint_public_access=bool(cluster.api_access.public_cidrs),
        public_access_cidrs=tuple(cluster.api_access.public_cidrs),
        admin_role_arns=tuple(cluster.admin_role_arns),
        node_recovery=cluster.node_recovery,
        tiered_storage_percent=cluster.tiered_storage_percent,
        lifecycle_scripts=str(loaded.folder / scripts) if scripts else None,
        groups=plan_groups(loaded.environment),
    )


def _operator(loaded: LoadedEnvironment) -> tuple[OperatorPlan, list[Note]]:
    from lib.catalog import operator_releases
    from lib.catalog.versions import OperatorRelease

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
    )
