from collections.abc import Mapping

from hyperpod_dpd.rules.rule import ERROR, TEMPLATE, WARNING, Match, Matches, TemplateView, rule
from hyperpod_dpd.view.template_values import actions, anybody, flat, statements

_SWITCHES = ("BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets")


@rule(
    ("DPD262", "public-bucket", ERROR, TEMPLATE),
    title="A bucket may be read by the public",
    what="""That no bucket leaves a part of the public access block off or has a public ACL, and that no
    bucket policy allows anybody, or all but those in NotPrincipal, without a condition that says who. A bucket
    that says nothing of the block is a warning.""",
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
        path = template.property_path(logical_id, "PublicAccessBlockConfiguration")
        if block is None:
            yield Match(
                path,
                f"bucket {logical_id} does not say that public access is blocked: S3 blocks it on new buckets, and an "
                "update of the stack that takes the property away takes the block away",
                WARNING,
                fix="set all four switches of PublicAccessBlockConfiguration to true",
            )
        elif isinstance(block, Mapping) and set(block) <= set(_SWITCHES):
            off = [s for s in _SWITCHES if flat(block.get(s, False)).lower() == "false"]
            if off:
                yield Match(path, f"bucket {logical_id} leaves {', '.join(off)} off")
        acl = properties.get("AccessControl")
        if isinstance(acl, str) and acl.startswith("Public"):
            yield Match(
                template.property_path(logical_id, "AccessControl"), f"bucket {logical_id} has the ACL {acl}"
            )
    for logical_id, properties in template.resources("AWS::S3::BucketPolicy"):
        for statement in statements(properties.get("PolicyDocument")):
            if who := anybody(statement):
                yield Match(
                    template.property_path(logical_id, "PolicyDocument"),
                    f"bucket policy {logical_id} allows anybody {', '.join(actions(statement))} ({who})",
                )
