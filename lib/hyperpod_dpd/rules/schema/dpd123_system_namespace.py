from hyperpod_dpd.blueprint import names
from hyperpod_dpd.rules.rule import ENDPOINT, WARNING, EndpointView, Match, Matches, rule

_KEPT = "kube-"
_OF_OPERATORS = frozenset({names.OPERATOR_NAMESPACE, names.AUTOSCALER_NAMESPACE_HELM})


@rule(
    ("DPD123", "system-namespace", WARNING, ENDPOINT),
    title="The endpoint stands in a namespace of the system",
    what="That the endpoint's namespace does not begin with kube- and is not one of the operator's own.",
    why="""Quotas, network policies and backups treat these namespaces as the system's; whoever may use the
    endpoint's Secrets there may use the system's. Removing or upgrading the operator may take the namespace
    along.""",
    fine="On a cluster for a trial that nobody else uses.",
    fix="give the endpoint a namespace of its own",
    sources="""Kubernetes documentation, namespaces: the prefix kube- is kept for the system | SageMaker
    developer guide, DPD page, namespace of the operator""",
    tags=("names",),
    before="metadata: {namespace: kube-system}",
    after="metadata: {namespace: inference}",
)
def check(endpoint: EndpointView) -> Matches:
    namespace = endpoint.namespace
    if namespace.startswith(_KEPT):
        yield Match(
            ("metadata", "namespace"), f"'{namespace}' begins with {_KEPT}, which Kubernetes keeps for itself"
        )
    elif namespace in _OF_OPERATORS:
        yield Match(("metadata", "namespace"), f"'{namespace}' is the namespace of an operator")
