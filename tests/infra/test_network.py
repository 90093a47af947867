"""The network: EFA rules, zones by id, ways out, and somebody else's VPC."""

from __future__ import annotations

from typing import Any

import pytest

from tests.infra.conftest import Synthesised


def security_group(environment: Synthesised) -> dict[str, Any]:
    return {"Fn::GetAtt": [efa_group(environment)[0], "GroupId"]}


def efa_group(environment: Synthesised) -> tuple[str, dict[str, Any]]:
    groups = environment.resources("AWS::EC2::SecurityGroup", "network")
    (found,) = [(id, each) for id, each in groups.items() if id.startswith("EfaSecurityGroup")]
    return found


def endpoint_group(environment: Synthesised) -> dict[str, Any]:
    groups = environment.resources("AWS::EC2::SecurityGroup", "network")
    (found,) = [id for id in groups if id.startswith("EndpointAccess")]
    return {"Fn::GetAtt": [found, "GroupId"]}


def tags(resource: dict[str, Any]) -> dict[str, str]:
    return {tag["Key"]: tag["Value"] for tag in resource["Properties"]["Tags"]}


def private_route_tables(environment: Synthesised) -> set[str]:
    public = {
        route["Properties"]["RouteTableId"]["Ref"]
        for route in environment.resources("AWS::EC2::Route").values()
        if "GatewayId" in route["Properties"]
    }
    return set(environment.resources("AWS::EC2::RouteTable")) - public


@pytest.mark.parametrize(
    ("kind", "other_side"),
    [
        ("AWS::EC2::SecurityGroupIngress", "SourceSecurityGroupId"),
        ("AWS::EC2::SecurityGroupEgress", "DestinationSecurityGroupId"),
    ],
)
def test_all_traffic_from_and_to_the_group_itself(
    environment: Synthesised, kind: str, other_side: str
) -> None:
    group = security_group(environment)
    existing = environment.blueprint.cluster.existing
    rules = environment.properties(kind)
    own = [rule for rule in rules if rule["GroupId"] == group and rule[other_side] == group]
    assert [rule["IpProtocol"] for rule in own] == ["-1"]
    for rule in rules:
        ends = [rule["GroupId"], rule[other_side]]
        assert ends == [group, group] or (existing and existing.security_group_id in ends and group in ends)


def test_only_https_leaves_the_group(environment: Synthesised) -> None:
    # An empty list would make EC2 add "all traffic to everywhere".
    egress = efa_group(environment)[1]["Properties"]["SecurityGroupEgress"]
    assert [(r["IpProtocol"], r["FromPort"], r["ToPort"], r["CidrIp"]) for r in egress] == [
        ("tcp", 443, 443, "0.0.0.0/0")
    ]


def test_nothing_enters_the_group_by_address(environment: Synthesised) -> None:
    assert "SecurityGroupIngress" not in efa_group(environment)[1]["Properties"]
    for rule in environment.properties("AWS::EC2::SecurityGroupIngress"):
        assert not {"CidrIp", "CidrIpv6", "SourcePrefixListId"} & rule.keys()


def test_subnets_follow_the_plan(environment: Synthesised) -> None:
    plan = environment.blueprint.network
    wanted = {(s.zone_id, s.cidr) for s in plan.subnets if s.existing_id is None}
    subnets = environment.properties("AWS::EC2::Subnet")
    assert {(s["AvailabilityZoneId"], s["CidrBlock"]) for s in subnets} == wanted
    assert len(subnets) == len(wanted)
    assert all("AvailabilityZone" not in s for s in subnets)
    assert all(s["MapPublicIpOnLaunch"] is False for s in subnets)


def test_control_plane_has_two_zones(own_cluster: Synthesised) -> None:
    config = own_cluster.one("AWS::EKS::Cluster")["Properties"]["ResourcesVpcConfig"]
    assert len(config["SubnetIds"]) >= 2
    assert len({s.zone_id for s in own_cluster.blueprint.network.of_kind("control-plane")}) >= 2


def test_load_balancers_stay_out_of_accelerator_subnets(environment: Synthesised) -> None:
    plans = {s.cidr: s for s in environment.blueprint.network.subnets}
    for subnet in environment.resources("AWS::EC2::Subnet").values():
        kind = plans[subnet["Properties"]["CidrBlock"]].kind
        found = {key for key in tags(subnet) if key.startswith("kubernetes.io/role/")}
        assert (
            found
            == {
                "public": {"kubernetes.io/role/elb"},
                "control-plane": {"kubernetes.io/role/internal-elb"},
                "accelerator": set(),
            }[kind]
        )


def test_every_private_subnet_reaches_s3_through_the_gateway(environment: Synthesised) -> None:
    gateways = [
        e for e in environment.properties("AWS::EC2::VPCEndpoint") if e["VpcEndpointType"] == "Gateway"
    ]
    (gateway,) = gateways
    assert gateway["ServiceName"] == f"com.amazonaws.{environment.blueprint.region}.s3"
    if environment.blueprint.network.existing_vpc_id:
        assert gateway["RouteTableIds"] == list(environment.blueprint.network.private_route_table_ids)
    else:
        assert {table["Ref"] for table in gateway["RouteTableIds"]} == private_route_tables(environment)


def test_private_subnets_leave_through_nat_or_not_at_all(environment: Synthesised) -> None:
    plan = environment.blueprint.network
    gateways = environment.resources("AWS::EC2::NatGateway")
    wanted = {"none": 0, "single": 1, "per-zone": len(plan.of_kind("public"))}[plan.nat]
    assert len(gateways) == wanted
    routes = {
        route["RouteTableId"]["Ref"]: route["NatGatewayId"]["Ref"]
        for route in environment.properties("AWS::EC2::Route")
        if "NatGatewayId" in route
    }
    if plan.nat == "none":
        assert not routes
        assert not environment.resources("AWS::EC2::InternetGateway")
    else:
        assert set(routes) == private_route_tables(environment)
        assert set(routes.values()) == set(gateways)


def test_nat_waits_for_the_internet_gateway(full: Synthesised) -> None:
    (default,) = [
        (key, route)
        for key, route in full.resources("AWS::EC2::Route").items()
        if "GatewayId" in route["Properties"]
    ]
    assert set(default[1]["DependsOn"]) == set(full.resources("AWS::EC2::VPCGatewayAttachment"))
    for gateway in full.resources("AWS::EC2::NatGateway").values():
        assert gateway["DependsOn"] == [default[0]]


def test_subnets_wait_for_secondary_ranges(full: Synthesised) -> None:
    ranges = full.resources("AWS::EC2::VPCCidrBlock")
    assert [r["Properties"]["CidrBlock"] for r in ranges.values()] == list(
        full.blueprint.network.secondary_cidrs
    )
    private = [
        s for s in full.resources("AWS::EC2::Subnet").values() if "kubernetes.io/role/elb" not in tags(s)
    ]
    assert private
    assert all(set(ranges) <= set(s.get("DependsOn", [])) for s in private)


def test_existing_vpc_gets_only_what_is_ours(closed: Synthesised) -> None:
    kinds = {r["Type"] for r in closed.templates["network"]["Resources"].values()}
    assert kinds == {
        "AWS::EC2::SecurityGroup",
        "AWS::EC2::SecurityGroupIngress",
        "AWS::EC2::SecurityGroupEgress",
        "AWS::EC2::VPCEndpoint",
    }
    assert efa_group(closed)[1]["Properties"]["VpcId"] == "vpc-0123456789abcdef0"


def test_interface_endpoints_take_the_group_and_private_names(closed: Synthesised) -> None:
    plan = closed.blueprint.network
    endpoints = [e for e in closed.properties("AWS::EC2::VPCEndpoint") if e["VpcEndpointType"] == "Interface"]
    assert {e["ServiceName"] for e in endpoints} == {
        f"com.amazonaws.us-west-2.{service}" for service in plan.interface_endpoints
    }
    for endpoint in endpoints:
        assert endpoint["PrivateDnsEnabled"] is True
        assert endpoint["SecurityGroupIds"] == [endpoint_group(closed)]
        assert endpoint["SubnetIds"] == [s.existing_id for s in plan.of_kind("control-plane")]


@pytest.mark.parametrize("name", ["closed-network", "closed"])
def test_endpoints_admit_https_from_every_range_of_the_vpc(
    environments: dict[str, Synthesised], name: str
) -> None:
    environment = environments[name]
    (id,) = endpoint_group(environment).values()
    group = environment.resources("AWS::EC2::SecurityGroup")[id[0]]["Properties"]
    ingress = [
        (r["IpProtocol"], r["FromPort"], r["ToPort"], r["CidrIp"]) for r in group["SecurityGroupIngress"]
    ]
    ranges = environment.blueprint.network.ranges
    assert ingress == [("tcp", 443, 443, cidr) for cidr in ranges]
    assert set(ranges) >= set(environment.blueprint.network.existing_cidrs)


def test_a_network_without_interface_endpoints_has_no_group_for_them(plain: Synthesised) -> None:
    groups = plain.resources("AWS::EC2::SecurityGroup", "network")
    assert [id for id in groups if id.startswith("EndpointAccess")] == []


def test_flow_log_is_kept_as_long_as_the_plan_says(plain: Synthesised, unusual: Synthesised) -> None:
    assert plain.one("AWS::EC2::FlowLog")["Properties"]["TrafficType"] == "ALL"
    days = plain.one("AWS::Logs::LogGroup")["Properties"]["RetentionInDays"]
    assert days == plain.blueprint.log_retention_days
    assert not unusual.resources("AWS::EC2::FlowLog")
