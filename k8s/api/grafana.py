"""Custom resources of grafana-operator."""

from __future__ import annotations

from typing import Any

_API = "grafana.integreatly.org/v1beta1"
INSTANCE_LABEL = "dpd.hyperpod/grafana"
TOKEN_KEY = "token"


def grafana(*, name: str, namespace: str, url: str, secret: str) -> dict[str, Any]:
    """A Grafana that stands elsewhere, such as a managed workspace."""
    return {
        "apiVersion": _API,
        "kind": "Grafana",
        "metadata": {"name": name, "namespace": namespace, "labels": {INSTANCE_LABEL: name}},
        "spec": {"external": {"url": url, "apiKey": {"name": secret, "key": TOKEN_KEY}}},
    }


def datasource(*, name: str, namespace: str, instance: str, url: str, region: str) -> dict[str, Any]:
    """The AMP workspace as the workspace's default source; requests are signed with its role."""
    return {
        "apiVersion": _API,
        "kind": "GrafanaDatasource",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {
            "instanceSelector": {"matchLabels": {INSTANCE_LABEL: instance}},
            "datasource": {
                "name": "Prometheus",
                "type": "prometheus",
                "access": "proxy",
                "url": url,
                "isDefault": True,
                "jsonData": {
                    "httpMethod": "POST",
                    "sigV4Auth": True,
                    # The role of a managed workspace; its other providers are switched off there.
                    "sigV4AuthType": "ec2_iam_role",
                    "sigV4Region": region,
                },
            },
        },
    }


def dashboard(*, name: str, namespace: str, instance: str, folder: str, text: str) -> dict[str, Any]:
    """One board; its JSON is text, as grafana-operator takes it."""
    return {
        "apiVersion": _API,
        "kind": "GrafanaDashboard",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {
            "instanceSelector": {"matchLabels": {INSTANCE_LABEL: instance}},
            "allowCrossNamespaceImport": True,
            "folder": folder,
            "json": text,
        },
    }
