"""Names that a first deployment wants and somebody else, or a failed one, has: found before hours are spent."""

from __future__ import annotations

from collections.abc import Iterator

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.model import Blueprint
from hyperpod_dpd.blueprint.stacks import stacks_of
from hyperpod_dpd.live.aws import Aws
from hyperpod_dpd.live.check import Check

NEVER_STOOD = ("ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "CREATE_FAILED", "DELETE_FAILED", "REVIEW_IN_PROGRESS")
"""States of a stack whose first deployment did not come to an end; nothing of it serves."""


def names_taken(aws: Aws, blueprint: Blueprint) -> Iterator[Check]:
    """What is left of a failed deployment, and for every stack that is not there, the names that it would give."""
    for stack_id in stacks_of(blueprint):
        stack = names.stack(blueprint.name, stack_id)
        try:
            (found,) = aws.call("cloudformation", "describe_stacks", StackName=stack)["Stacks"]
        except KeyError:
            yield from _names_of(aws, blueprint, stack_id)
            continue
        if found["StackStatus"] in NEVER_STOOD:
            yield _left(found, stack, blueprint.region)
        else:
            yield Check(subject=f"stack {stack}", verdict="ok", message=f"is {found['StackStatus']}")


def _left(found: dict[str, object], stack: str, region: str) -> Check:
    """CDK deletes such a stack itself before it tries again, unless the stack is protected or will not go."""
    status = str(found["StackStatus"])
    protected = bool(found.get("EnableTerminationProtection"))
    if status in {"ROLLBACK_COMPLETE", "REVIEW_IN_PROGRESS"} and not protected:
        return Check(
            subject=f"stack {stack}", verdict="ok", message=f"is {status}; the next deployment begins it anew"
        )
    lift = f"aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name {stack} "
    return Check(
        subject=f"stack {stack}",
        verdict="error",
        message=f"is {status}{' and protected' if protected else ''}: it can be neither updated nor begun anew",
        fix=(f"{lift}--region {region}; " if protected else "")
        + f"aws cloudformation delete-stack --stack-name {stack} --region {region}; what it says it cannot delete "
        "(a bucket that holds something) goes by hand first",
    )


def _names_of(aws: Aws, blueprint: Blueprint, stack_id: str) -> Iterator[Check]:
    name, region = blueprint.name, blueprint.region
    if stack_id == "storage":
        for bucket in blueprint.buckets.ours:
            yield _check(f"bucket {bucket}", _bucket_exists(aws, bucket))
    if stack_id == "images":
        for repository in blueprint.images.repositories:
            taken = _exists(aws, "ecr", "describe_repositories", repositoryNames=[repository.name])
            yield _check(f"repository {repository.name}", taken)
    if stack_id == "control-plane" and blueprint.cluster.existing is None:
        eks_name = blueprint.cluster.eks_name
        yield _check(f"EKS cluster {eks_name}", _exists(aws, "eks", "describe_cluster", name=eks_name))
    if stack_id == "hyperpod":
        cluster = blueprint.cluster.hyperpod_name
        taken = _exists(aws, "sagemaker", "describe_cluster", ClusterName=cluster)
        yield _check(f"HyperPod cluster {cluster}", taken)
        if blueprint.roles.nodes is None:
            yield _role(aws, names.node_role(name, region))
    if stack_id == "addons" and blueprint.roles.operator is None:
        yield _role(aws, blueprint.operator.role_name)
    if stack_id == "observability" and blueprint.observability is not None:
        group = blueprint.observability.pod_log_group
        found = aws.call("logs", "describe_log_groups", logGroupNamePrefix=group)["logGroups"]
        yield _check(f"log group {group}", any(each["logGroupName"] == group for each in found))


def _role(aws: Aws, role: str) -> Check:
    return _check(f"role {role}", _exists(aws, "iam", "get_role", RoleName=role))


def _exists(aws: Aws, service: str, operation: str, **parameters: object) -> bool:
    try:
        aws.call(service, operation, **parameters)
    except KeyError:
        return False
    return True


def _bucket_exists(aws: Aws, bucket: str) -> bool:
    """In any account: names of buckets are everybody's. Only "not found" says that one is free."""
    try:
        aws.call("s3", "head_bucket", Bucket=bucket)
    except KeyError as error:
        return "Not Found" not in str(error)
    return True


def _check(subject: str, taken: bool) -> Check:
    if not taken:
        return Check(subject=subject, verdict="ok", message="the name is free")
    return Check(
        subject=subject,
        verdict="error",
        message="exists, and no stack of this environment holds it: its creation would fail",
        fix="empty and delete what an earlier deployment has left, bring it into its stack with `cdk import`, name it "
        "in the document as existing, or choose another name for the environment",
    )
