from collections.abc import Mapping
from fnmatch import fnmatchcase

from hyperpod_dpd.catalog import requirements
from hyperpod_dpd.rules.rule import ERROR, TEMPLATE, WARNING, Match, Matches, TemplateView, rule
from hyperpod_dpd.view.template_values import UNKNOWN, actions, as_list, flat, statements

_SCHEME = "s3://"
_POLICIES = ("AWS::IAM::Policy", "AWS::IAM::ManagedPolicy", "AWS::IAM::RolePolicy")


@rule(
    ("DPD256", "lifecycle-bucket", ERROR, TEMPLATE),
    title="Nodes cannot read the bucket of their lifecycle scripts",
    what="""That the bucket in an instance group's LifeCycleConfig begins with the prefix that the managed
    node policy reads, unless the group's execution role has a policy of its own for S3. Of a role that is
    in no template here nothing is known: a warning.""",
    why="""The script cannot be fetched, and every node of the group fails with a message that blames the
    script.""",
    fine="Where the role, made elsewhere, is known to read the bucket.",
    fix="name the bucket with the prefix that the managed policy reads, or let the node role read the bucket",
    sources="AWS managed policy AmazonSageMakerClusterInstanceRolePolicy: buckets it reads",
    covers=("HI-0.2",),
    tags=("names", "iam"),
    before="""Resources:
      Cluster:
        Properties:
          InstanceGroups:
            - InstanceGroupName: system
              InstanceType: ml.m5.4xlarge
              InstanceCount: 2
              ExecutionRole: {Fn::GetAtt: [NodeRole, Arn]}
              LifeCycleConfig: {SourceS3Uri: s3://dpd-dev-lcs, OnCreate: on_create.sh}""",
    after="""Resources:
      Cluster:
        Properties:
          InstanceGroups:
            - InstanceGroupName: system
              InstanceType: ml.m5.4xlarge
              InstanceCount: 2
              ExecutionRole: {Fn::GetAtt: [NodeRole, Arn]}
              LifeCycleConfig: {SourceS3Uri: s3://sagemaker-dpd-dev-lcs, OnCreate: on_create.sh}""",
)
def check(template: TemplateView) -> Matches:
    wanted = requirements.name_prefix("lifecycle_bucket")
    for path, group, _ in template.instance_groups():
        config = group.get("LifeCycleConfig")
        uri = flat(config.get("SourceS3Uri")) if isinstance(config, Mapping) else UNKNOWN
        bucket = uri.removeprefix(_SCHEME).partition("/")[0]
        if not uri.startswith(_SCHEME) or bucket.startswith((wanted.prefix, UNKNOWN)):
            continue
        role = group.get("ExecutionRole")
        found = template.target(role)
        if found is None:
            yield Match(
                (*path, "LifeCycleConfig", "SourceS3Uri"),
                f"bucket '{bucket}' does not begin with {wanted.prefix}, and {_named(role)} is in no template here: "
                "that it reads the bucket is not known",
                WARNING,
                fix="verify that the role may get objects of the bucket",
            )
        elif not _reads(*found, bucket):
            yield Match(
                (*path, "LifeCycleConfig", "SourceS3Uri"),
                f"bucket '{bucket}' does not begin with {wanted.prefix}: {wanted.why}",
                fix=f"let the bucket's name begin with {wanted.prefix}, or give the execution role s3:GetObject on it",
            )


def _named(role: object) -> str:
    return role if isinstance(role, str) else "the execution role"


def _reads(view: TemplateView, role: str, bucket: str) -> bool:
    """Whether the role has a right of its own to read from the bucket, inline or by a policy attached to it."""
    properties = view.bodies[role].get("Properties")
    own = as_list(properties.get("Policies") if isinstance(properties, Mapping) else None)
    attached = [
        policy
        for kind in _POLICIES
        for each, _, policy in view.anywhere(kind)
        if any(each.leads(one, view, role) for one in [*as_list(policy.get("Roles")), policy.get("RoleName")])
    ]
    return any(
        action in ("*", "s3:*", "s3:get*", "s3:getobject")
        for policy in [*own, *attached]
        if isinstance(policy, Mapping)
        for statement in statements(policy.get("PolicyDocument"))
        for action in actions(statement)
        if any(_covers(flat(resource), bucket) for resource in as_list(statement.get("Resource")))
    )


def _covers(resource: str, bucket: str) -> bool:
    """Whether a resource of a policy may be an object of the bucket; what only a deployment knows may be."""
    return fnmatchcase(bucket, resource.rpartition(":::")[2].partition("/")[0])
