"""Kubernetes windows and EKS add-ons: versions, order, keys."""

import pytest

from hyperpod_dpd.catalog import data_files, kubernetes
from hyperpod_dpd.catalog.versions import AddonVersion, KubernetesVersion


@pytest.mark.parametrize(
    ("version", "stated", "safe"),
    [
        ("1.29", False, False),
        ("1.30", True, False),
        ("1.32", True, False),
        ("1.33", True, True),
        ("1.35", True, True),
        ("1.36", False, False),
        ("1.3", False, False),
    ],
)
def test_windows(version: str, stated: bool, safe: bool) -> None:
    parsed = KubernetesVersion.parse(version)
    assert (parsed in kubernetes.stated_window(), parsed in kubernetes.safe_window()) == (stated, safe)


def test_a_window_reads_well() -> None:
    assert str(kubernetes.safe_window()) == "1.33 to 1.35"


@pytest.mark.parametrize(
    ("name", "minimum"),
    [
        ("vpc-cni", "v1.18.3"),
        ("aws-mountpoint-s3-csi-driver", "v1.14.1-eksbuild.1"),
        ("aws-fsx-csi-driver", "v1.6.0-eksbuild.1"),
        ("metrics-server", "v0.7.2-eksbuild.4"),
        ("cert-manager", "v1.18.2-eksbuild.2"),
        ("amazon-sagemaker-hyperpod-inference", "v1.3.0-eksbuild.1"),
    ],
)
def test_minimum_versions(name: str, minimum: str) -> None:
    found = kubernetes.addon(name)
    assert found is not None and found.minimum == AddonVersion.parse(minimum)


def test_no_default_is_below_its_minimum() -> None:
    for entry in kubernetes.addons():
        if entry.minimum is not None and entry.default is not None:
            assert entry.default >= entry.minimum, entry.name


def test_every_addon_comes_after_what_it_needs() -> None:
    order = kubernetes.install_order()
    assert len(order) == len(set(order)) == 11
    for entry in kubernetes.addons():
        for needed in entry.depends_on:
            assert order.index(needed) < order.index(entry.name)


def test_addons_depend_only_on_each_other_and_never_in_a_circle() -> None:
    needs = {entry["name"]: set(entry["depends_on"]) for entry in data_files.document("kubernetes")["addons"]}
    while free := {name for name, needed in needs.items() if not needed}:
        needs = {name: needed - free for name, needed in needs.items() if name not in free}
    assert needs == {}


def test_order_that_the_installs_depend_on() -> None:
    order = kubernetes.install_order()
    for first in ("cert-manager", "aws-mountpoint-s3-csi-driver", "aws-fsx-csi-driver", "metrics-server"):
        assert order.index(first) < order.index(kubernetes.INFERENCE)
    assert order[-1] == "amazon-sagemaker-hyperpod-taskgovernance"
    without_nodes = [entry.name for entry in kubernetes.addons() if not entry.needs_nodes]
    assert (
        without_nodes
        == list(order[: len(without_nodes)])
        == ["vpc-cni", "kube-proxy", "eks-pod-identity-agent"]
    )


def test_every_addon_on_nodes_needs_name_resolution() -> None:
    needs = {entry.name: set(entry.depends_on) for entry in kubernetes.addons()}

    def everything_below(name: str) -> set[str]:
        return needs[name] | {below for needed in needs[name] for below in everything_below(needed)}

    for entry in kubernetes.addons():
        if entry.needs_nodes and entry.name != "coredns":
            assert "coredns" in everything_below(entry.name), entry.name


def test_keys_of_the_inference_addon() -> None:
    found = kubernetes.addon(kubernetes.INFERENCE)
    assert found is not None
    keys = {key.path: key for key in found.configuration}
    assert [path for path, key in keys.items() if key.required] == [
        "executionRoleArn",
        "tlsCertificateS3Bucket",
        "hyperpodClusterArn",
    ]
    assert keys["hyperpodClusterArn"].since == AddonVersion.parse("v1.2.0-eksbuild.1")
    assert "keda.auth.aws.irsa.roleArn" in keys and "keda.podIdentity.aws.irsa.roleArn" not in keys
    assert not keys["nodeSelector"].confirmed and keys["alb.enabled"].confirmed
    assert keys["nodeSelector"].source != found.source == keys["alb.enabled"].source


def test_both_service_account_names_of_the_operator_are_there() -> None:
    found = kubernetes.addon(kubernetes.INFERENCE)
    assert found is not None
    names = {account.partition("/")[2] for account in found.service_accounts}
    assert {
        "hyperpod-inference-controller-manager",
        "hyperpod-inference-operator-controller-manager",
    } <= names
    assert {account.partition("/")[0] for account in found.service_accounts} == {"hyperpod-inference-system"}


def test_keys_of_the_observability_addon_are_unconfirmed() -> None:
    found = kubernetes.addon("amazon-sagemaker-hyperpod-observability")
    assert found is not None and "configuration" in found.unconfirmed
    keys = {key.path: key for key in found.configuration}
    assert not keys["metricsProvider.networkMetrics"].confirmed
    assert "off by default" in keys["metricsProvider.networkMetrics"].note


def test_an_addon_of_no_concern_is_none() -> None:
    assert kubernetes.addon("amazon-sagemaker-hyperpod-training-operator") is None
