from collections.abc import Mapping

from hyperpod_dpd.rules.rule import ERROR, TEMPLATE, Match, Matches, TemplateView, rule
from hyperpod_dpd.view.template_values import actions, as_list, statements

_SWITCHES = ("BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets")


@rule(
    ("DPD262", "public-bucket", ERROR, TEMPLATE),
    title="A bucket may be read by the public",
    what="""That no bucket switches a part of the public access block off or has a public ACL, and that no
    bucket policy allows anybody without a condition.""",
    why="""The buckets hold certificates' private keys, lifecycle scripts that run as root on every node, and
    model weights under licence.""",
    fine="For a bucket that is a public website.",
    fix="block public access on the bucket and name the principals of its policy",
    sources="Amazon S3 user guide, blocking public access",
    covers=("I3-public-bucket",),
    tags=("security", "storage"),
    before="""Resources:
      Models:
        Properties:
          PublicAccessBlockConfiguration: {BlockPublicPolicy: false}""",
    after="""Resources:
      Models:
        Properties:
          PublicAccessBlockConfiguration: {BlockPublicPolicy: true}""",
)
def check(template: TemplateView) -> Matches:
    for logical_id, properties in template.resources("AWS::S3::Bucket"):
        block = properties.get("PublicAccessBlockConfiguration")
        off = [s for s in _SWITCHES if isinstance(block, Mapping) and str(block.get(s)).lower() == "false"]
        if off:
            yield Match(
                template.property_path(logical_id, "PublicAccessBlockConfiguration"),
                f"bucket {logical_id} switches {', '.join(off)} off",
            )
        acl = properties.get("AccessControl")
        if isinstance(acl, str) and acl.startswith("Public"):
            yield Match(
                template.property_path(logical_id, "AccessControl"), f"bucket {logical_id} has the ACL {acl}"
            )
    for logical_id, properties in template.resources("AWS::S3::BucketPolicy"):
        for statement in statements(properties.get("PolicyDocument")):
            principal = statement.get("Principal")
            named = principal.get("AWS") if isinstance(principal, Mapping) else principal
            if "*" in as_list(named) and not statement.get("Condition"):
                yield Match(
                    template.property_path(logical_id, "PolicyDocument"),
                    f"bucket policy {logical_id} allows anybody {', '.join(actions(statement))}",
                )
