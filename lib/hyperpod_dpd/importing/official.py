"""Parameters of the official templates turned into an environment document, with what only its user can complete."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hyperpod_dpd.catalog import official_templates, regions
from hyperpod_dpd.importing.official_groups import instance_groups
from hyperpod_dpd.importing.official_network import network_section
from hyperpod_dpd.importing.official_services import (
    addons_section,
    dependencies,
    observability_section,
    roles_section,
    scheduling,
    scripts,
    storage_section,
)
from hyperpod_dpd.importing.parameters import Given, NotParameters

STAND_IN_ACCOUNT = "111122223333"
_MOST_GROUPS = 20
_ADDONS = {
    "InstallCertManager": "cert-manager",
    "InstallFsxCsiDriver": "aws-fsx-csi-driver",
    "InstallS3CsiDriver": "aws-mountpoint-s3-csi-driver",
    "InstallMetricsServer": "metrics-server",
}
_DATA_SCIENTISTS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedParameters:
    """An environment ``document``; ``notes`` say what it does not carry over, and what to look at."""

    document: dict[str, Any]
    notes: tuple[str, ...]


def import_parameters(given: Given, *, account: str | None, region: str | None) -> ImportedParameters:
    """Raises NotParameters for a value that cannot be read and for a Region that nobody names."""
    notes = list(given.remarks)
    account = account or _account(given)
    if account is None:
        account = STAND_IN_ACCOUNT
        notes.append(f"account: no ARN of the file names it; {account} stands in, give --account")
    region = region or _region(given)
    groups = instance_groups(_settings(given), notes)
    document: dict[str, Any] = {
        "account": account,
        "region": region,
        "network": network_section(given, groups, notes),
        "cluster": _cluster(given, groups, notes, account=account),
    }
    zones = [
        zone if isinstance(zone, str) else zone["id"] for zone in document["network"]["accelerator_zones"]
    ]
    for section, value in (
        ("roles", roles_section(given, account=account)),
        ("storage", storage_section(given, zones, notes)),
        ("observability", observability_section(given, notes)),
        ("addons", addons_section(given, account=account)),
        ("tags", _tags(given)),
        *scheduling(given).items(),
    ):
        if value not in ({}, None):
            document[section] = value
    _operator(given, document)
    if "autoscaling" in document.get("roles", {}) and not document["cluster"].get("autoscaling"):
        document["roles"].pop("autoscaling")
    notes += _left(given)
    notes.append("endpoints: the templates know none; `dpd import MANIFEST` makes them from your manifests")
    return ImportedParameters(document=document, notes=tuple(notes))


def _settings(given: Given) -> list[Any]:
    found: list[Any] = []
    for number in range(1, _MOST_GROUPS + 1):
        value = given.parsed(f"InstanceGroupSettings{number}")
        if value is None:
            continue
        if not isinstance(value, list):
            raise NotParameters(f"InstanceGroupSettings{number}: is no list of instance groups")
        found += value
    return found


def _cluster(
    given: Given, groups: dict[str, dict[str, Any]], notes: list[str], *, account: str
) -> dict[str, Any]:
    cluster: dict[str, Any] = {}
    if not given.flag("CreateEKSClusterStack", default=True):
        cluster["existing"] = _existing(given, notes)
    if given.says("KubernetesVersion"):
        cluster["kubernetes_version"] = given.text("KubernetesVersion")
    cluster["instance_groups"] = groups
    if given.text("NodeRecovery", "Automatic") == "None":
        cluster["node_recovery"] = False
    if given.text("AutoScalerType", "None") == "Karpenter":
        cluster["autoscaling"] = True
    tiers = given.parsed("TieredStorageConfig")
    if isinstance(tiers, dict) and tiers.get("Mode") == "Enable":
        cluster["tiered_storage_percent"] = tiers.get("InstanceMemoryAllocationPercentage", 20)
    deployers = [given.text(f"DataScientistRole{n}") for n in range(1, _DATA_SCIENTISTS + 1)]
    cluster["deployer_role_arns"] = [
        role if role.startswith("arn:") else f"arn:aws:iam::{account}:role/{role}"
        for role in deployers
        if role
    ]
    cluster["dependencies"] = dependencies(given)
    cluster |= scripts(given)
    return {key: value for key, value in cluster.items() if value not in ({}, [])} | {
        "instance_groups": groups
    }


def _existing(given: Given, notes: list[str]) -> dict[str, Any]:
    existing: dict[str, Any] = {"name": given.text("EKSClusterName", "eks")}
    issuer = given.text("OIDCProviderURLWithoutProtocol").removeprefix("https://")
    if issuer:
        existing["oidc_issuer"] = f"https://{issuer}"
    else:
        notes.append(
            "cluster.existing.oidc_issuer: not in the file; `aws eks describe-cluster --name "
            f"{existing['name']} --query cluster.identity.oidc.issuer` has it"
        )
    group = given.text("SecurityGroupId")
    if group:
        existing["security_group_id"] = group
    else:
        notes.append(
            "cluster.existing.security_group_id: not in the file; `aws eks describe-cluster --name "
            f"{existing['name']} --query cluster.resourcesVpcConfig.clusterSecurityGroupId` has it"
        )
    if given.says("AssociateOIDCProvider"):
        existing["create_oidc_provider"] = given.flag("AssociateOIDCProvider", default=True)
    there = [
        addon for name, addon in _ADDONS.items() if given.says(name) and not given.flag(name, default=True)
    ]
    existing["addons"] = ["vpc-cni", "kube-proxy", "coredns", *there]
    notes.append(
        "cluster.existing.addons: the file tells of few; add what `aws eks list-addons` shows, so that none is "
        "made twice"
    )
    return existing


def _operator(given: Given, document: dict[str, Any]) -> None:
    if given.says("AddonVersion"):
        document["operator"] = {"addon_version": given.text("AddonVersion")}


def _tags(given: Given) -> dict[str, str]:
    text = given.values.get("Tags")
    if isinstance(text, str) and text.strip() and text.strip()[0] not in "[{":
        pairs = (pair.partition("=") for pair in text.split(",") if "=" in pair)
        return {key.strip(): value.strip() for key, _, value in pairs}
    value = given.parsed("Tags")
    if isinstance(value, list):
        return {
            str(tag["Key"]): str(tag.get("Value", ""))
            for tag in value
            if isinstance(tag, dict) and "Key" in tag
        }
    return {str(key): str(each) for key, each in value.items()} if isinstance(value, dict) else {}


def _account(given: Given) -> str | None:
    """That of the first ARN of a role or a cluster in the file."""
    for value in given.values.values():
        if isinstance(value, str) and value.startswith("arn:"):
            parts = value.split(":")
            if len(parts) > 5 and parts[4].isdecimal():
                return parts[4]
    return None


def _region(given: Given) -> str:
    zones = [*given.items("AvailabilityZoneIds"), *given.items("EksAvailabilityZoneIds")]
    for region in regions.all():
        if any(zone in region.zone_ids for zone in zones):
            return region.name
    raise NotParameters("no zone id of the file names a known Region; give --region")


def _left(given: Given) -> list[str]:
    """What the file says and the document does not, with the reason; what is decided here in one line."""
    found, decided = [], []
    for name, value in given.values.items():
        known = official_templates.find(name)
        if known is None or value in (None, "", "[]", [], {}):
            continue
        parameter = known[1]
        if parameter.says == "decided":
            decided.append(name)
        elif parameter.says == "unsupported" and str(value).lower() != "false":
            found.append(f"{name}: not supported: {parameter.note}")
        elif parameter.says == "expressed" and not parameter.imported:
            note = f"; {parameter.note}" if parameter.note else ""
            found.append(f"{name}: say it with {' and '.join(parameter.keys)}{note}")
    if decided:
        found.append(f"decided here ({official_templates.PAGE} tells how and why): {', '.join(decided)}")
    return found
