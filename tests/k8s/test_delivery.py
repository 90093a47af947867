"""Argo CD, Flux and kubectl: the same apps in the same order, and the operator's chart where Helm installs it."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.order import app_names, app_wave, waits_for
from k8s.layout import files
from k8s.rendering import render

REPOSITORY = "https://git.example.com/platform/gitops.git"
COMMIT = "0123456789abcdef0123456789abcdef01234567"
OUTPUTS = """
vpc_id: vpc-0123456789abcdef0
hyperpod_cluster_arn: arn:aws:sagemaker:us-west-2:111122223333:cluster/abcdefghijkl
load_balancer_role_arn: arn:aws:iam::111122223333:role/alb
autoscaler_role_arn: arn:aws:iam::111122223333:role/keda
"""
FULL = """
operator: {install: helm, release: "3.4", chart: {commit: "COMMIT"}}
delivery:
  kind: KIND
  repository: "REPOSITORY"
  path: clusters
  identity_center: {instance_arn: "arn:aws:sso:::instance/ssoins-1234567890abcdef"}
endpoints:
  llama-70b:
    benchmark: {}
    model: {weights: {staging: {commit: "COMMIT"}}}
routes: {chat: {weights: {llama-70b: 1}}}
"""


def delivered(document: Any, kind: str, **more: str) -> Any:
    fragment = FULL.replace("KIND", kind).replace("REPOSITORY", REPOSITORY).replace("COMMIT", COMMIT)
    return document(fragment, outputs=OUTPUTS, **more)


def app(environment: Any, name: str) -> list[dict[str, Any]]:
    return next((list(each.objects) for each in environment.apps if each.name == name), [])


def of_kind(items: list[dict[str, Any]], kind: str) -> dict[str, dict[str, Any]]:
    return {item["metadata"]["name"]: item for item in items if item["kind"] == kind}


def test_apps_are_ordered_and_wait_for_the_nearest_wave_before(document):
    apps = app_names(delivered(document, "flux"))
    assert apps == [
        "dependencies",
        "platform",
        "operator",
        "images",
        "weights",
        "endpoint-llama-70b",
        "routes",
        "benchmark-llama-70b",
        "observability",
    ]
    waits = {each: waits_for(each, apps) for each in apps}
    assert waits["platform"] == []
    assert waits["operator"] == ["dependencies", "platform"]
    assert waits["endpoint-llama-70b"] == ["images", "weights"]
    assert waits["benchmark-llama-70b"] == ["endpoint-llama-70b"]


def test_rendered_apps_are_exactly_those_that_delivery_knows(environment, blueprints, rendered):
    apps = {each.name for each in rendered[environment].apps if not each.name.startswith("delivery")}
    assert apps == set(app_names(blueprints[environment]))


def test_every_object_says_its_wave(environment, rendered):
    for each in rendered[environment].apps:
        for item in each.objects:
            if item["kind"] == "Application":
                continue  # which is of the wave of what it delivers
            assert item["metadata"]["annotations"][names.WAVE_ANNOTATION] == str(app_wave(each.name))


@pytest.mark.parametrize("kind", ["argocd", "argocd-managed"])
def test_argo_cd_applies_each_folder_in_its_wave(document, kind):
    blueprint = delivered(document, kind)
    environment = render(blueprint)
    arn = "arn:aws:eks:us-west-2:111122223333:cluster/dpd-dev"
    server = arn if kind == "argocd-managed" else "https://kubernetes.default.svc"
    children = of_kind(app(environment, "delivery-apps"), "Application")
    waves = {
        item["spec"]["source"]["path"]: int(item["metadata"]["annotations"][names.WAVE_ANNOTATION])
        for item in children.values()
    }
    assert waves == {f"clusters/dev/{each}": app_wave(each) for each in app_names(blueprint)}
    for item in children.values():
        assert item["spec"]["source"]["repoURL"] == REPOSITORY
        assert item["spec"]["destination"] == {"server": server}
        assert "ServerSideApply=true" in item["spec"]["syncPolicy"]["syncOptions"]
        assert item["spec"]["project"] == "dpd-dev"
    first = app(environment, "delivery")
    [root] = of_kind(first, "Application").values()
    assert root["spec"]["source"]["path"] == "clusters/dev/delivery-apps"
    [project] = of_kind(first, "AppProject").values()
    assert project["spec"]["destinations"] == [{"server": server, "namespace": "*"}]
    assert REPOSITORY in project["spec"]["sourceRepos"]
    secrets = of_kind(first, "Secret")
    if kind == "argocd":
        assert secrets == {}
    else:
        [secret] = secrets.values()
        assert secret["metadata"]["labels"]["argocd.argoproj.io/secret-type"] == "cluster"
        assert secret["stringData"] == {"name": "dpd-dev", "server": arn, "project": "dpd-dev"}


def test_flux_waits_where_argo_cd_counts_waves(document):
    blueprint = delivered(document, "flux")
    items = app(render(blueprint), "delivery")
    units = of_kind(items, "Kustomization")
    [repository] = of_kind(items, "GitRepository").values()
    assert repository["spec"]["ref"] == {"branch": "main"}
    for item in units.values():
        assert item["spec"]["sourceRef"] == {"kind": "GitRepository", "name": repository["metadata"]["name"]}
        for each in item["spec"].get("dependsOn", []):
            assert each["name"] in units
    by_path = {item["spec"]["path"]: item for item in units.values()}
    assert set(by_path) == {f"./clusters/dev/{each}" for each in app_names(blueprint)}
    assert "dependsOn" not in by_path["./clusters/dev/platform"]["spec"]
    assert by_path["./clusters/dev/benchmark-llama-70b"]["spec"]["dependsOn"] == [
        {"name": "dev-endpoint-llama-70b"}
    ]


def test_kubectl_needs_no_delivery_folder(rendered):
    assert not [each.name for each in rendered["dev"].apps if each.name.startswith("delivery")]
    folders = yaml.safe_load(files(rendered["dev"])["all/kustomization.yaml"])["resources"]
    assert folders == ["../platform", "../operator", "../images", "../endpoint-llama-70b", "../observability"]


def test_chart_is_pinned_by_commit_with_its_own_key_paths(document):
    argo = of_kind(app(render(delivered(document, "argocd")), "operator"), "Application")
    source = argo["dev-hyperpod-inference-operator"]["spec"]["source"]
    assert source["targetRevision"] == COMMIT
    flux = app(render(delivered(document, "flux")), "operator")
    [repository] = of_kind(flux, "GitRepository").values()
    [release] = of_kind(flux, "HelmRelease").values()
    assert repository["spec"]["ref"] == {"commit": COMMIT}
    assert release["spec"]["upgrade"]["crds"] == "CreateReplace"
    values = release["spec"]["values"]
    assert values == source["helm"]["valuesObject"]
    assert values["keda"]["podIdentity"]["aws"]["irsa"]["roleArn"].endswith("role/keda")
    assert "auth" not in values["keda"]  # the add-on's spelling
    assert values["alb"]["serviceAccount"]["annotations"] == {
        "eks.amazonaws.com/role-arn": "arn:aws:iam::111122223333:role/alb"
    }
    assert "roleArn" not in values["alb"]["serviceAccount"]
    assert values["tlsCertificateS3Bucket"] == "s3://hyperpod-tls-dev-111122223333-us-west-2"
    assert values["executionRoleArn"].startswith("arn:aws:iam::111122223333:role/SageMakerHyperPodInference")
    assert [values[each]["enabled"] for each in ("s3", "fsx", "metrics", "cert-manager")] == [False] * 4


def test_in_a_closed_network_the_chart_asks_no_service_without_an_endpoint(document):
    fragment = FULL.replace("KIND", "flux").replace("REPOSITORY", REPOSITORY).replace("COMMIT", COMMIT)
    values = []
    for more in ("", "network: {closed: true}\n"):
        [release] = of_kind(
            app(render(document(fragment + more, outputs=OUTPUTS)), "operator"), "HelmRelease"
        ).values()
        values.append(release["spec"]["values"])
    open_values, closed_values = values
    switches = {"enableShield", "enableWaf", "enableWafv2"}
    assert {closed_values["alb"][switch] for switch in switches} == {False}
    assert not switches & open_values["alb"].keys()


def test_addon_install_renders_only_what_the_addon_lacks(rendered):
    kinds = {item["kind"] for item in app(rendered["dev"], "operator")}
    assert kinds == {"Role", "RoleBinding"}


def test_helm_release_without_its_facts_is_left_out_and_named(document):
    environment = render(document(f'operator: {{install: helm, chart: {{commit: "{COMMIT}"}}}}'))
    assert "Namespace" in {item["kind"] for item in app(environment, "operator")}
    [note] = [each for each in environment.notes if each.subject == "operator.install"]
    assert "vpc_id, hyperpod_cluster_arn, load_balancer_role_arn, autoscaler_role_arn" in note.message


def test_names_of_units_stay_short_and_apart(document):
    from k8s.charts.delivery import LONGEST_NAME, unit

    long = "e" * 40
    names_ = [unit("a" * 16, f"endpoint-{long}{end}") for end in "ab"]
    assert len(set(names_)) == 2 and all(len(each) <= LONGEST_NAME for each in names_)
