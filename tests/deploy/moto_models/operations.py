"""Metrics, alarms, images and budgets: workspaces, filters and repositories for real, the rest written down."""

from __future__ import annotations

import json
from typing import Any

from moto.amp.models import amp_backends
from moto.ecr.models import ecr_backends
from moto.logs.models import logs_backends
from moto.secretsmanager.models import secretsmanager_backends

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


def _grafana(place: Place, properties: dict[str, Any]) -> Made:
    # What CloudFormation leaves to the service has to be given to the API.
    parameters = {k: v for k, v in properties.items() if k in _GRAFANA_KEYS}
    hold_against_api(
        "grafana",
        "CreateWorkspace",
        {
            **{_GRAFANA_KEYS[k]: v for k, v in parameters.items()},
            "tags": {t["Key"]: t["Value"] for t in properties.get("Tags", [])},
        },
    )
    number = "g-0123456789"
    return Made(
        number, {"Id": number, "Endpoint": f"{number}.grafana-workspace.{place.region}.amazonaws.com"}
    )


_GRAFANA_KEYS = {
    "AccountAccessType": "accountAccessType",
    "AuthenticationProviders": "authenticationProviders",
    "GrafanaVersion": "grafanaVersion",
    "Name": "workspaceName",
    "PermissionType": "permissionType",
    "DataSources": "workspaceDataSources",
    "RoleArn": "workspaceRoleArn",
}


def _secret(place: Place, properties: dict[str, Any]) -> Made:
    """Without its value: what a template generates is nobody's business here."""
    backend = secretsmanager_backends[place.account][place.region]
    name = properties.get("Name", place.logical_id)
    made = backend.create_secret(
        name=name,
        secret_string="generated",
        secret_binary=None,
        description=properties.get("Description"),
        tags=properties.get("Tags", []),
        kms_key_id=properties.get("KmsKeyId"),
        client_request_token=None,
        replica_regions=[],
        force_overwrite=False,
    )
    arn = json.loads(made)["ARN"] if isinstance(made, str) else made["ARN"]
    return Made(arn, {"Id": arn})


def _transformer(place: Place, properties: dict[str, Any]) -> Made:
    parameters = {
        "logGroupIdentifier": properties["LogGroupIdentifier"],
        "transformerConfig": api(properties["TransformerConfig"]),
    }
    hold_against_api("logs", "PutTransformer", parameters)
    return Made(place.logical_id)


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
    declare("AWS::Grafana::Workspace", _grafana),
    declare("AWS::SecretsManager::Secret", _secret),
    declare("AWS::Logs::Transformer", _transformer),
    recorder("AWS::SecretsManager::RotationSchedule"),
    recorder("AWS::Lambda::Permission"),
    recorder("AWS::Budgets::Budget"),
    recorder("AWS::SNS::TopicPolicy"),
    recorder("AWS::Logs::QueryDefinition"),
    recorder("AWS::ECR::RepositoryCreationTemplate"),
)
