"""Interface endpoints as the account has them, against those that an environment needs or makes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hyperpod_dpd.blueprint.model import Blueprint
from hyperpod_dpd.live.aws import Aws
from hyperpod_dpd.live.check import Check


def vpc_endpoints(aws: Aws, blueprint: Blueprint) -> Iterator[Check]:
    """Whether the Region offers what we make, and whether somebody else's VPC has what we do not."""
    network = blueprint.network
    if not network.interface_endpoints and not network.their_endpoints:
        return
    prefix = f"com.amazonaws.{blueprint.region}."
    yield from _offered(aws, prefix, network.interface_endpoints)
    if network.existing_vpc_id is None:
        return
    found = aws.pages(
        "ec2",
        "describe_vpc_endpoints",
        "VpcEndpoints",
        Filters=[{"Name": "vpc-id", "Values": [network.existing_vpc_id]}],
    )
    present = {
        str(each["ServiceName"]).removeprefix(prefix): each
        for each in found
        if each.get("VpcEndpointType") == "Interface" and str(each.get("State")).lower() != "deleted"
    }
    for service in network.their_endpoints:
        fault = _fault(present.get(service))
        yield Check(
            subject=f"endpoint {service}",
            verdict="error" if fault else "ok",
            message=fault or f"{network.existing_vpc_id} has it",
            fix=f"ask the VPC's owner, or list under network.existing.interface_endpoints only what is there: {service}"
            " is then made here"
            if fault
            else "",
        )
    for service in network.interface_endpoints:
        if service in present and present[service].get("PrivateDnsEnabled"):
            yield Check(
                subject=f"endpoint {service}",
                verdict="error",
                message=f"{network.existing_vpc_id} has one, and EC2 refuses a second of the same private name",
                fix="name it in network.existing.interface_endpoints",
            )


def _offered(aws: Aws, prefix: str, services: tuple[str, ...]) -> Iterator[Check]:
    if not services:
        return
    offered = set(aws.pages("ec2", "describe_vpc_endpoint_services", "ServiceNames"))
    for service in services:
        here = f"{prefix}{service}" in offered
        yield Check(
            subject=f"endpoint service {service}",
            verdict="ok" if here else "error",
            message="is offered here"
            if here
            else "the Region offers no such interface endpoint to this account",
            fix="" if here else "correct its name, or find another way to that service",
        )


def _fault(endpoint: dict[str, Any] | None) -> str:
    if endpoint is None:
        return "is needed, and the VPC has none"
    if str(endpoint.get("State")).lower() != "available":
        return f"is {endpoint.get('State')}, not available"
    return "" if endpoint.get("PrivateDnsEnabled") else "has no private DNS name, so nothing finds it"
