from hyperpod_dpd.rules.agreement.disagreements import matches
from hyperpod_dpd.rules.rule import ERROR, PAIR, Matches, PairView, rule


@rule(
    ("DPD1009", "operator-trusted", ERROR, PAIR),
    title="No role of the templates trusts the operator's service accounts",
    what="That a role in the templates trusts the accounts under which the inference operator may run.",
    why="""The operator gets no credentials: endpoints stay without load balancer, certificate and SageMaker
    endpoint.""",
    fine="When the operator's role is made outside these templates.",
    fix="trust both service account names, of the add-on and of the Helm chart, in the operator's role",
    sources="hyperpod-dpd, re-derived from templates and manifests",
    tags=("agreement",),
    waivable=True,
    before="template: {Resources: {OperatorRole: null}}",
    after="template: {Resources: {OperatorRole: {Type: AWS::IAM::Role}}}",
)
def check(pair: PairView) -> Matches:
    yield from matches(pair, "operator-identity")
