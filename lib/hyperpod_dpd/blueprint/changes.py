"""What a change does to what is deployed: one table for the lock, `dpd check --previous` and preflight."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint.immutable import facts
from hyperpod_dpd.catalog.versions import KubernetesVersion, OperatorRelease

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.model import Blueprint
    from hyperpod_dpd.document import Path


class Effect(StrEnum):
    """The worst that a change does."""

    REPLACED = "replaced"  # another resource is made, the old one deleted with what it holds
    REFUSED = "refused"  # the service does not do it
    PODS = "pods"  # pods restart
    IN_PLACE = "in place"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One row: a fact (``*`` is a name), the key that decides it, what another value does, who says so, and the way.

    ``with_it`` are facts that follow from this one: they are told with it and never by themselves.
    """

    fact: str
    place: Path
    effect: Effect
    consequence: str
    way: str
    source: str
    with_it: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Consequence:
    """A row at work: which fact was what and becomes what (None: it goes), and what changes with it."""

    row: Change
    fact: str
    was: str
    now: str | None
    effect: Effect
    with_it: tuple[str, ...]

    @property
    def place(self) -> Path:
        """The key of the document that decides the fact."""
        name = next(iter(self.fact.split(" ")[1:]), "")
        return tuple(name if part == "*" else part for part in self.row.place)

    def way(self, environment: str) -> str:
        """What to do instead, with the names of the environment and of the group filled in."""
        return self.row.way.format(environment=environment, group=next(iter(self.fact.split(" ")[1:]), ""))

    @property
    def lasting(self) -> bool:
        """Whether it cannot be done in place."""
        return self.effect in {Effect.REPLACED, Effect.REFUSED}


_SECOND = "write a second environment beside this one, move the traffic, then tear the old one down"
_NEW_GROUP = (
    "go by a new group: 1. leave '{group}' as it is and add a group beside it, such as '{group}-2', with the new "
    "value; 2. deploy '{environment}/hyperpod' and run `dpd nodes {environment} --wait`; 3. name the new group in "
    "instance_group of the roles that use it, render and apply; 4. once its pods serve, take '{group}' out and deploy again; "
    "5. `dpd lock {environment}`"
)
_CFN = "CloudFormation resource reference, update behaviours"
_HYPERPOD = "SageMaker API, UpdateCluster: what a cluster and its groups can change"
_OF_SUBNETS = ("subnet *", "hyperpod-cluster subnet", "instance-group * subnet", "file-system subnet")


def _row(
    fact: str, place: str, effect: Effect, consequence: str, way: str, source: str, *with_it: str
) -> Change:
    return Change(
        fact=fact,
        place=tuple(place.split(".")),
        effect=effect,
        consequence=consequence,
        way=way,
        source=source,
        with_it=with_it,
    )


TABLE: tuple[Change, ...] = (
    _row("account", "account", Effect.REPLACED, "everything is made anew in the other account, and what stands in "
         "the old one stays there and costs", _SECOND, "CloudFormation user guide, a stack's account", "*"),
    _row("region", "region", Effect.REPLACED, "everything is made anew in the other Region, and what stands in the "
         "old one stays there and costs", _SECOND, "CloudFormation user guide, a stack's Region", "*"),
    _row("vpc", "network", Effect.REPLACED, "a new VPC with new subnets is made, and with it new clusters: running "
         "endpoints end, and the file system is lost", _SECOND, f"{_CFN}: AWS::EC2::VPC, CidrBlock", *_OF_SUBNETS,
         "security group"),
    _row("eks-cluster", "cluster", Effect.REPLACED, "a new EKS cluster is made: every pod and all that is applied "
         "to the old one ends", _SECOND, f"{_CFN}: AWS::EKS::Cluster, Name", "eks-cluster *", "hyperpod-cluster"),
    _row("eks-cluster origin", "cluster.existing", Effect.REPLACED, "the EKS cluster that was made here is deleted, "
         "or another one is made", _SECOND, f"{_CFN}: AWS::EKS::Cluster"),
    _row("eks-cluster secrets key", "storage.own_kms_keys", Effect.REPLACED, "a new EKS cluster is made: every pod "
         "and all that is applied to the old one ends", _SECOND,
         f"{_CFN}: AWS::EKS::Cluster, EncryptionConfig"),
    _row("hyperpod-cluster", "cluster", Effect.REPLACED, "a new HyperPod cluster is made: all nodes end, and their "
         "capacity is asked for again", _SECOND, f"{_CFN}: AWS::SageMaker::Cluster, ClusterName"),
    _row("hyperpod-cluster orchestrator", "cluster", Effect.REPLACED, "a new HyperPod cluster is made", _SECOND,
         f"{_CFN}: AWS::SageMaker::Cluster, Orchestrator"),
    _row("hyperpod-cluster subnet", "cluster.instance_groups", Effect.REPLACED, "a new HyperPod cluster is made: "
         "all nodes end, and their capacity is asked for again",
         "keep the first instance group first and in its zone", f"{_CFN}: AWS::SageMaker::Cluster, VpcConfig",
         "subnet *", "instance-group * subnet", "file-system subnet"),
    _row("subnet *", "network", Effect.REPLACED, "the subnet is deleted, which fails while nodes or load balancers "
         "stand in it", "move what stands in it first", f"{_CFN}: AWS::EC2::Subnet, CidrBlock and zone"),
    _row("security group", "network.existing", Effect.REPLACED, "a new HyperPod cluster is made, and the file "
         "system with it", _SECOND, f"{_CFN}: AWS::SageMaker::Cluster, VpcConfig"),
    _row("instance-group * subnet", "cluster.instance_groups.*", Effect.REFUSED, "a group stays in its subnet: the "
         "update fails", _NEW_GROUP, f"{_HYPERPOD}, OverrideVpcConfig"),
    _row("instance-group * capacity", "cluster.instance_groups.*.capacity", Effect.REFUSED, "a group keeps its "
         "kind of capacity: the update fails", _NEW_GROUP, f"{_HYPERPOD}, CapacityRequirements"),
    _row("bucket *", "storage", Effect.REPLACED, "another bucket is made or used, and what the old one holds is not "
         "in it", "copy the objects first", f"{_CFN}: AWS::S3::Bucket, BucketName"),
    _row("file-system *", "storage.file_system", Effect.REPLACED, "a new file system is made, and the weights on "
         "the old one are lost", "keep the weights in S3 and let them be loaded anew",
         f"{_CFN}: AWS::FSx::FileSystem"),
    _row("kubernetes version", "cluster.kubernetes_version", Effect.IN_PLACE, "EKS goes up by one minor version at "
         "a time, and no way back is documented", "go up one minor version, wait until nodes and add-ons run, then "
         "the next", "Amazon EKS user guide, update of a cluster's version"),
    _row("operator release", "operator.release", Effect.IN_PLACE, "an older operator drops fields that it does not "
         "know, and going back is not documented", "stay on the newer release, and roll back the endpoint's change "
         "alone", "HyperPod inference operator, release notes: fields by release"),
    _row("control-plane zones", "network.control_plane_zones", Effect.REFUSED, "EKS takes further subnets in the "
         "zones that the cluster was made in only: the update fails", "keep to the zones of before; GPU nodes may "
         "stand in any", "Amazon EKS user guide, VPC and subnet requirements"),
    _row("instance-group * type", "cluster.instance_groups.*.instance_type", Effect.REFUSED, "a group keeps its type, "
         "and whether it has one or several: the update fails", _NEW_GROUP,
         f"{_HYPERPOD}, InstanceType and InstanceRequirements"),
    _row("instance-group * threads per core", "cluster.instance_groups.*.threads_per_core", Effect.REFUSED, "a group "
         "keeps its threads per core: the update fails", _NEW_GROUP, f"{_HYPERPOD}, ThreadsPerCore"),
    _row("instance-group * role", "roles.nodes", Effect.REFUSED, "a group keeps its execution role: the update "
         "fails", "change the policies of the role in its place, or " + _NEW_GROUP, f"{_HYPERPOD}, ExecutionRole"),
    _row("endpoint * model", "endpoints.*.model", Effect.PODS, "both roles load other weights, and callers that name "
         "the old model get errors", "add a second endpoint with the new model, move the callers, then remove this "
         "one", "hyperpod-dpd, what a pod template is made of"),
)  # fmt: skip
"""In the order in which causes are told: what stands further up explains what stands below."""


def compared(blueprint: Blueprint) -> dict[str, str]:
    """Every fact whose change does something: those that a lock holds, and those that may change at a price."""
    known = facts(blueprint)
    known["kubernetes version"] = blueprint.cluster.kubernetes_version
    known["operator release"] = blueprint.operator.release
    for endpoint in blueprint.endpoints:
        known[f"endpoint {endpoint.name} model"] = endpoint.model.name
    return known


def consequences(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[Consequence]:
    """One for each cause, worst first by the table; a group or an endpoint that goes as a whole is none of them."""
    open_ = {
        name: (was, after.get(name))
        for name, was in before.items()
        if was != after.get(name)
        and not (name not in after and name.startswith(("instance-group ", "endpoint ")))
    }
    for row in TABLE:
        for fact in [name for name in open_ if fnmatchcase(name, row.fact)]:
            if fact not in open_:
                continue
            was, now = open_.pop(fact)
            follow = [name for name in open_ if any(fnmatchcase(name, each) for each in row.with_it)]
            for name in follow:
                del open_[name]
            effect = _effect(row, was, now)
            if effect is not Effect.IN_PLACE:
                yield Consequence(row=row, fact=fact, was=was, now=now, effect=effect, with_it=tuple(follow))


def _effect(row: Change, was: str, now: str | None) -> Effect:
    """Of versions it depends on the direction and the distance."""
    if row.fact == "kubernetes version" and now is not None:
        old, new = KubernetesVersion.parse(was), KubernetesVersion.parse(now)
        one_up = new.numbers[0] == old.numbers[0] and 0 <= new.numbers[1] - old.numbers[1] <= 1
        return Effect.IN_PLACE if one_up else Effect.REFUSED
    if row.fact == "control-plane zones" and now is not None:
        return Effect.IN_PLACE if set(now.split(", ")) <= set(was.split(", ")) else row.effect
    if row.fact == "operator release" and now is not None:
        return Effect.REFUSED if OperatorRelease.parse(now) < OperatorRelease.parse(was) else Effect.IN_PLACE
    return row.effect
