from hyperpod_dpd.rules.rule import ERROR, TEMPLATE, Match, Matches, TemplateView, rule
from hyperpod_dpd.view.template_values import actions, anybody, statements

_POLICIES = {
    "AWS::SNS::TopicPolicy": "PolicyDocument",
    "AWS::SQS::QueuePolicy": "PolicyDocument",
    "AWS::KMS::Key": "KeyPolicy",
    "AWS::SecretsManager::ResourcePolicy": "ResourcePolicy",
    "AWS::ECR::Repository": "RepositoryPolicyText",
    "AWS::ECR::PublicRepository": "RepositoryPolicyText",
    "AWS::Logs::ResourcePolicy": "PolicyDocument",
    "AWS::APS::ResourcePolicy": "PolicyDocument",
    "AWS::EFS::FileSystem": "FileSystemPolicy",
}


@rule(
    ("DPD288", "open-policy", ERROR, TEMPLATE),
    title="A topic, queue, key, secret or repository may be used by anybody",
    what="""That no resource policy of a topic, queue, key, secret, repository, log group, Prometheus workspace
    or file system allows something to the principal *, or to everybody but those in NotPrincipal, without a
    condition that says who. Policies of buckets are judged by a rule of their own.""",
    why="""Anybody with an AWS account then publishes alarms, uses the key that encrypts prompts and weights,
    or pulls and replaces images that run on the nodes.""",
    fine="Never.",
    fix="name the principals, or add a condition on the account or the organisation",
    sources="""IAM user guide, principals of resource policies | IAM user guide, NotPrincipal with Allow |
    KMS developer guide, key policies""",
    tags=("iam", "security"),
    before="""Resources:
      Key:
        Type: AWS::KMS::Key
        Properties:
          KeyPolicy: {Statement: [{Effect: Allow, Principal: {AWS: "*"}, Action: "kms:*", Resource: "*"}]}""",
    after="""Resources:
      Key:
        Type: AWS::KMS::Key
        Properties:
          KeyPolicy:
            Statement:
              - {Effect: Allow, Principal: {AWS: "arn:aws:iam::111122223333:root"}, Action: "kms:*", Resource: "*"}""",
)
def check(template: TemplateView) -> Matches:
    for kind, key in _POLICIES.items():
        for logical_id, properties in template.resources(kind):
            for statement in statements(properties.get(key)):
                if who := anybody(statement):
                    yield Match(
                        template.property_path(logical_id, key),
                        f"{logical_id} lets anybody {', '.join(actions(statement))} ({who})",
                    )
