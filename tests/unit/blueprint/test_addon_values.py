"""Typed settings of add-ons become the values that each add-on spells its own way."""

from __future__ import annotations

from typing import Any

import pytest

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.model import Blueprint
from hyperpod_dpd.blueprint.resolve import resolve
from hyperpod_dpd.catalog import kubernetes
from hyperpod_dpd.config import load_document
from hyperpod_dpd.document import Document
from tests.support.documents import ENVIRONMENTS, environment
from tests.support.merging import merged


def blueprint(changes: dict[str, Any], base: str = "dev") -> Blueprint:
    path = ENVIRONMENTS / f"{base}.yaml"
    return resolve(load_document(Document(merged(environment(base), changes), str(path)), path))


def values(changes: dict[str, Any], addon: str, base: str = "dev") -> Any:
    return {plan.name: plan.values for plan in blueprint(changes, base).addons}.get(addon)


def test_parts_of_cert_manager() -> None:
    settings = {
        "replicas": 2,
        "tolerations": [{"key": "dedicated", "value": "gpu", "effect": "NoSchedule"}],
        "webhook": {"replicas": 3},
        "cainjector": {"tolerations": [{"effect": "NoExecute", "seconds": 60}, {}]},
    }
    assert values({"addons": {"cert_manager": settings}}, names.CERT_MANAGER_ADDON) == {
        "replicaCount": 2,
        "tolerations": [{"operator": "Equal", "key": "dedicated", "value": "gpu", "effect": "NoSchedule"}],
        "webhook": {"replicaCount": 3},
        "cainjector": {
            "tolerations": [
                {"operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 60},
                {"operator": "Exists"},
            ]
        },
    }


def test_what_is_unset_is_absent() -> None:
    for plan in blueprint({"platform": {"network_policies": False}}).addons:
        assert plan.values == {}, plan.name


def test_the_metrics_server_and_the_operator() -> None:
    role = "arn:aws:iam::111122223333:role/gated"
    changes = {
        "addons": {
            "metrics_server": {"tolerations": [{"key": "a"}]},
            "inference": {"gated_models_role_arn": role},
        }
    }
    assert values(changes, names.METRICS_SERVER_ADDON) == {
        "tolerations": [{"operator": "Exists", "key": "a"}]
    }
    assert values(changes, names.OPERATOR_ADDON) == {"jumpstartGatedModelDownloadRoleArn": role}


@pytest.mark.parametrize(
    ("changes", "base", "expected"),
    [
        ({}, "dev", {"enableNetworkPolicy": "true"}),
        ({"platform": {"network_policies": False}}, "dev", {}),
        ({"endpoints": {"llama-70b": {"topology": "colocated"}}}, "dev", {}),
        ({"addons": {"vpc_cni": {"network_policy": False}}}, "dev", {}),
        (
            {"platform": {"network_policies": False}, "addons": {"vpc_cni": {"network_policy": True}}},
            "dev",
            {"enableNetworkPolicy": "true"},
        ),
        (
            {"addon_values": {"vpc-cni": {"env": {"WARM_ENI_TARGET": "1"}}}},
            "dev",
            {"enableNetworkPolicy": "true", "env": {"WARM_ENI_TARGET": "1"}},
        ),
        (
            {"addon_values": {"vpc-cni": {"enableNetworkPolicy": "false"}}},
            "dev",
            {"enableNetworkPolicy": "false"},
        ),
        ({}, "existing-cluster", None),
    ],
)
def test_the_network_plug_in_enforces_what_is_rendered(
    changes: dict[str, Any], base: str, expected: Any
) -> None:
    assert values(changes, names.CNI_ADDON, base) == expected


def test_every_typed_key_is_one_that_a_source_confirms() -> None:
    everything = {
        "addons": {
            "cert_manager": {
                "replicas": 2,
                "tolerations": [{}],
                "webhook": {"replicas": 2, "tolerations": [{}]},
                "cainjector": {"replicas": 2, "tolerations": [{}]},
            },
            "metrics_server": {"tolerations": [{}]},
            "inference": {"gated_models_role_arn": "arn:aws:iam::111122223333:role/gated"},
        }
    }
    seen = set()
    for plan in blueprint(everything).addons:
        addon = kubernetes.addon(plan.name)
        assert addon is not None
        confirmed = {key.path for key in addon.configuration if key.confirmed}
        for path in _paths(plan.values):
            assert path in confirmed, f"{plan.name}: {path}"
            seen.add(path)
    assert len(seen) == 8


def test_levels_of_metrics() -> None:
    plan = blueprint(
        {"task_governance": True, "addons": {"observability": {"metrics": {"node": "ADVANCED"}}}}
    ).observability
    assert plan is not None
    assert (plan.metric_levels["node"], plan.metric_levels["task_governance"]) == ("ADVANCED", "BASIC")
    assert plan.metric_levels["training"] == "DISABLED"


def _paths(value: Any, above: str = "") -> list[str]:
    if not isinstance(value, dict):
        return [above]
    return [p for key, inner in value.items() for p in _paths(inner, f"{above}.{key}".lstrip("."))]
