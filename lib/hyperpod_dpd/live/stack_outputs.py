"""Late-bound facts of a deployment: outputs of its stacks and zone names, ready for environments/outputs."""

from __future__ import annotations

from typing import Any

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.model import Blueprint
from hyperpod_dpd.blueprint.stacks import stacks_of
from hyperpod_dpd.live.aws import Aws

PLACES: dict[str, tuple[str, ...]] = {
    names.OUTPUT_VPC_ID: ("vpc_id",),
    names.OUTPUT_HYPERPOD_CLUSTER_ARN: ("hyperpod_cluster_arn",),
    names.OUTPUT_FILE_SYSTEM_ID: ("file_system", "id"),
    names.OUTPUT_FILE_SYSTEM_DNS_NAME: ("file_system", "dns_name"),
    names.OUTPUT_FILE_SYSTEM_MOUNT_NAME: ("file_system", "mount_name"),
    names.OUTPUT_LOAD_BALANCER_ROLE_ARN: ("load_balancer_role_arn",),
    names.OUTPUT_AUTOSCALER_ROLE_ARN: ("autoscaler_role_arn",),
    names.OUTPUT_PROMETHEUS_URL: ("prometheus_url",),
    names.OUTPUT_GRAFANA_URL: ("grafana_url",),
}
"""Stack output to its place in the outputs document."""

NO_TRAILING_SLASH = ("prometheus_url", "grafana_url")


def pull(aws: Aws, blueprint: Blueprint) -> tuple[dict[str, Any], list[str]]:
    """The outputs document, and the stacks that are not deployed yet. Raises NoAccess."""
    document: dict[str, Any] = {}
    missing = []
    for stack_id in stacks_of(blueprint):
        stack = names.stack(blueprint.name, stack_id)
        try:
            (found,) = aws.call("cloudformation", "describe_stacks", StackName=stack)["Stacks"]
        except KeyError:
            missing.append(stack)
            continue
        for output in found.get("Outputs", []):
            place = PLACES.get(output["OutputKey"])
            if place is not None:
                _put(document, place, output["OutputValue"])
    zones = {subnet.zone_id for subnet in blueprint.network.subnets}
    document["zone_names"] = {
        zone["ZoneId"]: zone["ZoneName"]
        for zone in aws.call("ec2", "describe_availability_zones")["AvailabilityZones"]
        if zone["ZoneId"] in zones
    }
    return document, missing


def _put(document: dict[str, Any], place: tuple[str, ...], value: str) -> None:
    *above, last = place
    for key in above:
        document = document.setdefault(key, {})
    document[last] = value.rstrip("/") if last in NO_TRAILING_SLASH else value
