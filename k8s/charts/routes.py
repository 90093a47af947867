"""One load balancer before the routers of several endpoints: blue and green by weight, whole requests at a time."""

from __future__ import annotations

import json
from typing import Any

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.apps import RoutePlan
from hyperpod_dpd.blueprint.model import Blueprint
from k8s.api.manifest import add
from k8s.charts.app_charts import AppCharts

_ACTION = "weighted"
_ROUTER_PORT = 443
_ALB = "alb.ingress.kubernetes.io"


def add_routes(charts: AppCharts, blueprint: Blueprint) -> None:
    """The Ingresses stand where the operator keeps its routing Services: an Ingress reaches its own namespace only."""
    if not blueprint.apps.routes:
        return
    chart = charts.chart("routes")
    for route in blueprint.apps.routes:
        add(chart, _ingress(route))


def _ingress(route: RoutePlan) -> dict[str, Any]:
    groups = [
        {"serviceName": service, "servicePort": _ROUTER_PORT, "weight": weight}
        for service, weight in route.backends
    ]
    forward = {"type": "forward", "forwardConfig": {"targetGroups": groups}}
    annotations = {
        f"{_ALB}/actions.{_ACTION}": json.dumps(forward, separators=(",", ":")),
        f"{_ALB}/backend-protocol": "HTTP",
        f"{_ALB}/healthcheck-path": route.health_check_path,
        f"{_ALB}/listen-ports": '[{"HTTPS":443}]' if route.certificate_arn else '[{"HTTP":80}]',
        f"{_ALB}/load-balancer-attributes": f"idle_timeout.timeout_seconds={route.idle_timeout_seconds}",
        f"{_ALB}/scheme": route.scheme,
        f"{_ALB}/target-type": "ip",
    }
    if route.certificate_arn:
        annotations[f"{_ALB}/certificate-arn"] = route.certificate_arn
    backend = {"service": {"name": _ACTION, "port": {"name": "use-annotation"}}}
    paths = [{"path": path, "pathType": "Prefix", "backend": backend} for path in route.paths]
    return {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "Ingress",
        "metadata": {
            "name": f"route-{route.name}",
            "namespace": names.OPERATOR_NAMESPACE,
            "annotations": annotations,
        },
        "spec": {
            "ingressClassName": "alb",
            "rules": [{**({"host": route.host} if route.host else {}), "http": {"paths": paths}}],
        },
    }
