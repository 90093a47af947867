"""Where metrics are kept and judged: workspace, rules of every endpoint, and who is told."""

from __future__ import annotations

from collections.abc import Mapping

from aws_cdk import Fn, RemovalPolicy
from aws_cdk import aws_aps as aps
from aws_cdk import aws_logs as logs
from constructs import Construct, IDependable

from hyperpod_dpd.blueprint.names import prometheus_workspace, rule_namespace
from infra.place import Place


class PrometheusWorkspace(Construct):
    """``rules`` is the text of a rule file by the name of its namespace; ``url`` has no trailing slash."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        environment: str,
        alert_manager: str,
        topic: IDependable,
        rules: Mapping[str, str],
        retention_days: int,
        retain: bool,
    ) -> None:
        super().__init__(scope, id)
        group = logs.CfnLogGroup(
            self,
            "Log",
            log_group_name=f"/aws/vendedlogs/prometheus/{prometheus_workspace(environment)}",
            retention_in_days=retention_days,
        )
        workspace = aps.CfnWorkspace(
            self,
            "Resource",
            alias=prometheus_workspace(environment),
            alert_manager_definition=alert_manager,
            logging_configuration=aps.CfnWorkspace.LoggingConfigurationProperty(log_group_arn=group.attr_arn),
        )
        workspace.apply_removal_policy(
            RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE if retain else RemovalPolicy.DESTROY
        )
        workspace.node.add_dependency(topic)
        self.id = workspace.attr_workspace_id
        self.arn = workspace.attr_arn
        # The attribute ends in a slash; scalers and the add-on want the URL without it.
        host = Fn.select(2, Fn.split("/", workspace.attr_prometheus_endpoint))
        self.url = f"https://{host}/workspaces/{self.id}"
        _record(self, self.arn, {name: (rule_namespace(name), text) for name, text in rules.items()})


class GivenWorkspace(Construct):
    """A workspace of this account and Region that exists already: our rules in it, its alert manager as it is.

    Others keep rules there too, another environment with an endpoint of the same name among them: the names of
    ours carry the environment.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        place: Place,
        environment: str,
        workspace_id: str,
        rules: Mapping[str, str],
    ) -> None:
        super().__init__(scope, id)
        self.id = workspace_id
        self.arn = place.arn("aps", f"workspace/{workspace_id}")
        self.url = f"https://aps-workspaces.{place.region}.amazonaws.com/workspaces/{workspace_id}"
        named = {name: (rule_namespace(name, environment), text) for name, text in rules.items()}
        _record(self, self.arn, named)


def _record(scope: Construct, workspace_arn: str, rules: Mapping[str, tuple[str, str]]) -> None:
    for id, (name, text) in rules.items():
        aps.CfnRuleGroupsNamespace(scope, f"rules-{id}", name=name, workspace=workspace_arn, data=text)
