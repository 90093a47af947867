from collections.abc import Mapping

from hyperpod_dpd.rules.rule import TEMPLATE, WARNING, Match, Matches, TemplateView, rule
from hyperpod_dpd.view.template_values import actions, statements

_CREATE = "sagemaker:create"
_TAG = ("sagemaker:addtags", "sagemaker:add*", "sagemaker:*", "*")


@rule(
    ("DPD266", "tagging-rights", WARNING, TEMPLATE),
    title="A role may create SageMaker resources but not tag them",
    what="That a role whose own policies allow SageMaker create actions may also add tags.",
    why="""CloudFormation and CDK pass the stack's tags on to what a role creates. Without the second right
    the creation is denied, with a message about tags that few expect.""",
    fine="Where nothing the role creates is tagged.",
    fix="allow sagemaker:AddTags beside the create actions",
    sources="awsome-distributed-ai issue 634: denied because tags are passed on",
    covers=("A-09",),
    tags=("iam",),
    before="""Resources:
      Creator:
        Type: AWS::IAM::Role
        Properties:
          AssumeRolePolicyDocument:
            Statement: [{Effect: Allow, Principal: {Service: lambda.amazonaws.com}, Action: sts:AssumeRole}]
          Policies:
            - PolicyName: Create
              PolicyDocument: {Statement: [{Effect: Allow, Action: sagemaker:CreateEndpoint, Resource: "*"}]}""",
    after="""Resources:
      Creator:
        Type: AWS::IAM::Role
        Properties:
          AssumeRolePolicyDocument:
            Statement: [{Effect: Allow, Principal: {Service: lambda.amazonaws.com}, Action: sts:AssumeRole}]
          Policies:
            - PolicyName: Create
              PolicyDocument:
                Statement: [{Effect: Allow, Action: [sagemaker:CreateEndpoint, sagemaker:AddTags], Resource: "*"}]""",
)
def check(template: TemplateView) -> Matches:
    for logical_id, properties in template.resources("AWS::IAM::Role"):
        policies = properties.get("Policies")
        allowed = {
            action
            for policy in (policies if isinstance(policies, list) else ())
            if isinstance(policy, Mapping)
            for statement in statements(policy.get("PolicyDocument"))
            for action in actions(statement)
        }
        creates = sorted(action for action in allowed if action.startswith(_CREATE))
        if creates and not allowed & set(_TAG):
            yield Match(
                template.property_path(logical_id, "Policies"),
                f"role {logical_id} may {creates[0]} but not sagemaker:AddTags",
            )
