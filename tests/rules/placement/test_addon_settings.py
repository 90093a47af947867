"""Values of add-ons that nothing takes, and the NetworkPolicy that somebody has to enforce."""

from __future__ import annotations

import pytest

from tests.support.judging import environment_findings

OPERATOR = "amazon-sagemaker-hyperpod-inference"
OBSERVABILITY = "amazon-sagemaker-hyperpod-observability"


@pytest.mark.parametrize(
    ("fragment", "path", "severity", "says"),
    [
        (
            f"addon_values: {{{OPERATOR}: {{keda: {{auth: {{aws: {{irsa: {{enable: true}}}}}}}}}}}}",
            f"addon_values.{OPERATOR}.keda.auth.aws.irsa.enable",
            "warning",
            "keda.auth.aws.irsa.enabled",
        ),
        (
            f"addon_values: {{{OPERATOR}: {{tolerations: [a]}}}}",
            f"addon_values.{OPERATOR}.tolerations",
            "info",
            "confirms",
        ),
        (
            "addon_values: {coredns: {corefile: text}}",
            "addon_values.coredns.corefile",
            "info",
            "confirms",
        ),
        (
            f"addon_values: {{{OBSERVABILITY}: {{metricsProvider: {{nodeMetrics: {{level: ADVANCED}}}}}}}}",
            f"addon_values.{OBSERVABILITY}.metricsProvider.nodeMetrics.level",
            "info",
            "confirms",
        ),
        (
            f"{{addon_values: {{{OBSERVABILITY}: {{logging: {{}}}}}}, observability: {{enabled: false}}}}",
            f"addon_values.{OBSERVABILITY}",
            "warning",
            "not installed",
        ),
        (
            "addon_values: {amazon-sagemaker-hyperpod-taskgovernance: {a: 1}}",
            "addon_values.amazon-sagemaker-hyperpod-taskgovernance",
            "warning",
            "not installed",
        ),
    ],
)
def test_values_that_nothing_is_known_to_take(
    tmp_path, fragment: str, path: str, severity: str, says: str
) -> None:
    (found,) = environment_findings("DPD248", fragment, tmp_path)
    assert (found.path, found.severity) == (path, severity)
    assert says in found.message


@pytest.mark.parametrize(
    "fragment",
    [
        "addon_values: {cert-manager: {replicaCount: 2, webhook: {tolerations: []}}}",
        f"addon_values: {{{OPERATOR}: {{alb: {{}}, keda: {{enabled: false}}}}}}",
        f"addon_values: {{{OBSERVABILITY}: {{ampWorkspace: {{arn: x}}}}}}",
        "{task_governance: true, addon_values: {amazon-sagemaker-hyperpod-taskgovernance: {}}}",
    ],
)
def test_known_keys_of_installed_addons(tmp_path, fragment: str) -> None:
    assert environment_findings("DPD248", fragment, tmp_path) == []


def test_a_policy_of_ours_is_enforced_unless_somebody_says_no(tmp_path) -> None:
    assert environment_findings("DPD249", "production: false", tmp_path) == []
    off = "addons: {vpc_cni: {network_policy: false}}"
    (found,) = environment_findings("DPD249", off, tmp_path)
    assert found.path == "addons.vpc_cni.network_policy"
    for no_policy in (
        off + "\nplatform: {network_policies: false}",
        off + "\nendpoints: {llama-70b: {topology: colocated}}",
    ):
        assert environment_findings("DPD249", no_policy, tmp_path) == []


def test_on_a_cluster_of_others_it_is_said_and_no_more(tmp_path) -> None:
    (found,) = environment_findings("DPD249", "production: false", tmp_path, name="existing-cluster")
    assert found.severity == "info" and "owner" in found.message
    ours = "cluster: {existing: {addons: [kube-proxy, coredns, eks-pod-identity-agent]}}"
    assert environment_findings("DPD249", ours, tmp_path, name="existing-cluster") == []


def test_a_prometheus_of_ones_own_has_to_be_let_in(tmp_path) -> None:
    own = "observability: {prometheus_operator: true}"
    (found,) = environment_findings("DPD249", own, tmp_path)
    assert "worker_clients" in found.fix
    assert environment_findings("DPD249", own + "\nplatform: {worker_clients: [monitoring]}", tmp_path) == []
