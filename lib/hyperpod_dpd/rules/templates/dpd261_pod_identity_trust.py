from hyperpod_dpd.rules.rule import ERROR, TEMPLATE, Match, Matches, TemplateView, rule
from hyperpod_dpd.view.template_values import actions, principals, statements

_SERVICE = "pods.eks.amazonaws.com"
_NEEDED = ("sts:AssumeRole", "sts:TagSession")


@rule(
    ("DPD261", "pod-identity-trust", ERROR, TEMPLATE),
    title="A role for Pod Identity does not allow sessions to be tagged",
    what="That a trust policy for the Pod Identity service allows both actions that the service uses.",
    why="""EKS refuses the association, after everything before it was made; the message speaks of an invalid
    trust policy and not of the missing action.""",
    fine="Never.",
    fix="allow sts:TagSession beside sts:AssumeRole",
    sources="""EKS user guide, Pod Identity trust policy | aws-cdk issue 31522: the role is refused as having
    an invalid trust policy""",
    covers=("D-04",),
    tags=("iam",),
    before="""Resources:
      FsxRole:
        Type: AWS::IAM::Role
        Properties:
          AssumeRolePolicyDocument:
            Statement: [{Effect: Allow, Principal: {Service: pods.eks.amazonaws.com}, Action: sts:AssumeRole}]""",
    after="""Resources:
      FsxRole:
        Type: AWS::IAM::Role
        Properties:
          AssumeRolePolicyDocument:
            Statement:
              - Effect: Allow
                Principal: {Service: pods.eks.amazonaws.com}
                Action: [sts:AssumeRole, sts:TagSession]""",
)
def check(template: TemplateView) -> Matches:
    for logical_id, properties in template.resources("AWS::IAM::Role"):
        found = [
            s
            for s in statements(properties.get("AssumeRolePolicyDocument"))
            if ("Service", _SERVICE) in principals(s)
        ]
        allowed = {action for statement in found for action in actions(statement)}
        missing = [
            action for action in _NEEDED if action.lower() not in allowed and not allowed & {"*", "sts:*"}
        ]
        if found and missing:
            yield Match(
                template.property_path(logical_id, "AssumeRolePolicyDocument"),
                f"role {logical_id} does not allow {_SERVICE} {' and '.join(missing)}",
            )
