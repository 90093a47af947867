"""What a document says of things that exist already: names AWS's policies ask for, and choices that exclude others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import IPv4Network
from typing import TYPE_CHECKING

from hyperpod_dpd.config.bucket_keys import bucket_key_faults
from hyperpod_dpd.config.fault import Complaint, Fault, faults_of
from hyperpod_dpd.document import Document, Path

if TYPE_CHECKING:
    from hyperpod_dpd.config.environment import Environment

# The blueprint's names for these; config stands below the blueprint, and a test holds them together.
OPERATOR_ROLE_PREFIX = "SageMakerHyperPodInference"
TLS_BUCKET_PREFIX = "hyperpod-tls"
LIFECYCLE_BUCKET_PREFIX = "sagemaker-"
TASK_GOVERNANCE_ADDON = "amazon-sagemaker-hyperpod-taskgovernance"


def existing_faults(environment: Environment, document: Document) -> list[Fault]:
    """Every existing thing that cannot be used as the document says."""
    complaints = [
        *_roles(environment),
        *_buckets(environment),
        *bucket_key_faults(environment),
        *_scripts(environment),
        *_subnets(environment),
        *_identities(environment),
        *_access(environment),
        *_egress(environment),
        *_watching(environment),
        *_scheduling(environment),
    ]
    return faults_of(document, complaints)


def _roles(environment: Environment) -> Iterator[Complaint]:
    for key, arn in environment.roles.model_dump(exclude_none=True).items():
        if arn.split(":")[4] != environment.account:
            yield (
                ("roles", key),
                f"'{arn}' is of another account, and a service is passed roles of its own account only",
                f"use a role of account {environment.account}",
            )
    operator = environment.roles.operator
    if operator is not None and not operator.rpartition("/")[2].startswith(OPERATOR_ROLE_PREFIX):
        yield (
            ("roles", "operator"),
            f"'{operator}': AWS's managed policy lets the operator pass roles named {OPERATOR_ROLE_PREFIX}... only",
            "rename the role, or leave it out and one is made",
        )
    if environment.roles.autoscaling is not None and not environment.cluster.autoscaling:
        yield (
            ("roles", "autoscaling"),
            "'autoscaling' is given a role, and cluster.autoscaling is false",
            "set cluster.autoscaling: true, or drop the role",
        )


def _buckets(environment: Environment) -> Iterator[Complaint]:
    given, roles = environment.storage.existing_buckets, environment.roles
    for key, bucket, prefix, role, role_key in (
        ("lifecycle", given.lifecycle, LIFECYCLE_BUCKET_PREFIX, roles.nodes, "roles.nodes"),
        ("tls", given.tls, TLS_BUCKET_PREFIX, roles.operator, "roles.operator"),
    ):
        if bucket is not None and not bucket.name.startswith(prefix) and role is None:
            yield (
                ("storage", "existing_buckets", key),
                f"'{bucket.name}': AWS's managed policy reaches buckets named {prefix}... only",
                f"use such a bucket, or give the role that reads it ({role_key})",
            )


def _scripts(environment: Environment) -> Iterator[Complaint]:
    cluster = environment.cluster
    if cluster.lifecycle is not None and cluster.lifecycle_scripts is not None:
        yield (
            ("cluster", "lifecycle"),
            "'lifecycle' and 'lifecycle_scripts' both say what nodes run",
            "keep one of them",
        )


def _subnets(environment: Environment) -> Iterator[Complaint]:
    network, existing = environment.network, environment.network.existing
    if existing is None:
        return
    try:
        allowed = [IPv4Network(cidr) for cidr in (*existing.cidrs, *network.secondary_cidrs)]
    except ValueError:  # told elsewhere
        return
    for index, zone in enumerate(network.accelerator_zones):
        if zone.id in existing.accelerator_subnets:
            continue
        path: Path = ("network", "accelerator_zones", index)
        if zone.cidr is None:
            yield (
                path,
                f"'{zone.id}' has no subnet in network.existing.accelerator_subnets and no range for one to be made",
                f"name its subnet there ('{zone.id}: subnet-...'), or give the zone a cidr",
            )
            continue
        try:
            inside = any(IPv4Network(zone.cidr).subnet_of(cidr) for cidr in allowed)
        except ValueError:
            continue
        if not inside:
            yield (
                (*path, "cidr"),
                f"'{zone.cidr}' is in none of the VPC's ranges ({', '.join(map(str, allowed))})",
                "choose one inside, or add the range under network.secondary_cidrs",
            )
        if not network.closed and not existing.nat_gateway_ids:
            yield (
                ("network", "existing"),
                f"the subnet made for '{zone.id}' would have no way out",
                "name a NAT gateway under nat_gateway_ids, or set network.closed",
            )


def _identities(environment: Environment) -> Iterator[Complaint]:
    """What names its Region must name this one; what AWS takes as a set is listed once."""
    cluster, network = environment.cluster.existing, environment.network.existing
    if cluster is not None:
        named = re.match(r"https://oidc\.eks\.([a-z0-9-]+)\.amazonaws\.", cluster.oidc_issuer)
        if named and named[1] != environment.region:
            yield (
                ("cluster", "existing", "oidc_issuer"),
                f"the issuer is of a cluster in {named[1]}, and the environment is in {environment.region}",
                "read it off the cluster: `aws eks describe-cluster --query cluster.identity.oidc.issuer`",
            )
    for index, arn in enumerate(environment.platform.external_secrets.kms_key_arns):
        if arn.split(":")[3] != environment.region:
            yield (
                ("platform", "external_secrets", "kms_key_arns", index),
                f"the key is in {arn.split(':')[3]}, and secrets of {environment.region} are decrypted there only",
                "name the key, or the replica of it, in the Region",
            )
    tables = network.private_route_table_ids if network is not None else []
    for index, table in enumerate(tables):
        if table in tables[:index]:
            path: Path = ("network", "existing", "private_route_table_ids", index)
            yield path, f"'{table}' is listed twice", "list each once"


def _egress(environment: Environment) -> Iterator[Complaint]:
    network = environment.network
    if network.egress and network.existing is not None and network.existing.security_group_id is not None:
        yield (
            ("network", "egress"),
            "the nodes' security group is somebody else's, and its rules stay its owner's",
            "have the owner add these rules and drop them here, or drop security_group_id: a group is made then",
        )
    for index, rule in enumerate(network.egress):
        if any(
            (rule.protocol, rule.port, rule.to) == (o.protocol, o.port, o.to) for o in network.egress[:index]
        ):
            path: Path = ("network", "egress", index)
            yield path, f"{rule.protocol} {rule.port} to {rule.to} is listed twice", "list each once"


def _access(environment: Environment) -> Iterator[Complaint]:
    cluster = environment.cluster
    seen = dict.fromkeys(cluster.admin_role_arns, "admin_role_arns")
    for key in ("deployer_role_arns", "reader_role_arns"):
        for index, arn in enumerate(getattr(cluster, key)):
            if arn in seen:
                yield (
                    ("cluster", key, index),
                    f"'{arn}' is in {seen[arn]} already, and EKS has one access entry for each role",
                    "keep the one that grants more",
                )
            seen[arn] = key


def _watching(environment: Environment) -> Iterator[Complaint]:
    watch = environment.observability
    if watch.grafana_workspace is not None and watch.grafana != "managed":
        yield (
            ("observability", "grafana_workspace"),
            f"a managed workspace is named, and grafana is '{watch.grafana}'",
            "set grafana: managed, or drop the workspace",
        )
    if environment.roles.grafana is not None and watch.grafana_workspace is not None:
        yield (
            ("roles", "grafana"),
            "the role of a workspace that exists already is its owner's",
            "drop the role, or the workspace and one is made with it",
        )


def _scheduling(environment: Environment) -> Iterator[Complaint]:
    existing = environment.cluster.existing
    there = existing is not None and TASK_GOVERNANCE_ADDON in existing.addons
    if environment.scheduling is not None and not environment.task_governance and not there:
        yield (
            ("scheduling",),
            "a scheduler policy needs the task governance add-on",
            "set task_governance: true",
        )
