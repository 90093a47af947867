"""Templates against manifests, from rendered output alone, so that a bug in the blueprint shows."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.view.pair_images import not_pullable
from hyperpod_dpd.view.templates import HyperPodGroup, hyperpod_groups, resources
from hyperpod_dpd.view.workloads import Workload, object_name, workloads

_SUBJECT = re.compile(r"system:serviceaccount:([-a-z0-9]+):([-.a-z0-9]+)")

_SECRET_READS = {"secretsmanager:GetSecretValue", "secretsmanager:DescribeSecret"}

Template = Mapping[str, Any]
Manifest = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeHardware:
    """What one node of an instance type offers to pods."""

    gpus: int
    efa_interfaces: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """One fact that the two sides state differently; ``subject`` is the object, ``path`` the place in it."""

    topic: str
    subject: str
    path: str
    message: str


def disagreements(
    templates: Mapping[str, Template],
    manifests: Sequence[Manifest],
    *,
    hardware: Mapping[str, NodeHardware],
    addon_accounts: Collection[str],
) -> list[Disagreement]:
    """Every fact on which one environment's CloudFormation templates and Kubernetes objects differ.

    ``templates`` by stack name; ``hardware`` by instance type; ``addon_accounts`` are the service accounts that
    the EKS add-ons bring, as ``namespace/name``, so that nobody renders them.
    """
    groups = {group.name: group for group in hyperpod_groups(templates)}
    endpoints = [m for m in manifests if m.get("kind") == "InferenceEndpointConfig"]
    found: list[Disagreement] = []
    pods_by_group: dict[str, list[Workload]] = defaultdict(list)
    for endpoint in endpoints:
        asked = list(workloads(endpoint))
        for workload in asked:
            if not workload.selector and "pdSpec" not in endpoint.get("spec", {}):
                found += _any_group(endpoint, workload, groups)
                continue
            group = _selected(workload, groups)
            if isinstance(group, Disagreement):
                found.append(group)
                continue
            pods_by_group[group.name].append(workload)
            found += _labels(workload, group)
            found += _instance_type(endpoint, workload, group)
            found += _efa(workload, group, hardware)
        found += _one_subnet(endpoint, asked, groups)
        found += _buckets(endpoint, templates)
        if repository := not_pullable(endpoint, templates):
            message = f"comes from {repository}, which no role of the templates may pull"
            name, place = object_name(endpoint), "spec.worker.image"
            found.append(Disagreement(topic="image", subject=name, path=place, message=message))
    for name, sharing in pods_by_group.items():
        found += _capacity(groups[name], sharing, hardware)
    found += _identities(templates, manifests, addon_accounts)
    if endpoints:
        found += _operator_identity(templates)
    return found


def _selected(workload: Workload, groups: Mapping[str, HyperPodGroup]) -> HyperPodGroup | Disagreement:
    wanted = workload.selector.get(names.INSTANCE_GROUP_LABEL)
    if wanted is not None and wanted in groups:
        return groups[wanted]
    cluster = f"the cluster has {_listed(groups)}"
    message = (
        f"selects no instance group; {cluster}"
        if wanted is None
        else f"selects instance group '{wanted}'; {cluster}"
    )
    return Disagreement(
        topic="group", subject=workload.subject, path=f"{workload.path}.nodeSelector", message=message
    )


def _any_group(
    endpoint: Manifest, workload: Workload, groups: Mapping[str, HyperPodGroup]
) -> Iterator[Disagreement]:
    """Without a selector, the instance type alone chooses the nodes."""
    spec = endpoint.get("spec", {})
    wanted = set(spec.get("instanceTypes") or [spec.get("instanceType")])
    there = {kind for group in groups.values() for kind in group.instance_types}
    if there and not wanted & there:
        yield Disagreement(
            topic="instance-type",
            subject=workload.subject,
            path="spec.instanceType",
            message=f"is {_listed(wanted)}; the cluster has {_listed(there)}",
        )


def _labels(workload: Workload, group: HyperPodGroup) -> Iterator[Disagreement]:
    """Labels that the cluster itself gives its nodes are known to hold; the rest must be in the template."""
    nodes = {
        **group.labels,
        names.INSTANCE_GROUP_LABEL: group.name,
        names.INSTANCE_TYPE_LABEL: ", ".join(group.instance_types),
    }
    for key, value in workload.selector.items():
        if key in (names.ZONE_LABEL, names.ZONE_ID_LABEL):
            continue  # the template names a subnet, whose zone is another fact
        if nodes.get(key) != value:
            yield Disagreement(
                topic="label",
                subject=workload.subject,
                path=f"{workload.path}.nodeSelector",
                message=f"wants nodes with {key}={value}; group '{group.name}' has {key}={nodes.get(key)}",
            )


def _instance_type(endpoint: Manifest, workload: Workload, group: HyperPodGroup) -> Iterator[Disagreement]:
    spec = endpoint.get("spec", {})
    wanted = spec.get("instanceTypes") or [spec.get("instanceType")]
    unused = [kind for kind in group.instance_types if kind not in wanted]
    if wanted != [None] and unused:
        yield Disagreement(
            topic="instance-type",
            subject=workload.subject,
            path="spec.instanceType",
            message=f"is {', '.join(map(str, wanted))}; group '{group.name}', which {workload.path} selects, "
            f"has {', '.join(unused)}",
        )


def _efa(
    workload: Workload, group: HyperPodGroup, hardware: Mapping[str, NodeHardware]
) -> Iterator[Disagreement]:
    for kind in group.instance_types:
        node = hardware.get(kind)
        if node is None or not workload.gpus:
            continue
        pods = min(workload.pods, max(1, node.gpus // workload.gpus))
        if pods * workload.efa_interfaces > node.efa_interfaces:
            yield Disagreement(
                topic="efa",
                subject=workload.subject,
                path=f"{workload.path}.resources",
                message=f"{pods} pods of {workload.efa_interfaces} EFA interfaces share a node; "
                f"{kind} has {node.efa_interfaces}",
            )


def _one_subnet(
    endpoint: Manifest, asked: Sequence[Workload], groups: Mapping[str, HyperPodGroup]
) -> Iterator[Disagreement]:
    used = [groups[w.selector[names.INSTANCE_GROUP_LABEL]] for w in asked if _known(w, groups)]
    subnets = {group.name: group.subnets for group in used}
    if len({subnet for each in subnets.values() for subnet in each}) > 1:
        where = "; ".join(f"'{name}' in {' and '.join(each)}" for name, each in subnets.items())
        yield Disagreement(
            topic="subnet",
            subject=object_name(endpoint),
            path="spec.pdSpec",
            message=f"its groups do not share one subnet: {where}",
        )


def _known(workload: Workload, groups: Mapping[str, HyperPodGroup]) -> bool:
    return workload.selector.get(names.INSTANCE_GROUP_LABEL) in groups


def _capacity(
    group: HyperPodGroup, sharing: Sequence[Workload], hardware: Mapping[str, NodeHardware]
) -> Iterator[Disagreement]:
    asked = sum(w.pods * w.gpus for w in sharing)
    for kind in group.instance_types:
        node = hardware.get(kind)
        if node is not None and group.count is not None and asked > group.count * node.gpus:
            yield Disagreement(
                topic="capacity",
                subject=", ".join(dict.fromkeys(w.subject for w in sharing)),
                path=", ".join(w.path for w in sharing),
                message=f"{asked} GPUs asked of group '{group.name}'; its {group.count} nodes of "
                f"{kind} have {group.count * node.gpus}",
            )
            return


def _buckets(endpoint: Manifest, templates: Mapping[str, Template]) -> Iterator[Disagreement]:
    """A bucket must be made by a template, or be named in one (a role's grant on a bucket that exists)."""
    spec = endpoint.get("spec", {})
    uri = spec.get("tlsConfig", {}).get("tlsCertificateOutputS3Uri", "")
    wanted = {
        "spec.modelSourceConfig.s3Storage.bucketName": spec.get("modelSourceConfig", {})
        .get("s3Storage", {})
        .get("bucketName"),
        "spec.tlsConfig.tlsCertificateOutputS3Uri": uri.removeprefix("s3://").partition("/")[0] or None,
    }
    made = [body["Properties"].get("BucketName") for _, _, body in resources(templates, "AWS::S3::Bucket")]
    owned = {name for name in made if isinstance(name, str)}
    for path, bucket in wanted.items():
        if bucket and bucket not in owned and not _mentioned(f":s3:::{bucket}", templates):
            yield Disagreement(
                topic="bucket",
                subject=object_name(endpoint),
                path=path,
                message=f"names bucket '{bucket}'; the templates make {_listed(owned)} and grant no other",
            )


def _mentioned(text: str, templates: Mapping[str, Template]) -> bool:
    """Whether a string of any template ends or goes on with a path after ``text``."""
    return any(
        f"{text}{end}" in dumped for dumped in map(json.dumps, templates.values()) for end in ('"', "/")
    )


def _identities(
    templates: Mapping[str, Template], manifests: Sequence[Manifest], addon_accounts: Collection[str]
) -> Iterator[Disagreement]:
    rendered = {
        object_name(m).removeprefix("ServiceAccount ") for m in manifests if m.get("kind") == "ServiceAccount"
    }
    for stack, logical_id, namespace, account in _trusted(templates):
        if f"{namespace}/{account}" not in rendered | set(addon_accounts):
            yield Disagreement(
                topic="service-account",
                subject=f"{stack}/{logical_id}",
                path="",
                message=f"lets service account {namespace}/{account} act; no such account is rendered",
            )


def _trusted(templates: Mapping[str, Template]) -> Iterator[tuple[str, str, str, str]]:
    for stack, logical_id, body in resources(templates, "AWS::EKS::PodIdentityAssociation"):
        properties = body["Properties"]
        if _reads_secrets_only(templates[stack], properties.get("RoleArn")):
            continue  # External Secrets, whose own chart brings the account
        yield stack, logical_id, str(properties.get("Namespace")), str(properties.get("ServiceAccount"))
    for stack, logical_id, body in resources(templates, "AWS::IAM::Role"):
        for namespace, account in _SUBJECT.findall(
            json.dumps(body["Properties"].get("AssumeRolePolicyDocument"))
        ):
            yield stack, logical_id, namespace, account


def _reads_secrets_only(template: Template, role_arn: Any) -> bool:
    """Whether a role of the same template may read values in Secrets Manager and nothing else."""
    target = role_arn.get("Fn::GetAtt") if isinstance(role_arn, Mapping) else None
    role = template.get("Resources", {}).get(target[0]) if isinstance(target, list) and target else None
    properties = role.get("Properties", {}) if isinstance(role, Mapping) else {}
    actions = set(_actions(properties.get("Policies"))) - {"kms:Decrypt"}
    return bool(actions) and "ManagedPolicyArns" not in properties and actions <= _SECRET_READS


def _actions(policies: Any) -> Iterator[str]:
    """Every action of inline policies; what is no text comes as it prints."""
    for policy in policies if isinstance(policies, list) else []:
        document = policy.get("PolicyDocument") if isinstance(policy, Mapping) else None
        statements = document.get("Statement") if isinstance(document, Mapping) else None
        for statement in statements if isinstance(statements, list) else []:
            action = statement.get("Action") if isinstance(statement, Mapping) else statement
            yield from (str(each) for each in (action if isinstance(action, list) else [action]))


def _operator_identity(templates: Mapping[str, Template]) -> Iterator[Disagreement]:
    accounts = {
        account for _, _, namespace, account in _trusted(templates) if namespace == names.OPERATOR_NAMESPACE
    }
    missing = {names.OPERATOR_SERVICE_ACCOUNT, names.OPERATOR_SERVICE_ACCOUNT_HELM} - accounts
    if missing:
        yield Disagreement(
            topic="operator-identity",
            subject="templates",
            path="",
            message=f"no role trusts {_listed(missing)} of {names.OPERATOR_NAMESPACE}, "
            "as which the operator may run",
        )


def _listed(values: Iterable[object]) -> str:
    return ", ".join(sorted(map(str, values))) or "none"
