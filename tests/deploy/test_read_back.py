"""What boto3 finds after the deployment is what the blueprint says."""

from __future__ import annotations

import json

import pytest
from botocore.exceptions import ClientError

from hyperpod_dpd.blueprint import names
from tests.deploy.conftest import Place

pytestmark = pytest.mark.slow


def test_the_vpc_and_its_ranges(place: Place) -> None:
    network = place.blueprint.network
    if network.existing_vpc_id is not None:
        assert not place.physical("network", "AWS::EC2::VPC")
        return
    (vpc_id,) = place.physical("network", "AWS::EC2::VPC")
    (vpc,) = place.client("ec2").describe_vpcs(VpcIds=[vpc_id])["Vpcs"]
    ranges = {each["CidrBlock"] for each in vpc["CidrBlockAssociationSet"]}
    assert ranges == {network.vpc_cidr, *network.secondary_cidrs}
    for attribute in ("enableDnsSupport", "enableDnsHostnames"):
        told = place.client("ec2").describe_vpc_attribute(VpcId=vpc_id, Attribute=attribute)
        assert told[attribute[0].upper() + attribute[1:]]["Value"] is True


def test_every_subnet_has_its_zone_and_range(place: Place) -> None:
    wanted = {(s.zone_id, s.cidr) for s in place.blueprint.network.subnets if s.existing_id is None}
    ids = place.physical("network", "AWS::EC2::Subnet") if wanted else []
    found = place.client("ec2").describe_subnets(SubnetIds=ids)["Subnets"] if ids else []
    assert {(s["AvailabilityZoneId"], s["CidrBlock"]) for s in found} == wanted
    assert not [s for s in found if s["MapPublicIpOnLaunch"]]


def test_private_subnets_leave_only_through_nat(place: Place) -> None:
    network = place.blueprint.network
    tables = place.physical("network", "AWS::EC2::RouteTable")
    if not tables:
        return
    by_subnet = {
        association["SubnetId"]: {r.get("NatGatewayId") or r.get("GatewayId") for r in table["Routes"]}
        for table in place.client("ec2").describe_route_tables(RouteTableIds=tables)["RouteTables"]
        for association in table["Associations"]
    }
    kinds = {s.cidr: s.kind for s in network.subnets}
    subnets = place.client("ec2").describe_subnets(SubnetIds=list(by_subnet))["Subnets"]
    for subnet in subnets:
        ways = {way[:4] for way in by_subnet[subnet["SubnetId"]] if way and way != "local"}
        kind = kinds[subnet["CidrBlock"]]
        expected = {"igw-"} if kind == "public" else {"nat-"} if network.nat != "none" else set()
        assert ways - {"vpce"} == expected


def test_efa_traffic_stays_within_the_group_in_both_directions(place: Place) -> None:
    ids = place.physical("network", "AWS::EC2::SecurityGroup")
    groups = place.client("ec2").describe_security_groups(GroupIds=ids)["SecurityGroups"]
    (group,) = [each for each in groups if "EFA among themselves" in each["Description"]]
    group_id = group["GroupId"]
    existing = place.blueprint.cluster.existing
    cluster = {group_id} | ({existing.security_group_id} if existing else set())
    for way_in in group["IpPermissions"]:
        assert way_in["IpProtocol"] == "-1"
        assert not way_in["IpRanges"]
    assert {p["GroupId"] for w in group["IpPermissions"] for p in w["UserIdGroupPairs"]} == cluster
    everything = [p for p in group["IpPermissionsEgress"] if p["IpProtocol"] == "-1"]
    assert {pair["GroupId"] for p in everything for pair in p["UserIdGroupPairs"]} == cluster
    assert not [r for p in everything for r in p["IpRanges"]]
    rest = {
        (p["IpProtocol"], p["FromPort"], p["ToPort"])
        for p in group["IpPermissionsEgress"]
        if p not in everything
    }
    assert rest == {("tcp", 443, 443)}, "HTTPS is the only other way out"


def test_roles_exist_with_exactly_the_rendered_trust(place: Place) -> None:
    iam = place.client("iam")
    issuer = None
    if "control-plane" in {name.removeprefix(f"dpd-{place.blueprint.name}-") for name in place.templates}:
        cluster = place.client("eks").describe_cluster(name=place.blueprint.cluster.eks_name)["cluster"]
        issuer = cluster["identity"]["oidc"]["issuer"].removeprefix("https://")
    role = iam.get_role(RoleName=place.blueprint.operator.role_name)["Role"]
    document = role["AssumeRolePolicyDocument"]
    document = json.loads(document) if isinstance(document, str) else document
    federated = [s for s in document["Statement"] if "Federated" in s["Principal"]]
    (statement,) = federated
    provider = statement["Principal"]["Federated"].partition("oidc-provider/")[2]
    assert issuer in (None, provider)
    assert "${" not in provider
    assert set(statement["Condition"]["StringEquals"][f"{provider}:sub"]) == {
        f"system:serviceaccount:{names.OPERATOR_NAMESPACE}:{account}"
        for account in (names.OPERATOR_SERVICE_ACCOUNT, names.OPERATOR_SERVICE_ACCOUNT_HELM)
    }


def test_buckets_are_closed_encrypted_and_versioned(place: Place) -> None:
    s3, buckets = place.client("s3"), place.blueprint.buckets
    for bucket in (buckets.models, buckets.lifecycle, buckets.tls, buckets.access_logs):
        block = s3.get_public_access_block(Bucket=bucket)["PublicAccessBlockConfiguration"]
        assert set(block.values()) == {True}
        (rule,) = s3.get_bucket_encryption(Bucket=bucket)["ServerSideEncryptionConfiguration"]["Rules"]
        assert rule["ApplyServerSideEncryptionByDefault"]["SSEAlgorithm"] in {"AES256", "aws:kms"}
        assert s3.get_bucket_versioning(Bucket=bucket)["Status"] == "Enabled"
        policy = json.loads(s3.get_bucket_policy(Bucket=bucket)["Policy"])
        assert any(s["Effect"] == "Deny" and "Bool" in s["Condition"] for s in policy["Statement"])
        if bucket != buckets.access_logs:
            target = s3.get_bucket_logging(Bucket=bucket)["LoggingEnabled"]
            assert target["TargetBucket"] == buckets.access_logs


def test_every_lifecycle_script_is_where_the_nodes_look(place: Place) -> None:
    plan, bucket = place.blueprint.cluster, place.blueprint.buckets.lifecycle
    try:
        policy = place.client("s3").get_bucket_policy(Bucket=bucket)
        assert policy
    except ClientError as error:  # pragma: no cover - says which bucket
        pytest.fail(f"{bucket}: {error}")
    if plan.lifecycle_scripts is None:
        return
    from pathlib import Path

    recorded = place.recorded("Custom::CDKBucketDeployment")
    assert [each["DestinationBucketName"] for each in recorded] == [bucket]
    source = (
        place.client("s3")
        .get_object(Bucket=recorded[0]["SourceBucketNames"][0], Key=recorded[0]["SourceObjectKeys"][0])[
            "Body"
        ]
        .read()
    )
    import io
    import zipfile

    inside = {
        n: zipfile.ZipFile(io.BytesIO(source)).read(n) for n in zipfile.ZipFile(io.BytesIO(source)).namelist()
    }
    assert inside == {p.name: p.read_bytes() for p in Path(plan.lifecycle_scripts).iterdir()}


def test_the_hyperpod_cluster_has_the_groups_of_the_blueprint(place: Place) -> None:
    plan = place.blueprint.cluster
    told = place.client("sagemaker").describe_cluster(ClusterName=plan.hyperpod_name)
    assert told["ClusterStatus"] == "InService"
    assert told["NodeRecovery"] == ("Automatic" if plan.node_recovery else "None")
    assert [g["InstanceGroupName"] for g in told["InstanceGroups"]] == [g.name for g in plan.groups]
    subnets = {s.existing_id or s.cidr: s for s in place.blueprint.network.subnets}
    ec2 = place.client("ec2")
    for group, told_group in zip(plan.groups, told["InstanceGroups"], strict=True):
        if group.instance_type and not getattr(group, "instance_types", ()):
            assert told_group["InstanceType"] == group.instance_type
        assert told_group["TargetCount"] == group.count
        (subnet_id,) = told_group["OverrideVpcConfig"]["Subnets"]
        (subnet,) = ec2.describe_subnets(SubnetIds=[subnet_id])["Subnets"]
        assert subnet["AvailabilityZoneId"] == group.zone_id
        key = subnet_id if subnet_id in subnets else subnet["CidrBlock"]
        assert subnets[key].key == group.subnet
        assert told_group["ExecutionRole"].endswith(
            f":role/{names.node_role(place.blueprint.name, place.blueprint.region)}"
        )


def test_prefill_and_decode_of_an_endpoint_share_one_subnet(place: Place) -> None:
    told = place.client("sagemaker").describe_cluster(ClusterName=place.blueprint.cluster.hyperpod_name)
    subnet = {g["InstanceGroupName"]: g["OverrideVpcConfig"]["Subnets"] for g in told["InstanceGroups"]}
    for endpoint in place.blueprint.endpoints:
        assert len({tuple(subnet[role.group]) for role in endpoint.roles}) == 1


def test_the_eks_cluster_is_private_logged_and_authenticated_by_the_api(place: Place) -> None:
    plan = place.blueprint.cluster
    stack = f"dpd-{place.blueprint.name}-control-plane"
    clusters = [
        r["Properties"]
        for r in place.templates.get(stack, {"Resources": {}})["Resources"].values()
        if r["Type"] == "AWS::EKS::Cluster"
    ]
    if not clusters:
        assert plan.existing is not None
        return
    told = place.client("eks").describe_cluster(name=plan.eks_name)["cluster"]
    assert told["version"] == plan.kubernetes_version
    access = told["resourcesVpcConfig"]
    assert access["endpointPrivateAccess"] is True
    assert access["endpointPublicAccess"] is plan.endpoint_public_access
    (logging,) = told["logging"]["clusterLogging"]
    assert set(logging["types"]) == {"api", "audit", "authenticator", "controllerManager", "scheduler"}
    (recorded,) = [r for r in place.recorded("AWS::EKS::Cluster") if r["Name"] == plan.eks_name]
    assert recorded["AccessConfig"]["AuthenticationMode"] == "API"


def test_addons_are_asked_for_in_the_planned_versions(place: Place) -> None:
    ours = place.blueprint.cluster.eks_name
    asked = {
        r["AddonName"]: r.get("AddonVersion")
        for r in place.recorded("AWS::EKS::Addon")
        if r["ClusterName"] == ours
    }
    planned = {a.name: a.version for a in place.blueprint.addons}
    assert {name: asked[name] for name in planned} == planned
    for addon in place.recorded("AWS::EKS::Addon"):
        values = addon.get("ConfigurationValues")
        assert values is None or isinstance(json.loads(values), dict)


def test_the_file_system_stands_beside_the_accelerators(place: Place) -> None:
    plan = place.blueprint.file_system
    if plan is None:
        return
    (system_id,) = place.physical("storage", "AWS::FSx::FileSystem")
    (system,) = place.client("fsx").describe_file_systems(FileSystemIds=[system_id])["FileSystems"]
    assert system["StorageCapacity"] == plan.capacity_gib
    (subnet,) = place.client("ec2").describe_subnets(SubnetIds=system["SubnetIds"])["Subnets"]
    (planned,) = [s for s in place.blueprint.network.subnets if s.key == plan.subnet]
    assert subnet["AvailabilityZoneId"] == planned.zone_id
    (link,) = place.recorded("AWS::FSx::DataRepositoryAssociation")
    assert link["DataRepositoryPath"] == f"s3://{place.blueprint.buckets.models}/{plan.data_prefix}/"


def test_the_workspace_and_the_filters_of_logs_stand(place: Place) -> None:
    from hyperpod_dpd.observability.log_patterns import metric_filters

    plan = place.blueprint.observability
    if plan is None:
        assert not place.templates.get(names.stack(place.blueprint.name, "observability"))
        return
    (workspace,) = place.physical("observability", "AWS::APS::Workspace")
    told = place.client("amp").describe_workspace(workspaceId=workspace.rpartition("/")[2])["workspace"]
    assert told["status"]["statusCode"] == "ACTIVE"
    namespaces = place.client("amp").list_rule_groups_namespaces(workspaceId=told["workspaceId"])
    assert {each["name"] for each in namespaces["ruleGroupsNamespaces"]} >= {
        f"dpd-{endpoint.name}" for endpoint in place.blueprint.endpoints
    }
    filters = place.client("logs").describe_metric_filters(logGroupName=plan.pod_log_group)["metricFilters"]
    found = {(f["metricTransformations"][0]["metricName"], f["filterPattern"]) for f in filters}
    assert found == {(f.name, f.pattern) for f in metric_filters(place.blueprint)}


def test_interface_endpoints_are_those_of_the_plan(place: Place) -> None:
    ids = place.physical("network", "AWS::EC2::VPCEndpoint")
    found = place.client("ec2").describe_vpc_endpoints(VpcEndpointIds=ids)["VpcEndpoints"] if ids else []
    prefix = f"com.amazonaws.{place.blueprint.region}."
    interfaces = {e["ServiceName"].removeprefix(prefix) for e in found if e["VpcEndpointType"] == "Interface"}
    assert interfaces == set(place.blueprint.network.interface_endpoints)


def test_external_secrets_has_the_role_that_reads_this_environments_secrets(place: Place) -> None:
    plan = place.blueprint.external_secrets
    associations = [
        r
        for r in place.recorded("AWS::EKS::PodIdentityAssociation")
        if plan and (r["Namespace"], r["ServiceAccount"]) == (plan.namespace, plan.service_account)
    ]
    ours = [r for r in associations if r["ClusterName"] == place.blueprint.cluster.eks_name]
    assert len(ours) == (plan is not None)
    if plan is None:
        return
    role = ours[0]["RoleArn"].rpartition("/")[2]
    assert place.client("iam").list_role_policies(RoleName=role)["PolicyNames"] == ["ReadSecrets"]
    told = str(place.client("iam").get_role_policy(RoleName=role, PolicyName="ReadSecrets")["PolicyDocument"])
    assert all(name in told for name in plan.secrets)
    assert told.count("secretsmanager:GetSecretValue") == 1
