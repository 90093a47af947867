import re

from hyperpod_dpd.rules.rule import ERROR, TEMPLATE, WARNING, Match, Matches, Path, TemplateView, rule
from hyperpod_dpd.view.template_values import anybody, service_accounts, statements

_OPEN = re.compile(r"[*?]")


@rule(
    ("DPD260", "open-trust", ERROR, TEMPLATE),
    title="A role may be assumed by anybody or by any pod",
    what="""That no trust policy allows the principal *, or all but those in NotPrincipal, without a condition
    that says who, and that no condition on service accounts leaves both the namespace and the name open. A
    pattern with one of the two is a warning.""",
    why="""Any pod that may make a service account, a user's notebook among them, then holds the rights of
    that role: certificates, load balancers, model weights.""",
    fine="For the pattern that AWS documents for gated models: any namespace, one account name.",
    fix="name the principals, and each service account by namespace and name",
    sources="""IAM user guide, trust policies | AWS's published HyperPod cluster templates trust every service
    account: not to be copied""",
    covers=("HI-3",),
    tags=("iam", "security"),
    before="""Resources:
      NodeRole:
        Properties:
          AssumeRolePolicyDocument:
            Version: "2012-10-17"
            Statement: [{Effect: Allow, Principal: "*", Action: sts:AssumeRole}]""",
    after="""Resources:
      NodeRole:
        Properties:
          AssumeRolePolicyDocument:
            Version: "2012-10-17"
            Statement: [{Effect: Allow, Principal: {Service: sagemaker.amazonaws.com}, Action: sts:AssumeRole}]""",
)
def check(template: TemplateView) -> Matches:
    for logical_id, properties in template.resources("AWS::IAM::Role"):
        path = template.property_path(logical_id, "AssumeRolePolicyDocument")
        for statement in statements(properties.get("AssumeRolePolicyDocument")):
            if who := anybody(statement):
                yield Match(path, f"role {logical_id} may be assumed by anybody ({who})")
            for operator, account in service_accounts(statement):
                if "like" in operator.lower():
                    yield from _pattern(path, logical_id, account)


def _pattern(path: Path, logical_id: str, account: str) -> Matches:
    namespace, _, name = account.partition(":")
    if not _OPEN.search(account):
        return
    whole = namespace.strip("*") == "" and name.strip("*") == ""
    reach = "every pod of the cluster" if whole else f"all service accounts like {account}"
    yield Match(path, f"role {logical_id} may be assumed by {reach}", None if whole else WARNING)
