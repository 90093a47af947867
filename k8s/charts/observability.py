"""What the cluster holds for watching: the log exporter, scrape targets, dashboards, and rules where wanted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from constructs import Construct

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.model import Blueprint, EndpointPlan, Note
from hyperpod_dpd.blueprint.watching import ObservabilityPlan
from hyperpod_dpd.catalog import engine_defaults, metrics
from hyperpod_dpd.observability import canary as canary_program
from hyperpod_dpd.observability import exporter
from hyperpod_dpd.observability.rules import environment_rules, render
from k8s.api import core, grafana, monitoring
from k8s.api.canary import canary
from k8s.api.external_secrets import external_secret, secret_store
from k8s.api.log_exporter import log_exporter
from k8s.api.manifest import add
from k8s.charts.app_charts import AppCharts
from k8s.charts.weights import system_nodes

_NAMESPACE = names.WATCH_NAMESPACE
_GRAFANA = "dpd"
_TOKEN = "grafana-token"


def add_observability(charts: AppCharts, blueprint: Blueprint) -> None:
    """The app ``observability``; nothing for an environment that is not watched or serves nothing."""
    plan = blueprint.observability
    if plan is None or not plan.enabled or not blueprint.endpoints:
        return
    chart = charts.chart("observability")
    core.namespace(chart, name=_NAMESPACE, labels={"pod-security.kubernetes.io/enforce": "restricted"})
    objects = [
        *_log_exporter(blueprint, plan),
        *_canary(blueprint, plan),
        *_scrape_targets(blueprint, plan),
        *_prometheus_operator(blueprint, plan),
        *_grafana(blueprint, plan),
    ]
    for item in objects:
        add(chart, item)
    if plan.grafana_operator and plan.managed_grafana and plan.grafana_url is not None:
        _token(chart, blueprint)


def observability_notes(blueprint: Blueprint) -> Iterator[Note]:
    """What is left out of the app, and which fact it waits for."""
    plan = blueprint.observability
    if plan is None or not plan.enabled:
        return
    if plan.log_exporter and plan.observability_config_api_version is None and not plan.prometheus_operator:
        yield Note(
            subject="observability.observability_config_api_version",
            message="the log exporter has no scrape target: the apiVersion of ObservabilityConfig is not published; "
            "see `kubectl api-resources | grep -i observabilityconfig` and give it here",
        )
    disaggregated = [endpoint for endpoint in blueprint.endpoints if endpoint.topology == "disaggregated"]
    if plan.prometheus_operator and plan.router_metrics_port is None and disaggregated:
        yield Note(
            subject="observability.router_metrics_port",
            message="the port on which a router shows its dpd_* series is not published: the PodMonitor takes the "
            "ports that its container declares. Where DpdRouterBlind fires, find the port (`dpd runbook DpdRouterBlind "
            f"{blueprint.name}`) and give it here",
        )
    if plan.prometheus_operator and not plan.prometheus_operator_labels:
        yield Note(
            subject="observability.prometheus_operator_labels",
            message="rules and monitors carry no labels: a Prometheus whose ruleSelector and podMonitorSelector want "
            "some (kube-prometheus-stack: release=<its release>) takes none of them, and says nothing",
        )
    if plan.prometheus_operator:
        yield Note(
            subject="observability.prometheus_operator",
            message="EFA counters, DCGM, kube-state-metrics and cAdvisor are scraped by your own stack: the rules "
            "expect their usual names, and DpdEfaMetricsAbsent tells where the first are missing",
        )
    if plan.managed_grafana and plan.grafana_operator and plan.grafana_url is None:
        yield Note(
            subject="observability.grafana",
            message=f"the Grafana object waits for grafana_url in environments/outputs/{blueprint.name}.yaml; "
            f"run `dpd outputs pull {blueprint.name}`",
        )


def _log_exporter(blueprint: Blueprint, plan: ObservabilityPlan) -> Iterator[dict[str, Any]]:
    targets = exporter.targets(blueprint)
    if plan.log_exporter and targets:
        yield from log_exporter(
            name=names.LOG_EXPORTER,
            namespace=_NAMESPACE,
            image=plan.log_exporter_image,
            program=exporter.texts(),
            targets=exporter.targets_text(blueprint),
            reads=sorted({target["namespace"] for target in targets}),
            port=exporter.PORT,
        )


def _canary(blueprint: Blueprint, plan: ObservabilityPlan) -> Iterator[dict[str, Any]]:
    if plan.canary and canary_program.targets(blueprint):
        yield from canary(
            name=names.CANARY,
            namespace=_NAMESPACE,
            image=plan.log_exporter_image,
            program=canary_program.text(),
            environment={
                "DPD_TARGETS": canary_program.targets_text(blueprint),
                "DPD_PORT": str(canary_program.PORT),
                "DPD_INTERVAL_SECONDS": str(canary_program.INTERVAL_SECONDS),
                "DPD_TIMEOUT_SECONDS": str(canary_program.TIMEOUT_SECONDS),
            },
            nodes=system_nodes(blueprint),
            port=canary_program.PORT,
        )


def _interval() -> int:
    return int(metrics.value("scrape_interval_seconds").value)


def _scraped(blueprint: Blueprint, plan: ObservabilityPlan) -> list[tuple[str, int]]:
    """Our own workloads that show series, by Service and port."""
    found = [(names.LOG_EXPORTER, exporter.PORT)] if plan.log_exporter else []
    if plan.canary and canary_program.targets(blueprint):
        found.append((names.CANARY, canary_program.PORT))
    return found


def _scrape_targets(blueprint: Blueprint, plan: ObservabilityPlan) -> Iterator[dict[str, Any]]:
    scraped = _scraped(blueprint, plan)
    if plan.observability_config_api_version and scraped:
        yield monitoring.observability_config(
            api_version=plan.observability_config_api_version,
            name=names.OBSERVABILITY_CONFIG,
            namespace=names.OBSERVABILITY_NAMESPACE,
            targets=[f"{name}.{_NAMESPACE}.svc.cluster.local:{port}" for name, port in scraped],
            interval_seconds=_interval(),
        )


def _prometheus_operator(blueprint: Blueprint, plan: ObservabilityPlan) -> Iterator[dict[str, Any]]:
    if not plan.prometheus_operator:
        return
    for item in _monitoring_objects(blueprint, plan):
        if plan.prometheus_operator_labels:
            item["metadata"]["labels"] = dict(plan.prometheus_operator_labels)
        yield item


def _monitoring_objects(blueprint: Blueprint, plan: ObservabilityPlan) -> Iterator[dict[str, Any]]:
    for rules in environment_rules(blueprint):
        yield monitoring.prometheus_rule(
            name=f"dpd-{rules.signals.endpoint}",
            namespace=_NAMESPACE,
            spec=render(rules, runbook_url=plan.runbook_url),
        )
    for endpoint in blueprint.endpoints:
        if endpoint.topology == "disaggregated":
            yield from _pod_monitors(endpoint)
            yield _router_monitor(endpoint, plan)
    for name, _ in _scraped(blueprint, plan):
        yield monitoring.service_monitor(
            name=name,
            namespace=_NAMESPACE,
            labels={"app.kubernetes.io/name": name},
            port="metrics",
            interval_seconds=_interval(),
        )


def _pod_monitors(endpoint: EndpointPlan) -> Iterator[dict[str, Any]]:
    """Engines on the serving port and the proxy's counters on the sidecar's, for both roles."""
    port = endpoint.manifest.port if endpoint.manifest else engine_defaults.documented().container_port
    sidecar = engine_defaults.router().sidecar_metrics_port
    for role, deployment in (
        ("prefill", names.prefill_deployment(endpoint.name)),
        ("decode", names.decode_deployment(endpoint.name)),
    ):
        for suffix, number in (("", port), ("-proxy", sidecar)):
            yield monitoring.pod_monitor(
                name=f"{endpoint.namespace}-{deployment}{suffix}",
                namespace=_NAMESPACE,
                pods_in=endpoint.namespace,
                labels={names.POD_ROLE_LABEL: role},
                pods=f"{deployment}-[a-z0-9]+-[a-z0-9]+",
                container=deployment,
                port=number,
                path=engine_defaults.vllm().metrics_path,
                interval_seconds=_interval(),
                target_labels={"resource_name": deployment},
            )


def _router_monitor(endpoint: EndpointPlan, plan: ObservabilityPlan) -> dict[str, Any]:
    """The router's own counters. Its pods' labels are not published: namespace, name and container are."""
    router = names.router_deployment(endpoint.name, endpoint.namespace)
    return monitoring.pod_monitor(
        name=router,
        namespace=_NAMESPACE,
        pods_in=names.OPERATOR_NAMESPACE,
        labels={},
        pods=f"{router}-[a-z0-9]+-[a-z0-9]+",
        container=names.ROUTER_CONTAINER,
        port=plan.router_metrics_port,
        path=engine_defaults.vllm().metrics_path,
        interval_seconds=_interval(),
        target_labels={"resource_name": router},
    )


def _grafana(blueprint: Blueprint, plan: ObservabilityPlan) -> Iterator[dict[str, Any]]:
    if not plan.grafana_operator:
        return
    if plan.managed_grafana and plan.grafana_url is not None:
        yield grafana.grafana(name=_GRAFANA, namespace=_NAMESPACE, url=plan.grafana_url, secret=_TOKEN)
        if plan.prometheus_url is not None:
            yield grafana.datasource(
                name="prometheus",
                namespace=_NAMESPACE,
                instance=_GRAFANA,
                url=plan.prometheus_url,
                region=blueprint.region,
            )
    from hyperpod_dpd.observability.dashboards.grafana import dashboards

    for board in dashboards(blueprint):
        yield grafana.dashboard(
            name=board.name,
            namespace=_NAMESPACE,
            instance=_GRAFANA,
            folder=f"DPD {blueprint.name}",
            text=board.text,
        )


def _token(chart: Construct, blueprint: Blueprint) -> None:
    """The token that the rotation keeps fresh; the one before stays valid for two weeks after each rotation."""
    secret_store(chart, name=names.SECRET_STORE, namespace=_NAMESPACE, region=blueprint.region)
    external_secret(
        chart,
        name=_TOKEN,
        namespace=_NAMESPACE,
        store=names.SECRET_STORE,
        refresh="1h",
        keys={grafana.TOKEN_KEY: (names.grafana_token_secret(blueprint.name), None)},
    )
