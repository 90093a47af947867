"""
What it checks
--------------
That the endpoint's namespace does not begin with kube- and is not one of the operator's own.

Why it matters
--------------
Quotas, network policies and backups treat these namespaces as the system's; whoever may use the endpoint's
Secrets there may use the system's. Removing or upgrading the operator may take the namespace along.

When this is fine
-----------------
On a cluster for a trial that nobody else uses.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD123",
    name="system-namespace",
    severity=Severity.WARNING,
    title="The endpoint stands in a namespace of the system",
    fix="give the endpoint a namespace of its own",
    sources=(
        "Kubernetes documentation, namespaces: the prefix kube- is kept for the system",
        "SageMaker developer guide, DPD page, namespace of the operator",
    ),
    applies_to=AppliesTo.ENDPOINT,
    tags=("names",),
    example=Example(
        before="""
metadata: {namespace: kube-system}
""",
        after="""
metadata: {namespace: inference}
""",
    ),
)

_KEPT = "kube-"
_OF_OPERATORS = frozenset({names.OPERATOR_NAMESPACE, names.AUTOSCALER_NAMESPACE_HELM})


def check(endpoint: EndpointView) -> Iterator[Hit]:
    namespace = endpoint.namespace
    if namespace.startswith(_KEPT):
        yield Hit(
            ("metadata", "namespace"), f"'{namespace}' begins with {_KEPT}, which Kubernetes keeps for itself"
        )
    elif namespace in _OF_OPERATORS:
        yield Hit(("metadata", "namespace"), f"'{namespace}' is the namespace of an operator")
