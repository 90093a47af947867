"""Kubernetes' own kinds against the OpenAPI schemas of the environment's Kubernetes release, offline."""

from __future__ import annotations

import kubernetes_validate
import pytest


def is_core(item):
    """Kubernetes' own API groups have no dot, or end in k8s.io; custom resources are judged elsewhere."""
    group = item["apiVersion"].rpartition("/")[0]
    return "." not in group or group.endswith(".k8s.io")


def test_core_objects_are_valid(environment, rendered, blueprints):
    version = blueprints[environment].cluster.kubernetes_version
    seen = set()
    for app in rendered[environment].apps:
        for item in app.objects:
            if is_core(item):
                kubernetes_validate.validate(item, version, strict=True)
                seen.add(item["kind"])
    assert {"Namespace", "ServiceAccount"} <= seen


def test_validation_sees_an_unknown_field(rendered, dev):
    [account, *_] = [i for app in rendered["dev"].apps for i in app.objects if i["kind"] == "ServiceAccount"]
    with pytest.raises(kubernetes_validate.ValidationError, match="automountToken"):
        kubernetes_validate.validate(
            {**account, "automountToken": False}, dev.cluster.kubernetes_version, strict=True
        )
