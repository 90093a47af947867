from hyperpod_dpd.rules.agreement.disagreements import matches
from hyperpod_dpd.rules.rule import ERROR, PAIR, Matches, PairView, rule


@rule(
    ("DPD1008", "service-account-rendered", ERROR, PAIR),
    title="A role trusts a service account that no manifest renders",
    what="""Every service account that a pod identity or a role in the templates lets act, against those
    rendered or brought by add-ons.""",
    why="The pod of that name runs without its AWS rights, and fails at its first call.",
    fine="For accounts that another team's manifests bring.",
    fix="render the service account, or correct namespace and name in the template",
    sources="hyperpod-dpd, re-derived from templates and manifests",
    tags=("agreement",),
    waivable=True,
    before="template: {Resources: {Client: {Properties: {ServiceAccount: cliemt}}}}",
    after="template: {Resources: {Client: {Properties: {ServiceAccount: client}}}}",
)
def check(pair: PairView) -> Matches:
    yield from matches(pair, "service-account")
