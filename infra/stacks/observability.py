"""Metrics, rules, alerts, logs and dashboards' home; comes last, since the add-on needs nodes."""

from __future__ import annotations

import aws_cdk as cdk
from constructs import Construct

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.model import Blueprint
from hyperpod_dpd.blueprint.watching import ObservabilityPlan
from hyperpod_dpd.document import dump_yaml
from hyperpod_dpd.observability.alertmanager import definition
from hyperpod_dpd.observability.log_patterns import metric_filters
from hyperpod_dpd.observability.rules import environment_rules, render
from infra.constructs.alert_topic import AlertTopic
from infra.constructs.grafana_token import GrafanaToken
from infra.constructs.grafana_workspace import GrafanaWorkspace
from infra.constructs.log_alarms import LogAlarms
from infra.constructs.observability_addon import ObservabilityAddon
from infra.constructs.pod_logs import PodLogs
from infra.constructs.prometheus_workspace import GivenWorkspace, PrometheusWorkspace
from infra.observability_values import observability_values
from infra.stacks.environment_stack import EnvironmentStack


class ObservabilityStack(EnvironmentStack):
    """Everything that notices when KV cache silently does not arrive."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        blueprint: Blueprint,
        plan: ObservabilityPlan,
        cluster_arn: str,
        data_key_arn: str | None,
    ) -> None:
        super().__init__(scope, id, blueprint=blueprint)
        environment, retain = blueprint.name, blueprint.production
        topic = AlertTopic(
            self, "Alerts", place=self.place, environment=environment, email=plan.alert_email, retain=retain
        )
        rules = {
            rules.signals.endpoint: dump_yaml(render(rules, runbook_url=plan.runbook_url))
            for rules in environment_rules(blueprint)
            if rules.groups
        }
        workspace: PrometheusWorkspace | GivenWorkspace
        if plan.prometheus_workspace_id is None:
            workspace = PrometheusWorkspace(
                self,
                "Prometheus",
                environment=environment,
                alert_manager=definition(topic_arn=topic.arn, region=blueprint.region),
                topic=topic,
                rules=rules,
                retention_days=plan.log_retention_days,
                retain=retain,
            )
        else:
            workspace = GivenWorkspace(
                self,
                "Prometheus",
                place=self.place,
                environment=environment,
                workspace_id=plan.prometheus_workspace_id,
                rules=rules,
            )
        filters = metric_filters(blueprint)
        logs = PodLogs(
            self,
            "PodLogs",
            environment=environment,
            name=plan.pod_log_group,
            field=plan.pod_log_field,
            retention_days=plan.log_retention_days,
            filters=filters,
            retain=retain,
        )
        LogAlarms(
            self,
            "Alarms",
            environment=environment,
            namespace=logs.namespace,
            log_group=logs.name,
            filters=filters,
            workspace_id=workspace.id,
            failure_metric=plan.notification_failure_metric,
            token_function=GrafanaToken.function_name(environment) if plan.managed_grafana else None,
            topic_arn=topic.arn,
        )
        grafana = (
            self._grafana(blueprint, plan, workspace.arn, data_key_arn) if plan.managed_grafana else None
        )
        ObservabilityAddon(
            self,
            "Addon",
            place=self.place,
            environment=environment,
            cluster_name=blueprint.cluster.eks_name,
            cluster_arn=cluster_arn,
            version=plan.addon_version,
            conflicts=blueprint.cluster.addon_conflicts,
            workspace_arn=workspace.arn,
            given_role_arn=blueprint.roles.observability,
            values=observability_values(
                plan, workspace_arn=workspace.arn, endpoint=workspace.url, grafana=grafana
            ),
        )
        cdk.CfnOutput(self, names.OUTPUT_PROMETHEUS_URL, value=workspace.url)

    def _grafana(
        self,
        blueprint: Blueprint,
        plan: ObservabilityPlan,
        prometheus_arn: str,
        data_key_arn: str | None,
    ) -> tuple[str, str]:
        """Name and ARN of the workspace, made here or given."""
        if plan.grafana_workspace is None:
            made = GrafanaWorkspace(
                self,
                "Grafana",
                place=self.place,
                environment=blueprint.name,
                authentication=plan.grafana_authentication,
                workspace_arn=prometheus_arn,
                given_role_arn=blueprint.roles.grafana,
            )
            id, name, arn, url = made.id, made.name, made.arn, made.url
        else:
            id, name = plan.grafana_workspace
            arn = self.place.arn("grafana", f"/workspaces/{id}")
            url = f"https://{id}.grafana-workspace.{blueprint.region}.amazonaws.com"
        GrafanaToken(
            self,
            "GrafanaToken",
            place=self.place,
            environment=blueprint.name,
            workspace_id=id,
            workspace_arn=arn,
            retention_days=plan.log_retention_days,
            key_arn=data_key_arn,
        )
        cdk.CfnOutput(self, names.OUTPUT_GRAFANA_URL, value=url)
        return name, arn
