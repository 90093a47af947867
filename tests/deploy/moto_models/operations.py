"""Metrics, alarms, images and budgets: workspaces, filters and repositories for real, the rest written down."""

from __future__ import annotations

from typing import Any

from moto.amp.models import amp_backends
from moto.ecr.models import ecr_backends
from moto.logs.models import logs_backends

from tests.deploy.moto_models.model import Made, Place, api, declare, hold_against_api, recorder


def _workspace(place: Place, properties: dict[str, Any]) -> Made:
    made = amp_backends[place.account][place.region].create_workspace(
        properties.get("Alias", place.logical_id), {t["Key"]: t["Value"] for t in properties.get("Tags", [])}
    )
    url = f"https://aps-workspaces.{place.region}.amazonaws.com/workspaces/{made.workspace_id}/"
    return Made(
        made.arn, {"Arn": made.arn, "WorkspaceId": made.workspace_id, "PrometheusEndpoint": url}, made
    )


def _metric_filter(place: Place, properties: dict[str, Any]) -> Made:
    name = properties.get("FilterName", place.logical_id)
    logs_backends[place.account][place.region].put_metric_filter(
        name,
        properties["FilterPattern"],
        properties["LogGroupName"],
        [api(t) for t in properties["MetricTransformations"]],
    )
    return Made(name)


def _rules(place: Place, properties: dict[str, Any]) -> Made:
    workspace = properties["Workspace"].rpartition("/")[2]
    name = properties["Name"]
    made = amp_backends[place.account][place.region].create_rule_groups_namespace(
        properties["Data"], name, {}, workspace
    )
    return Made(made.arn, {"Arn": made.arn})


def _repository(place: Place, properties: dict[str, Any]) -> Made:
    backend = ecr_backends[place.account][place.region]
    encryption = properties.get("EncryptionConfiguration")
    scanning = properties.get("ImageScanningConfiguration")
    made = backend.create_repository(
        properties["RepositoryName"],
        place.account,
        api(encryption) if encryption else None,
        api(scanning) if scanning else None,
        properties.get("ImageTagMutability"),
        properties.get("Tags", []),
    )
    policy = properties.get("LifecyclePolicy", {}).get("LifecyclePolicyText")
    if policy:
        backend.put_lifecycle_policy(place.account, properties["RepositoryName"], policy)
    return Made(properties["RepositoryName"], {"Arn": made.arn, "RepositoryUri": made.uri})


def _pull_through(place: Place, properties: dict[str, Any]) -> Made:
    hold_against_api("ecr", "CreatePullThroughCacheRule", api(properties))
    return Made(properties["EcrRepositoryPrefix"])


def _named(service: str, kind: str) -> Any:
    def attributes(place: Place, properties: dict[str, Any]) -> dict[str, str]:
        return {"Arn": place.arn(service, f"{kind}/{place.logical_id}"), "Id": place.logical_id}

    return attributes


MODELS = (
    declare("AWS::APS::Workspace", _workspace),
    declare("AWS::APS::RuleGroupsNamespace", _rules),
    declare("AWS::Logs::MetricFilter", _metric_filter),
    declare("AWS::ECR::Repository", _repository),
    declare("AWS::ECR::PullThroughCacheRule", _pull_through),
    recorder("AWS::CloudWatch::Alarm", _named("cloudwatch", "alarm")),
    recorder("AWS::CloudWatch::CompositeAlarm", _named("cloudwatch", "alarm")),
    recorder("AWS::Grafana::Workspace", _named("grafana", "workspace")),
    recorder("AWS::Budgets::Budget"),
    recorder("AWS::SNS::TopicPolicy"),
    recorder("AWS::Logs::QueryDefinition"),
    recorder("AWS::ECR::RepositoryCreationTemplate"),
)
