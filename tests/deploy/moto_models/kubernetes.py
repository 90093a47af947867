"""EKS: the cluster for real, what moto has no backend for held against the API's shape and written down."""

from __future__ import annotations

from typing import Any

from moto.eks.models import eks_backends
from moto.iam.models import iam_backends

from tests.deploy.moto_models.model import Made, Place, api, declare, hold_against_api

CREATE_ONLY = ("Name", "EncryptionConfig", "KubernetesNetworkConfig")


def _cluster(place: Place, properties: dict[str, Any]) -> Made:
    parameters = api(properties)
    parameters["tags"] = {tag["key"]: tag["value"] for tag in parameters.pop("tags", [])}
    parameters["logging"] = _logging(properties)
    vpc = parameters["resourcesVpcConfig"]
    hold_against_api("eks", "CreateCluster", parameters)
    if len(_zones(place, vpc["subnetIds"])) < 2:
        raise ValueError("EKS wants subnets in at least two zones")
    cluster = eks_backends[place.account][place.region].create_cluster(
        name=parameters["name"],
        role_arn=parameters["roleArn"],
        resources_vpc_config=vpc,
        version=parameters["version"],
        logging=parameters["logging"],
        encryption_config=parameters.get("encryptionConfig"),
        tags=parameters["tags"],
    )
    # moto's issuer is the same for every cluster of a Region.
    cluster.identity = {
        "oidc": {"issuer": f"https://oidc.eks.{place.region}.amazonaws.com/id/{_id(cluster)}"}
    }
    return Made(
        cluster.name,
        {
            "Arn": cluster.arn,
            "Endpoint": cluster.endpoint,
            "ClusterSecurityGroupId": "sg-eks0000000000000",
            "OpenIdConnectIssuerUrl": cluster.identity["oidc"]["issuer"],
        },
        cluster,
    )


def _id(cluster: Any) -> str:
    return cluster.name.replace("-", "").upper().ljust(32, "0")[:32]


def _logging(properties: dict[str, Any]) -> dict[str, Any]:
    """CloudFormation names the types one object each, the API in one list."""
    enabled = properties.get("Logging", {}).get("ClusterLogging", {}).get("EnabledTypes", [])
    return {"clusterLogging": [{"types": [each["Type"] for each in enabled], "enabled": True}]}


def _zones(place: Place, subnet_ids: list[str]) -> set[str]:
    """Zones of the subnets; a subnet that is not here belongs to a VPC of somebody else's."""
    from moto.ec2.models import ec2_backends

    backend = ec2_backends[place.account][place.region]
    known = [s for subnets in backend.subnets.values() for s in subnets.values() if s.id in subnet_ids]
    return {s.availability_zone_id for s in known} | (set(subnet_ids) - {s.id for s in known})


def _change_cluster(place: Place, made: Made, old: dict[str, Any], new: dict[str, Any]) -> None:
    for name in CREATE_ONLY:
        if old.get(name) != new.get(name):
            raise ValueError(f"{name} of an EKS cluster cannot change")
    made.kept.version = new["Version"]
    made.kept.logging = _logging(new)
    made.kept.resources_vpc_config = api(new["ResourcesVpcConfig"])


def _need_cluster(place: Place, name: str) -> None:
    if name not in eks_backends[place.account][place.region].clusters:
        raise ValueError(f"there is no EKS cluster {name}")


def _addon(place: Place, properties: dict[str, Any]) -> Made:
    parameters = api(properties)
    parameters.pop("preserveOnDelete", None)
    parameters.pop("tags", None)
    hold_against_api("eks", "CreateAddon", parameters)
    return Made(f"{parameters['clusterName']}|{parameters['addonName']}", {"Arn": place.arn("eks", "addon")})


def _association(place: Place, properties: dict[str, Any]) -> Made:
    parameters = {k: v for k, v in api(properties).items() if k != "tags"}
    hold_against_api("eks", "CreatePodIdentityAssociation", parameters)
    _need_role(place, parameters["roleArn"])
    return Made(place.logical_id, {"AssociationArn": place.arn("eks", "podidentityassociation")})


def _need_role(place: Place, arn: str) -> None:
    roles = {role.arn for role in iam_backends[place.account]["aws"].roles.values()}
    if arn not in roles:
        raise ValueError(f"there is no role {arn}")


def _access_entry(place: Place, properties: dict[str, Any]) -> Made:
    entry = {k: v for k, v in api(properties).items() if k not in ("tags", "accessPolicies")}
    hold_against_api("eks", "CreateAccessEntry", entry)
    for policy in api(properties.get("AccessPolicies", [])):
        named = {key: entry[key] for key in ("clusterName", "principalArn")}
        hold_against_api("eks", "AssociateAccessPolicy", {**policy, **named})
    return Made(place.logical_id, {"AccessEntryArn": place.arn("eks", "access-entry")})


def _capability(place: Place, properties: dict[str, Any]) -> Made:
    parameters = {k: v for k, v in api(properties).items() if k != "tags"}
    hold_against_api("eks", "CreateCapability", parameters)
    _need_role(place, parameters["roleArn"])
    return Made(
        place.logical_id, {"Arn": place.arn("eks", "capability"), "Configuration.ArgoCd.ServerUrl": ""}
    )


def _provider(place: Place, properties: dict[str, Any]) -> Made:
    made = iam_backends[place.account]["aws"].create_open_id_connect_provider(
        url=properties["Url"], thumbprint_list=[], client_id_list=properties["ClientIdList"], tags=[]
    )
    return Made(made.arn, {"Arn": made.arn})


MODELS = (
    declare("AWS::EKS::Cluster", _cluster, update=_change_cluster),
    declare("AWS::EKS::Addon", _addon),
    declare("AWS::EKS::PodIdentityAssociation", _association),
    declare("AWS::EKS::AccessEntry", _access_entry),
    declare("AWS::EKS::Capability", _capability),
    declare("AWS::IAM::OIDCProvider", _provider),
)
