"""What the inference operator needs in the cluster beyond its own install."""

from __future__ import annotations

from constructs import Construct

from k8s.api.core import Namespace
from k8s.charts.app_chart import app_chart
from lib.blueprint import names
from lib.blueprint.model import Blueprint


def add_operator(scope: Construct, blueprint: Blueprint) -> None:
    """The EKS add-on brings everything, so only a Helm install gets an app: the namespace it goes into."""
    if blueprint.operator.install == "addon":
        return
    chart = app_chart(scope, "operator", blueprint)
    Namespace(chart, "namespace", name=names.OPERATOR_NAMESPACE)
