"""Remove an endpoint or a whole environment, in the order in which nothing is left behind that somebody pays for."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.apps import DeliveryPlan
from hyperpod_dpd.blueprint.model import Blueprint, EndpointPlan
from hyperpod_dpd.blueprint.order import APP_WAVES, APPS

WAIT = "--timeout=45m"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step: what it does and why now, and the commands, which may be none."""

    title: str
    why: str
    commands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Teardown:
    """The steps in order, and what stays when all are done."""

    steps: tuple[Step, ...]
    stays: tuple[str, ...]


def endpoint_teardown(
    blueprint: Blueprint, endpoint: EndpointPlan, *, weights: bool = False, groups_to_zero: bool = False
) -> Teardown:
    """One endpoint, while the operator still runs. ``weights`` and ``groups_to_zero`` add the optional steps."""
    steps = [*_endpoint_steps(blueprint, endpoint)]
    stays = ["its certificate in the TLS bucket", "its metrics and logs, until their retention ends"]
    bucket, prefix = _weights_of(blueprint, endpoint)
    theirs = bucket != blueprint.buckets.models or bucket in blueprint.buckets.existing
    if bucket and weights and theirs:
        stays.append(f"its weights: s3://{bucket}/{prefix}/ is a bucket of somebody else's")
    elif bucket and weights:
        others = [
            e.name
            for e in blueprint.endpoints
            if e.name != endpoint.name and _weights_of(blueprint, e) == (bucket, prefix)
        ]
        if others:
            stays.append(f"its weights: {', '.join(others)} reads the same s3://{bucket}/{prefix}/")
        else:
            steps.append(
                Step(
                    title="Delete its weights",
                    why="no other endpoint of this environment reads this prefix",
                    commands=(_empty(blueprint, bucket, prefix=f"{prefix}/"),),
                )
            )
    elif bucket:
        stays.append(f"its weights in s3://{bucket}/{prefix}/ (--weights deletes them)")
    groups = _groups_of(endpoint)
    shared = {g for e in blueprint.endpoints if e.name != endpoint.name for g in _groups_of(e)}
    idle = [group for group in groups if group not in shared]
    if groups_to_zero and idle:
        steps.append(
            Step(
                title=f"Set count: 0 for {', '.join(idle)} in environments/{blueprint.name}.yaml and deploy",
                why="nodes cost the same whether they serve or not; nothing else uses these groups",
                commands=(f"npx cdk deploy '{blueprint.name}/hyperpod'",),
            )
        )
    elif idle:
        stays.append(f"the nodes of {', '.join(idle)}, which cost as before (--groups-to-zero)")
    return Teardown(steps=tuple(steps), stays=tuple(stays))


def environment_teardown(blueprint: Blueprint, stacks: Iterable[str]) -> Teardown:
    """Everything. ``stacks`` are the ids of the stacks that the environment has, in the order of deployment."""
    made = list(stacks)
    steps: list[Step] = []
    for endpoint in blueprint.endpoints:
        steps += _endpoint_steps(blueprint, endpoint)
    steps.append(_apps(blueprint))
    if blueprint.production:
        steps.append(_unprotect(blueprint, made))
    for stack in reversed(made):
        steps += _stack(blueprint, stack)
    return Teardown(steps=tuple(steps), stays=tuple(_stays(blueprint)))


def _endpoint_steps(blueprint: Blueprint, endpoint: EndpointPlan) -> Iterator[Step]:
    name, namespace = endpoint.name, endpoint.namespace
    folder = f"{blueprint.apps.delivery.path}/{endpoint.app}"
    kind = blueprint.apps.delivery.kind
    if kind != "kubectl":
        tool = "Flux" if kind == "flux" else "Argo CD"
        yield Step(
            title=f"Take {name} out of environments/{blueprint.name}.yaml, render, and commit without {folder}",
            why=f"{tool} would make the endpoint again; it prunes in reverse order of the waves",
            commands=("make synth",),
        )
    delete = f"kubectl delete inferenceendpointconfig {name} -n {namespace} --wait=false --ignore-not-found"
    gone = [
        f"kubectl wait --for=delete inferenceendpointconfig/{name} -n {namespace} {WAIT}",
        f"kubectl wait --for=delete ingress/{names.ingress(name, namespace)} -n {names.OPERATOR_NAMESPACE} {WAIT}",
    ]
    manifest = endpoint.manifest
    if manifest is not None and manifest.endpoint_name:
        gone.append(
            f"aws sagemaker wait endpoint-deleted --endpoint-name {shlex.quote(manifest.endpoint_name)} "
            f"--region {blueprint.region}"
        )
    yield Step(
        title=f"Delete endpoint {name} and wait until the operator has taken its load balancer away",
        why="load balancer, certificate and SageMaker endpoint are the operator's: without it they stay and "
        "hold the network",
        commands=(delete, *gone),
    )
    yield Step(
        title="See that nothing of it is left",
        why="all that the operator makes in AWS carries this tag; the list must not name this endpoint",
        commands=(
            (
                "aws resourcegroupstaggingapi get-resources --tag-filters Key=CreatedBy,Values=HyperPodInference "
                "--resource-type-filters elasticloadbalancing:loadbalancer elasticloadbalancing:targetgroup "
                f"acm:certificate sagemaker:endpoint --region {blueprint.region} "
                "--query 'ResourceTagMappingList[].ResourceARN'"
            ),
        ),
    )


def _apps(blueprint: Blueprint) -> Step:
    delivery = blueprint.apps.delivery
    if delivery.kind == "kubectl":
        waves = sorted(APP_WAVES.items(), key=lambda item: -item[1])
        apps = [app for app, _ in waves if app in APPS]
        return Step(
            title="Delete the other apps, last applied first",
            why="volumes and service accounts go before the drivers that serve them",
            commands=tuple(
                f"test ! -d {_folder(delivery, app)} || kubectl delete -k {_folder(delivery, app)} --ignore-not-found"
                for app in apps
            ),
        )
    return Step(
        title="Delete what delivers the apps, and with it the apps",
        why="finalizers prune in reverse order as long as the controller runs; the root goes first, or it makes the "
        "others again",
        commands=tuple(
            f"kubectl delete -k {_folder(delivery, app)} --ignore-not-found --wait"
            for app in ("delivery", "delivery-apps")
        ),
    )


def _unprotect(blueprint: Blueprint, stacks: list[str]) -> Step:
    commands = [
        "aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name "
        f"{names.stack(blueprint.name, stack)} --region {blueprint.region}"
        for stack in stacks
    ]
    if blueprint.cluster.existing is None:
        commands.append(
            f"aws eks update-cluster-config --name {blueprint.cluster.eks_name} --no-deletion-protection "
            f"--region {blueprint.region}"
        )
    return Step(
        title="Lift the protection of production",
        why="each stack and the EKS cluster refuse deletion until then; from here on a mistake is final",
        commands=tuple(commands),
    )


def _stack(blueprint: Blueprint, stack: str) -> Iterator[Step]:
    buckets = blueprint.buckets
    if stack == "storage" and buckets.ours and not buckets.retain:
        yield Step(
            title="Empty the buckets",
            why="a bucket that holds anything, old versions included, cannot be deleted",
            commands=tuple(_empty(blueprint, bucket) for bucket in buckets.ours),
        )
    if stack == "network":
        yield Step(
            title="Delete what GuardDuty has put into the VPC",
            why="its endpoint and security group belong to nobody's stack and keep the network from going",
            commands=(
                (
                    "aws ec2 describe-vpc-endpoints --filters "
                    f"Name=service-name,Values=com.amazonaws.{blueprint.region}.guardduty-data "
                    f"--region {blueprint.region} --query 'VpcEndpoints[].[VpcEndpointId,VpcId]' --output text"
                ),
            ),
        )
    if stack == "network" and buckets.retain and blueprint.file_system is not None:
        yield _file_system(blueprint)
    yield Step(
        title=f"Destroy {names.stack(blueprint.name, stack)}",
        why=_REASONS[stack],
        commands=(f"npx cdk destroy --exclusively '{blueprint.name}/{stack}'",),
    )


def _file_system(blueprint: Blueprint) -> Step:
    """The retained file system stands in the network: only one of the two can be had."""
    name = names.network_resource(blueprint.name, names.FILE_SYSTEM_PART)
    by_name = f"FileSystems[?Tags[?Key=='Name' && Value=='{name}']].FileSystemId"
    return Step(
        title="Delete the file system, or stop here and keep it with its network",
        why="its stack has left it behind on purpose, and its network interfaces hold the subnet and the security "
        "group; the model bucket holds the originals of what it was filled with, and nothing that was only written "
        "to it",
        commands=(
            (
                f'aws fsx describe-file-systems --region {blueprint.region} --query "{by_name}" --output text | '
                f"xargs -n 1 aws fsx delete-file-system --region {blueprint.region} --file-system-id"
            ),
        ),
    )


_REASONS = {
    "network": "last: everything else stands in it",
    "storage": "after the nodes, which read scripts and weights",
    "images": "after the nodes, which pull from it",
    "control-plane": "after the nodes: HyperPod needs the API to take them out",
    "delivery": "after the add-ons and the nodes, which it served",
    "hyperpod": "its instances, which cost most, end here; EKS stays",
    "addons": "the inference operator goes first, then what it depends on",
    "observability": "dashboards and alerts of what is gone already",
}


def _stays(blueprint: Blueprint) -> Iterator[str]:
    buckets = blueprint.buckets
    if buckets.retain:
        if buckets.ours:
            yield f"buckets {', '.join(buckets.ours)}"
        if blueprint.own_kms_keys:
            yield "the keys of data and secrets, without which the buckets cannot be read"
        if blueprint.file_system is not None:
            yield "the FSx for Lustre file system if you kept it, with its network; it costs as before"
        if blueprint.images.repositories:
            yield "the ECR repositories and their images"
    watch = blueprint.observability
    if watch is not None and watch.enabled and blueprint.production:
        if watch.prometheus_workspace_id is None:
            yield f"the Prometheus workspace {names.prometheus_workspace(blueprint.name)} with its metrics"
        yield f"log group {watch.pod_log_group}: a new deployment of the same name wants it deleted or imported"
        yield "the key of the alert topic"
    if buckets.existing:
        yield f"buckets {', '.join(sorted(buckets.existing))}, which are not ours, and all that is in them"
    if blueprint.images.caches:
        yield "repositories that the pull-through cache has made: no stack owns them"
    if blueprint.cluster.existing is not None:
        yield f"EKS cluster {blueprint.cluster.eks_name}, its add-ons and its VPC: they are not ours"
    logs = f"/aws/eks/{blueprint.cluster.eks_name}/cluster and /aws/sagemaker/Clusters/"
    yield f"log groups {logs}{blueprint.cluster.hyperpod_name}: keep or delete them as your retention rules say"
    yield "the CDK bootstrap stack of the account and Region, which others may use"
    yield f"environments/locks/{blueprint.name}.json and environments/outputs/{blueprint.name}.yaml: delete both"


def _weights_of(blueprint: Blueprint, endpoint: EndpointPlan) -> tuple[str, str]:
    """Bucket and prefix of an endpoint's weights; two empty strings where they are in no bucket."""
    source = endpoint.manifest.source if endpoint.manifest else None
    bucket = getattr(source, "bucket", "")
    return (bucket, str(getattr(source, "prefix", "")).strip("/")) if bucket else ("", "")


def _groups_of(endpoint: EndpointPlan) -> list[str]:
    return list(dict.fromkeys(role.group for role in endpoint.roles))


def _folder(delivery: DeliveryPlan, app: str) -> str:
    return shlex.quote(f"{delivery.path}/{app}")


def _empty(blueprint: Blueprint, bucket: str, *, prefix: str = "") -> str:
    """One shell line that deletes every version of every object; `aws s3 rm` would leave the old ones."""
    where = f"--bucket {shlex.quote(bucket)} --region {blueprint.region}"
    below = f" --prefix {shlex.quote(prefix)}" if prefix else ""
    return (
        "for kind in Versions DeleteMarkers; do "
        f"aws s3api list-object-versions {where}{below} --output text "
        '--query "$kind[].[Key,VersionId]" | while IFS="$(printf \'\\t\')" read -r key version; do '
        f'test "$key" = None || aws s3api delete-object {where} --key "$key" --version-id "$version"; '
        "done; done"
    )
