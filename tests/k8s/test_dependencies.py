"""What HyperPod needs before nodes join: one release at one commit, for inference, for the types that there are."""

from __future__ import annotations

from typing import Any

import pytest

from hyperpod_dpd.catalog import tools
from k8s.rendering import render

DELIVERY = "delivery: {kind: KIND, repository: https://git.example.com/gitops.git}\n"
IDENTITY = "{instance_arn: arn:aws:sso:::instance/ssoins-1234567890abcdef}"
MANAGED = (
    "delivery: {kind: argocd-managed, repository: https://git.example.com/gitops.git, "
    f"identity_center: {IDENTITY}}}\n"
)


def objects(blueprint: Any) -> list[dict[str, Any]]:
    return next((list(app.objects) for app in render(blueprint).apps if app.name == "dependencies"), [])


def values(document: Any, fragment: str = "", **more: Any) -> dict[str, Any]:
    [item] = objects(document(MANAGED + fragment, **more))
    found: dict[str, Any] = item["spec"]["source"]["helm"]["valuesObject"]
    return found


def test_the_managed_argo_cd_installs_it_before_there_are_nodes(document):
    [item] = objects(document(MANAGED))
    source = item["spec"]["source"]
    assert item["kind"] == "Application" and item["metadata"]["name"] == "dev-hyperpod-dependencies"
    assert source["targetRevision"] == tools.value("dependencies_chart_commit").value
    assert source["path"] == "helm_chart/HyperPodHelmChart"
    assert item["spec"]["destination"]["namespace"] == "kube-system"
    assert item["metadata"]["annotations"]["argocd.argoproj.io/sync-wave"] == "0"


def test_flux_has_a_release_of_a_repository_at_the_commit(document):
    items = {item["kind"]: item for item in objects(document(DELIVERY.replace("KIND", "flux")))}
    assert items["GitRepository"]["spec"]["ref"] == {"commit": tools.value("dependencies_chart_commit").value}
    release = items["HelmRelease"]["spec"]
    assert release["releaseName"] == "hyperpod-dependencies" and release["targetNamespace"] == "kube-system"
    assert release["chart"]["spec"]["sourceRef"]["name"] == items["GitRepository"]["metadata"]["name"]


def test_kubectl_gets_a_note_and_no_object(document):
    environment = render(document(""))
    assert "dependencies" not in {app.name for app in environment.apps}
    [note] = [note for note in environment.notes if note.subject == "cluster.dependencies"]
    assert "dpd runbook install-dependencies dev" in note.message


def test_somebody_elses_installation_is_left_alone(document):
    blueprint = document(MANAGED + "cluster: {dependencies: {install: false}}")
    assert objects(blueprint) == []
    assert not [note for note in render(blueprint).notes if note.subject == "cluster.dependencies"]


def test_what_training_wants_is_off_and_what_inference_needs_is_on(document):
    found = values(document)
    off = {key for key, value in found.items() if value.get("enabled") is False}
    assert {"trainingOperators", "mpi-operator", "kuberay", "inferenceOperators", "cert-manager"} <= off
    on = {key for key, value in found.items() if value.get("enabled") is True}
    assert on == {"health-monitoring-agent", "deep-health-check", "job-auto-restart", "hyperpod-patching"}
    assert found["health-monitoring-agent"]["region"] == found["global"]["region"] == "us-west-2"
    assert found["neuron-device-plugin"] == {"devicePlugin": {"enabled": False}}


def test_device_plugins_know_the_environments_own_types(document):
    groups = "{prefill: {instance_type: ml.p6-b300.48xlarge}, decode: {alternatives: [ml.p5e.48xlarge]}}"
    found = values(document, f"cluster: {{instance_groups: {groups}}}")
    types = ["ml.p5.48xlarge", "ml.p5e.48xlarge", "ml.p6-b300.48xlarge"]
    assert found["aws-efa-k8s-device-plugin"]["supportedInstanceLabels"]["values"] == types
    affinity = found["nvidia-device-plugin"]["affinity"]["nodeAffinity"]
    [term] = affinity["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    assert term["matchExpressions"][0]["values"] == types


def test_the_documents_values_lie_over_ours(document):
    fragment = (
        "cluster: {dependencies: {release: deps, namespace: hyperpod, values: "
        "{mlflow: {enabled: true}, health-monitoring-agent: {region: eu-west-1}}, "
        "chart: {commit: 0123456789abcdef0123456789abcdef01234567, path: charts/hyperpod}}}"
    )
    [item] = objects(document(MANAGED + fragment))
    found = item["spec"]["source"]["helm"]["valuesObject"]
    assert found["mlflow"] == {"enabled": True}
    assert found["health-monitoring-agent"] == {"enabled": True, "region": "eu-west-1"}
    assert item["spec"]["source"]["targetRevision"] == "0123456789abcdef0123456789abcdef01234567"
    assert item["spec"]["source"]["path"] == "charts/hyperpod"
    assert item["metadata"]["name"] == "dev-deps" and item["spec"]["destination"]["namespace"] == "hyperpod"


@pytest.mark.parametrize(
    ("images", "repository"),
    [
        ("public", None),
        ("mirror", "111122223333.dkr.ecr.us-west-2.amazonaws.com/dpd-dev/nvidia/k8s-device-plugin"),
    ],
)
def test_a_mirror_holds_the_device_plugin_too(document, images, repository):
    found = values(document, f"images: {{registry: {images}}}")["nvidia-device-plugin"]
    assert found.get("image", {}).get("repository") == repository
