"""The account before a deployment, read only: quotas by name, zones by id, types per zone, what exists already."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from ipaddress import IPv4Network

from hyperpod_dpd.blueprint.model import Blueprint
from hyperpod_dpd.catalog import quotas
from hyperpod_dpd.live.addons import addons
from hyperpod_dpd.live.aws import Aws, NoAccess
from hyperpod_dpd.live.check import Check
from hyperpod_dpd.live.deployed import deployed
from hyperpod_dpd.live.names_taken import names_taken
from hyperpod_dpd.live.vpc_endpoints import vpc_endpoints

PER_CLUSTER = "Maximum number instances allowed per SageMaker HyperPod cluster"
ALL_CLUSTERS = "Total number of instances allowed across SageMaker HyperPod clusters"
SPOT = "Total number of Spot instances allowed across SageMaker HyperPod clusters"
VOLUME = "Maximum size of EBS volume in GB for a SageMaker HyperPod cluster instance"


def preflight(aws: Aws, blueprint: Blueprint) -> list[Check]:
    """Every check; one that cannot be made says so and stops no other. Raises NoAccess only for the account."""
    aws.client("sts")
    checks: list[Check] = []
    for part in (_zones, _types, _quotas, _network, vpc_endpoints, addons, names_taken, deployed):
        try:
            checks += part(aws, blueprint)
        except (NoAccess, KeyError) as error:
            subject = part.__name__.strip("_")
            checks.append(Check(subject=subject, verdict="not checked", message=str(error).strip("'")))
    return checks


def _zones(aws: Aws, blueprint: Blueprint) -> Iterator[Check]:
    found = aws.call("ec2", "describe_availability_zones")["AvailabilityZones"]
    names = {zone["ZoneId"]: zone["ZoneName"] for zone in found}
    told: dict[str, str | None] = {}
    for subnet in blueprint.network.subnets:
        told[subnet.zone_id] = told.get(subnet.zone_id) or subnet.zone_name
    for zone_id, name in sorted(told.items()):
        if zone_id not in names:
            fix = f"use one of {', '.join(sorted(names))}"
            yield Check(
                subject=f"zone {zone_id}",
                verdict="error",
                message=f"{blueprint.region} has no such zone for this account",
                fix=fix,
            )
        elif name is not None and name != names[zone_id]:
            yield Check(
                subject=f"zone {zone_id}",
                verdict="error",
                message=f"is {names[zone_id]} in this account, the document says {name}",
                fix=f"write {names[zone_id]}, or leave the name out and run `dpd outputs pull {blueprint.name}`",
            )
        else:
            yield Check(subject=f"zone {zone_id}", verdict="ok", message=f"is {names[zone_id]}")


def _types(aws: Aws, blueprint: Blueprint) -> Iterator[Check]:
    wanted = {
        (each, group.zone_id)
        for group in blueprint.cluster.groups
        if group.capacity != "training-plan"
        for each in (group.instance_type, *group.alternatives)
    }
    for instance_type, zone in sorted(wanted):
        ec2_type = instance_type.removeprefix("ml.")
        offers = aws.pages(
            "ec2",
            "describe_instance_type_offerings",
            "InstanceTypeOfferings",
            LocationType="availability-zone-id",
            Filters=[{"Name": "instance-type", "Values": [ec2_type]}],
        )
        zones = sorted({offer["Location"] for offer in offers})
        offered = zone in zones
        yield Check(
            subject=f"{instance_type} in {zone}",
            verdict="ok" if offered else "error",
            message="is offered there" if offered else f"EC2 does not offer {ec2_type} there",
            fix="" if offered else f"zones that have it: {', '.join(zones) or 'none in this Region'}",
        )


def _quotas(aws: Aws, blueprint: Blueprint) -> Iterator[Check]:
    known = {
        quota["QuotaName"]: quota["Value"]
        for quota in aws.pages("service-quotas", "list_service_quotas", "Quotas", ServiceCode="sagemaker")
    }
    groups = blueprint.cluster.groups
    nodes: Counter[str] = Counter()
    for group in groups:
        nodes[group.instance_type] += group.max_count
    needs = {f"{instance_type} for cluster usage": count for instance_type, count in nodes.items()}
    needs[PER_CLUSTER] = needs[ALL_CLUSTERS] = sum(nodes.values())
    needs[SPOT] = sum(g.max_count for g in groups if g.capacity == "spot")
    needs[VOLUME] = max((g.ebs_gib or 0 for g in groups), default=0)
    for name, need in needs.items():
        if not need:
            continue
        value = known.get(name)
        hint = next((q.code for q in quotas.all() if q.name == name and q.code), None)
        ask = f"ask for {need} in Service Quotas, SageMaker" + (
            f" (code {hint}, unconfirmed)" if hint else ""
        )
        if value is None:
            yield Check(
                subject=name, verdict="not checked", message="the account lists no such quota", fix=ask
            )
        else:
            enough = value >= need
            message = f"{value:g}, and this environment needs {need}"
            if name == ALL_CLUSTERS:
                message += " beside what other clusters hold"
            yield Check(
                subject=name,
                verdict="ok" if enough else "error",
                message=message,
                fix="" if enough else ask,
            )


def _network(aws: Aws, blueprint: Blueprint) -> Iterator[Check]:
    network = blueprint.network
    if network.existing_vpc_id is None:
        return
    wanted = {s.existing_id: s for s in network.subnets if s.existing_id}
    found = aws.call("ec2", "describe_subnets", SubnetIds=sorted(wanted))["Subnets"]
    for subnet in sorted(found, key=lambda s: str(s["SubnetId"])):
        plan = wanted[subnet["SubnetId"]]
        faults = []
        if subnet["VpcId"] != network.existing_vpc_id:
            faults.append(f"is in {subnet['VpcId']}, not in {network.existing_vpc_id}")
        if subnet["AvailabilityZoneId"] != plan.zone_id:
            faults.append(f"is in {subnet['AvailabilityZoneId']}, not in {plan.zone_id}")
        if subnet.get("MapPublicIpOnLaunch"):
            faults.append("gives public addresses; HyperPod wants private subnets")
        if not any(
            IPv4Network(subnet["CidrBlock"]).subnet_of(IPv4Network(cidr)) for cidr in network.existing_cidrs
        ):
            faults.append(f"its range {subnet['CidrBlock']} is in none of network.existing.cidrs")
        yield Check(
            subject=f"subnet {subnet['SubnetId']}",
            verdict="error" if faults else "ok",
            message="; ".join(faults) or f"{plan.kind}, {subnet['AvailableIpAddressCount']} free addresses",
            fix="correct network.existing" if faults else "",
        )
