"""The observability app: what it holds by default, with the add-on's CRD known, and for the Prometheus operator."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
import yaml

from k8s.rendered import RenderedEnvironment
from k8s.rendering import render
from lib.blueprint.model import Blueprint
from lib.observability.exporter import text
from lib.observability.rules import environment_rules
from lib.observability.rules import render as render_rules


def objects(rendered: RenderedEnvironment) -> list[dict[str, Any]]:
    return next((list(app.objects) for app in rendered.apps if app.name == "observability"), [])


def of_kind(rendered: RenderedEnvironment, kind: str) -> list[dict[str, Any]]:
    return [item for item in objects(rendered) if item["kind"] == kind]


@pytest.fixture(scope="module")
def watched(dev: Blueprint):  # type: ignore[no-untyped-def]
    def change(**changes: Any) -> RenderedEnvironment:
        assert dev.observability is not None
        return render(replace(dev, observability=replace(dev.observability, **changes)))

    return change


def test_the_exporter_gets_the_very_program(
    rendered: dict[str, RenderedEnvironment], environment: str
) -> None:
    (config,) = of_kind(rendered[environment], "ConfigMap")
    assert config["data"]["dpd_log_exporter.py"] == text()


def test_the_exporter_reads_logs_of_its_targets_and_nothing_else(watched) -> None:  # type: ignore[no-untyped-def]
    roles = of_kind(watched(), "Role")
    assert {role["metadata"]["namespace"] for role in roles} == {"inference", "hyperpod-inference-system"}
    for role in roles:
        for rule in role["rules"]:
            assert set(rule["verbs"]) <= {"get", "list"} and set(rule["resources"]) <= {"pods", "pods/log"}
    (deployment,) = of_kind(watched(), "Deployment")
    pod = deployment["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    targets = json.loads(container["env"][0]["value"])
    assert [target["deployment"] for target in targets] == [
        "prefill-llama-70b",
        "decode-llama-70b",
        "llama-70b-inference-router",
    ]


def test_observability_config_is_not_guessed(watched) -> None:  # type: ignore[no-untyped-def]
    without = watched()
    assert not of_kind(without, "ObservabilityConfig")
    assert any("ObservabilityConfig" in note.message for note in without.notes)
    given = watched(observability_config_api_version="observability.example.com/v1")
    (config,) = of_kind(given, "ObservabilityConfig")
    assert config["apiVersion"] == "observability.example.com/v1"
    (target,) = config["spec"]["customServiceScrapeTargets"]
    (service,) = of_kind(given, "Service")
    host, _, port = target["target"].partition(":")
    assert host == f"{service['metadata']['name']}.{service['metadata']['namespace']}.svc.cluster.local"
    assert int(port) == service["spec"]["ports"][0]["port"]


def test_dashboards_are_json_for_one_instance(watched) -> None:  # type: ignore[no-untyped-def]
    boards = of_kind(watched(), "GrafanaDashboard")
    assert len(boards) == 4
    for board in boards:
        assert json.loads(board["spec"]["json"])["title"]
        assert board["spec"]["instanceSelector"]["matchLabels"] == {"dpd.hyperpod/grafana": "dpd"}


def test_managed_grafana_is_reached_by_a_token_that_is_fetched_anew(watched) -> None:  # type: ignore[no-untyped-def]
    assert not of_kind(watched(), "Grafana")
    url, amp = "https://g-1.grafana-workspace.us-west-2.amazonaws.com", "https://aps.example/workspaces/ws-1"
    given = watched(grafana_url=url, prometheus_url=amp)
    (grafana,) = of_kind(given, "Grafana")
    assert grafana["spec"]["external"]["url"] == url
    (secret,) = of_kind(given, "ExternalSecret")
    assert grafana["spec"]["external"]["apiKey"]["name"] == secret["spec"]["target"]["name"]
    assert secret["spec"]["data"][0]["remoteRef"]["key"] == "dpd/dev/grafana-token"
    assert secret["spec"]["data"][0]["secretKey"] == grafana["spec"]["external"]["apiKey"]["key"]
    (source,) = of_kind(given, "GrafanaDatasource")
    assert (
        source["spec"]["datasource"]["url"] == amp and source["spec"]["datasource"]["jsonData"]["sigV4Auth"]
    )


def test_the_prometheus_operator_gets_the_same_rules(watched, dev: Blueprint) -> None:  # type: ignore[no-untyped-def]
    assert not of_kind(watched(), "PrometheusRule")
    given = watched(prometheus_operator=True)
    (rule,) = of_kind(given, "PrometheusRule")
    (rules,) = environment_rules(dev)
    assert rule["spec"] == render_rules(rules)
    (monitor,) = of_kind(given, "ServiceMonitor")
    assert monitor["spec"]["endpoints"][0]["honorLabels"] is True
    monitors = of_kind(given, "PodMonitor")
    assert len(monitors) == 4
    for item in monitors:
        (endpoint,) = item["spec"]["podMetricsEndpoints"]
        labels = {
            r["targetLabel"]: r.get("replacement") for r in endpoint["relabelings"] if "targetLabel" in r
        }
        assert labels["resource_name"] in {"prefill-llama-70b", "decode-llama-70b"}
        assert {"pod_name", "namespace", "__address__"} <= set(labels)


def test_model_metrics_and_multiprocess_directory_are_set(
    rendered: dict[str, RenderedEnvironment], environment: str
) -> None:
    for app in rendered[environment].apps:
        for item in app.objects:
            if item["kind"] != "InferenceEndpointConfig":
                continue
            spec = item["spec"]
            port = spec["worker"]["modelInvocationPort"]["containerPort"]
            assert spec["metrics"]["modelMetrics"]["port"] == port
            variables = {v["name"]: v.get("value") for v in spec["worker"]["environmentVariables"]}
            assert variables["PROMETHEUS_MULTIPROC_DIR"] == "/tmp"


def test_an_environment_that_is_not_watched_has_no_such_app(watched) -> None:  # type: ignore[no-untyped-def]
    assert not objects(watched(enabled=False))
    quiet = watched(log_exporter=False, grafana_operator=False)
    assert [item["kind"] for item in objects(quiet)] == ["Namespace"]


def test_rules_survive_being_read_again(watched) -> None:  # type: ignore[no-untyped-def]
    from lib.document import dump_yaml

    (rule,) = of_kind(watched(prometheus_operator=True), "PrometheusRule")
    assert yaml.safe_load(dump_yaml(rule)) == rule
