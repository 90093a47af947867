"""The HyperPod cluster with every instance type that the API knows; moto's own list ends with the P5."""

from __future__ import annotations

import copy
from typing import Any

from moto.sagemaker import models
from moto.sagemaker.models import sagemaker_backends

from tests.deploy.moto_models.model import Made, Place, declare, hold_against_api

CREATE_ONLY = ("ClusterName", "VpcConfig", "Orchestrator")
NO_SCRIPTS = {"SourceS3Uri": "s3://sagemaker-none/", "OnCreate": ""}
"""moto's nodes insist on lifecycle scripts; the API has not for a while."""


def _create(place: Place, properties: dict[str, Any]) -> Made:
    hold_against_api("sagemaker", "CreateCluster", properties)
    backend = sagemaker_backends[place.account][place.region]
    arn = backend.create_cluster(
        cluster_name=properties["ClusterName"],
        instance_groups=_groups(properties),
        vpc_config=properties["VpcConfig"],
        tags=properties.get("Tags"),
    )
    cluster = backend.clusters[properties["ClusterName"]]
    _describe_more(cluster, properties)
    return Made(arn, {"ClusterArn": arn, "ClusterStatus": "InService"}, cluster)


def _groups(properties: dict[str, Any]) -> list[dict[str, Any]]:
    groups = copy.deepcopy(properties["InstanceGroups"])
    for group in groups:
        group.setdefault("ThreadsPerCore", 1)
        group.setdefault("LifeCycleConfig", NO_SCRIPTS)
        group.setdefault("InstanceType", "flexible")
    return groups


def _describe_more(cluster: Any, properties: dict[str, Any]) -> None:
    """describe_cluster as the API answers: with what moto leaves out."""
    told = {
        key: properties[key]
        for key in ("Orchestrator", "NodeRecovery", "NodeProvisioningMode")
        if key in properties
    }
    plain = type(cluster).describe

    def describe() -> dict[str, Any]:
        answer = plain(cluster)
        answer["InstanceGroups"] = [
            {key: value for key, value in group.items() if value is not NO_SCRIPTS and value != "flexible"}
            for group in answer["InstanceGroups"]
        ]
        return {**answer, **told}

    cluster.describe = describe


def _update(place: Place, made: Made, old: dict[str, Any], new: dict[str, Any]) -> None:
    for name in CREATE_ONLY:
        if old.get(name) != new.get(name):
            raise ValueError(f"{name} of a HyperPod cluster cannot change")
    groups = _groups(new)
    for group in groups:
        group["CurrentCount"] = group["TargetCount"] = group.pop("InstanceCount")
    made.kept.instance_groups = groups
    _describe_more(made.kept, new)


def _any_type_of_the_api(self: Any, instance_type: str) -> None:
    """Held against the API's own list before."""


models.Cluster.valid_cluster_node_instance_types = _any_type_of_the_api  # type: ignore[method-assign]

MODELS = (declare("AWS::SageMaker::Cluster", _create, update=_update),)
