"""Turn an environment into a Blueprint: a pure function, so that both programs see the same result."""

from __future__ import annotations

from lib.blueprint import names
from lib.blueprint.addons import plan_addons
from lib.blueprint.endpoints import plan_endpoint
from lib.blueprint.groups import plan_groups
from lib.blueprint.model import (
    Blueprint,
    BucketPlan,
    ClusterPlan,
    EndpointPlan,
    FileSystemPlan,
    Note,
    ObservabilityPlan,
    OperatorPlan,
)
from lib.blueprint.networking import accelerator_key, plan_network
from lib.catalog import metrics, regions
from lib.config import LoadedEnvironment


def resolve(loaded: LoadedEnvironment) -> Blueprint:
    """The blueprint of one valid environment. Never raises for a document that passed ``load_environment``."""
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
    for endpoint_name, endpoint in environment.endpoints.items():
        plan, more = plan_endpoint(loaded, endpoint_name, endpoint, buckets)
        endpoints.append(plan)
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
        observability=_observability(loaded, bool(known and known.managed_grafana)),
        notes=tuple(notes),
    )


def _observability(loaded: LoadedEnvironment, grafana_here: bool) -> ObservabilityPlan:
    given = loaded.environment.observability
    return ObservabilityPlan(
        enabled=given.enabled,
        network_metrics=given.network_metrics,
        managed_grafana=given.enabled and given.grafana == "managed" and grafana_here,
        grafana_authentication=given.grafana_authentication,
        alert_email=given.alert_email,
        log_retention_days=given.log_retention_days,
        logging=given.logging,
        pod_log_group=given.pod_log_group or names.pod_log_group(loaded.name),
        log_exporter=given.log_exporter,
        log_exporter_image=given.log_exporter_image or metrics.image("log_exporter"),
        observability_config_api_version=given.observability_config_api_version,
        prometheus_operator=given.prometheus_operator,
        grafana_operator=given.grafana_operator and given.grafana != "none",
        runbook_url=given.runbook_url,
        addon_version=_addon_version(loaded, names.OBSERVABILITY_ADDON),
        prometheus_url=loaded.outputs.prometheus_url,
        grafana_url=loaded.outputs.grafana_url,
    )


def _addon_version(loaded: LoadedEnvironment, addon: str) -> str | None:
    from lib.catalog import kubernetes

    if pinned := loaded.environment.addon_versions.get(addon):
        return pinned
    known = next((entry.default for entry in kubernetes.addons() if entry.name == addon), None)
    return str(known) if known else None


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
