from hyperpod_dpd.blueprint import names
from hyperpod_dpd.catalog import requirements
from hyperpod_dpd.rules.rule import TEMPLATE, WARNING, Match, Matches, TemplateView, rule
from hyperpod_dpd.view.template_values import UNKNOWN, as_list, flat, service_accounts, statements

_ACCOUNTS = (names.OPERATOR_SERVICE_ACCOUNT, names.OPERATOR_SERVICE_ACCOUNT_HELM)


@rule(
    ("DPD259", "operator-trust", WARNING, TEMPLATE),
    title="The operator's role trusts only one of the two names its account may have",
    what="""That a role trusted for the operator's service account is trusted under both names that AWS's own
    pages give it, and has the managed inference policy or policies of its own.""",
    why="""The guide and the chart name the account differently, and which one runs depends on the way of
    installation. Trusted under the wrong name alone, the operator starts and every call to AWS is denied.""",
    fine="Where the name that the installed operator runs under was looked up in the cluster.",
    fix="trust both service accounts, and attach the managed inference policy",
    sources="""SageMaker developer guide, model-deployment setup: service account of the add-on | HyperPod CLI
    repository, inference operator chart, and the DPD page: service account of the chart""",
    covers=("R39", "HI-0.4"),
    tags=("iam", "addons"),
    before="""Resources:
      OperatorRole:
        Properties:
          AssumeRolePolicyDocument:
            Version: "2012-10-17"
            Statement:
              - Effect: Allow
                Principal: {Federated: {Fn::GetAtt: [Provider, Arn]}}
                Action: sts:AssumeRoleWithWebIdentity
                Condition:
                  StringEquals:
                    issuer:sub:
                      system:serviceaccount:hyperpod-inference-system:hyperpod-inference-controller-manager""",
    after="""Resources:
      OperatorRole:
        Properties:
          AssumeRolePolicyDocument:
            Version: "2012-10-17"
            Statement:
              - Effect: Allow
                Principal: {Federated: {Fn::GetAtt: [Provider, Arn]}}
                Action: sts:AssumeRoleWithWebIdentity
                Condition:
                  StringEquals:
                    issuer:sub:
                    - system:serviceaccount:hyperpod-inference-system:hyperpod-inference-controller-manager
                    - system:serviceaccount:hyperpod-inference-system:hyperpod-inference-operator-controller-manager""",
)
def check(template: TemplateView) -> Matches:
    wanted = {f"{names.OPERATOR_NAMESPACE}:{name}" for name in _ACCOUNTS}
    policy = str(requirements.requirement("inference_policy").value)
    for logical_id, properties in template.resources("AWS::IAM::Role"):
        trust = properties.get("AssumeRolePolicyDocument")
        trusted = {account for s in statements(trust) for _, account in service_accounts(s)} & wanted
        if not trusted:
            continue
        for missing in sorted(wanted - trusted):
            yield Match(
                template.property_path(logical_id, "AssumeRolePolicyDocument"),
                f"role {logical_id} does not trust {missing}, the other name the operator may run under",
            )
        attached = [flat(arn) for arn in as_list(properties.get("ManagedPolicyArns"))]
        if not properties.get("Policies") and not any(arn.endswith((policy, UNKNOWN)) for arn in attached):
            yield Match(
                template.property_path(logical_id, "ManagedPolicyArns"),
                f"role {logical_id} has neither {policy} nor policies of its own",
            )
