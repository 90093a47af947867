from hyperpod_dpd.rules.rule import ENDPOINT, INFO, EndpointView, Match, Matches, rule


@rule(
    ("DPD939", "own-service-account", INFO, ENDPOINT),
    title="An own service account needs a switch of the operator",
    what="Whether the endpoint's pods are to run under a service account of the user's.",
    why="""The operator admits such accounts only where its configuration says so; what it does with the field
    otherwise is not documented.""",
    fine="Where the switch is on.",
    fix="""set enableCustomServiceAccounts in the operator's configuration, or leave
    kubernetes.serviceAccountName out""",
    sources="HyperPod CLI repository, values of the inference operator chart",
    covers=("N-service-account",),
    tags=("operations",),
    before="spec: {kubernetes: {serviceAccountName: llm-reader}}",
    after="spec: {kubernetes: {volumes: []}}",
)
def check(endpoint: EndpointView) -> Matches:
    account = endpoint.get("kubernetes", "serviceAccountName")
    if account:
        yield Match(
            ("spec", "kubernetes", "serviceAccountName"),
            f"service account '{account}' works only where the operator has enableCustomServiceAccounts",
        )
