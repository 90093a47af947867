from hyperpod_dpd.blueprint import names
from hyperpod_dpd.catalog import requirements
from hyperpod_dpd.rules.rule import ERROR, TEMPLATE, WARNING, Match, Matches, TemplateView, rule
from hyperpod_dpd.view.template_addons import addon_values
from hyperpod_dpd.view.template_values import UNKNOWN, as_list, flat, references, statements

_KEY = "tlsCertificateS3Bucket"


@rule(
    ("DPD258", "operator-tls-bucket", ERROR, TEMPLATE),
    title="The operator is given a bucket for certificates that it cannot write to",
    what="""That tlsCertificateS3Bucket in the inference add-on's configuration is a plain bucket name with
    the prefix of the managed policy, unless a role in the template has an own policy that names the bucket.
    Of a role that is in no template here nothing is known: a warning.""",
    why="""The operator writes each endpoint's certificate there. Without the right to, no endpoint gets its
    load balancer.""",
    fine="Where the role, made elsewhere, may get, put, tag and delete objects of the bucket.",
    fix="name the bucket with the prefix that the managed policy reaches",
    sources="""AWS managed policy AmazonSageMakerHyperPodInferenceAccess: buckets it reaches | SageMaker
    developer guide, model-deployment setup, TLS bucket""",
    covers=("R40", "HI-0.2"),
    tags=("names", "iam", "addons"),
    before="""Resources:
      Inference:
        Properties:
          ConfigurationValues:
            Fn::Sub: >-
              {"executionRoleArn": "${OperatorRole.Arn}",
              "hyperpodClusterArn": "arn",
              "tlsCertificateS3Bucket": "dpd-dev-certificates"}""",
    after="""Resources:
      Inference:
        Properties:
          ConfigurationValues:
            Fn::Sub: >-
              {"executionRoleArn": "${OperatorRole.Arn}",
              "hyperpodClusterArn": "arn",
              "tlsCertificateS3Bucket": "hyperpod-tls-dpd-dev"}""",
)
def check(template: TemplateView) -> Matches:
    wanted = requirements.name_prefix("tls_bucket")
    for logical_id, values in addon_values(template, names.OPERATOR_ADDON):
        bucket = values.get(_KEY)
        if not isinstance(bucket, str) or bucket.startswith((wanted.prefix, UNKNOWN)):
            continue
        path = template.property_path(logical_id, "ConfigurationValues")
        if bucket.startswith("s3://"):
            yield Match(
                path, f"{_KEY} is '{bucket}'; the plain name is expected", fix="leave out s3:// and any path"
            )
        elif not _granted(template, bucket) and not _role_is_here(template, logical_id):
            yield Match(
                path,
                f"{_KEY} is '{bucket}', which does not begin with {wanted.prefix}, and the operator's role is in no "
                "template here: that it writes to the bucket is not known",
                WARNING,
                fix="verify that the role may get, put, tag and delete objects of the bucket",
            )
        elif not _granted(template, bucket):
            yield Match(
                path,
                f"{_KEY} is '{bucket}', which does not begin with {wanted.prefix}: {wanted.why}",
                fix=f"let the bucket's name begin with {wanted.prefix}",
            )


def _role_is_here(template: TemplateView, addon: str) -> bool:
    """Whether the configuration refers to a role of some template here, whose rights are then known."""
    given = template.bodies[addon]["Properties"].get("ConfigurationValues")
    found = [template.target(reference) for reference in references(given)]
    return any(each and each[0].bodies[each[1]].get("Type") == "AWS::IAM::Role" for each in found)


def _granted(template: TemplateView, bucket: str) -> bool:
    for kind in ("AWS::IAM::Role", "AWS::IAM::Policy", "AWS::IAM::ManagedPolicy"):
        for _, _, properties in template.anywhere(kind):
            documents = [properties.get("PolicyDocument")]
            documents += [
                p.get("PolicyDocument") for p in as_list(properties.get("Policies")) if isinstance(p, dict)
            ]
            for document in documents:
                resources = (flat(r) for s in statements(document) for r in as_list(s.get("Resource")))
                if any(f":s3:::{bucket}" in resource for resource in resources):
                    return True
    return False
