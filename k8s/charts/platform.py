"""What endpoints stand on in the cluster: their namespaces and the identity of their clients.

No ResourceQuota or LimitRange: a GPU quota of exactly the planned replicas blocks the one surge pod of a
rolling update, and a CPU or memory quota refuses the operator's sidecars, which state neither.
"""

from __future__ import annotations

from constructs import Construct

from k8s.api.core import Namespace, ServiceAccount
from k8s.charts.app_chart import app_chart
from lib.blueprint import names
from lib.blueprint.model import Blueprint

_EVERY_CLUSTER_HAS = frozenset({"default", "kube-system", "kube-public", "kube-node-lease"})


def add_platform(scope: Construct, blueprint: Blueprint) -> None:
    """Namespaces of the endpoints, each with an identity for in-cluster clients such as benchmark Jobs.

    A namespace that exists without us is not rendered: pruning the app would delete it.
    """
    namespaces = sorted({endpoint.namespace for endpoint in blueprint.endpoints})
    if not namespaces:
        return
    chart = app_chart(scope, "platform", blueprint)
    for namespace in namespaces:
        if namespace not in _EVERY_CLUSTER_HAS | {names.OPERATOR_NAMESPACE}:
            Namespace(chart, f"namespace-{namespace}", name=namespace)
    for namespace in namespaces:
        ServiceAccount(
            chart,
            f"client-{namespace}",
            name=names.CLIENT_SERVICE_ACCOUNT,
            namespace=namespace,
            api_token=False,
        )
