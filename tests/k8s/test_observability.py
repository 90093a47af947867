"""The observability app: what it holds by default, with the add-on's CRD known, and for the Prometheus operator."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import jsonschema
import pytest
import yaml

from hyperpod_dpd.blueprint.model import Blueprint
from hyperpod_dpd.observability.exporter import texts
from hyperpod_dpd.observability.rules import environment_rules
from hyperpod_dpd.observability.rules import render as render_rules
from k8s.rendered import RenderedEnvironment
from k8s.rendering import render
from tests.support.monitoring import SPECS
from tests.support.promql import references

Watched = Callable[..., RenderedEnvironment]
"""dev with its observability changed, rendered."""


def objects(rendered: RenderedEnvironment) -> list[dict[str, Any]]:
    return next((list(app.objects) for app in rendered.apps if app.name == "observability"), [])


def of_kind(rendered: RenderedEnvironment, kind: str) -> list[dict[str, Any]]:
    return [item for item in objects(rendered) if item["kind"] == kind]


@pytest.fixture(scope="module")
def watched(dev: Blueprint) -> Watched:
    def change(**changes: Any) -> RenderedEnvironment:
        assert dev.observability is not None
        return render(replace(dev, observability=replace(dev.observability, **changes)))

    return change


def test_the_exporter_gets_the_very_program(
    rendered: dict[str, RenderedEnvironment], environment: str
) -> None:
    (config,) = of_kind(rendered[environment], "ConfigMap")
    assert config["data"] == texts()


def test_the_exporter_reads_logs_of_its_targets_and_nothing_else(watched: Watched) -> None:
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


def test_observability_config_is_not_guessed(watched: Watched) -> None:
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


def test_dashboards_are_json_for_one_instance(watched: Watched) -> None:
    boards = of_kind(watched(), "GrafanaDashboard")
    assert len(boards) == 4
    for board in boards:
        assert json.loads(board["spec"]["json"])["title"]
        assert board["spec"]["instanceSelector"]["matchLabels"] == {"dpd.hyperpod/grafana": "dpd"}


def test_managed_grafana_is_reached_by_a_token_that_is_fetched_anew(watched: Watched) -> None:
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


def test_the_prometheus_operator_gets_the_same_rules(watched: Watched, dev: Blueprint) -> None:
    assert not of_kind(watched(), "PrometheusRule")
    given = watched(prometheus_operator=True)
    (rule,) = of_kind(given, "PrometheusRule")
    (rules,) = environment_rules(dev)
    assert rule["spec"] == render_rules(rules)
    (monitor,) = of_kind(given, "ServiceMonitor")
    assert monitor["spec"]["endpoints"][0]["honorLabels"] is True
    monitors = of_kind(given, "PodMonitor")
    assert len(monitors) == 5
    for item in monitors:
        labels = labelled(item)
        assert labels["resource_name"] in {"prefill-llama-70b", "decode-llama-70b", ROUTER}
        assert {"pod_name", "namespace"} <= set(labels)
        assert ("__address__" in labels) == (labels["resource_name"] != ROUTER)
        assert len(targets(item, PODS)) == 1, item["metadata"]["name"]


ROUTER = "llama-70b-inference-router"
PODS = [
    (pod, container, port)
    for pod, containers in {
        "prefill-llama-70b-6d9f-x1": {
            "prefill-llama-70b": [8000, 5557],
            "proxy": [8081, 9113],
            "otel": [4317],
        },
        "decode-llama-70b-77cc-x2": {"decode-llama-70b": [8000], "proxy": [8081, 9113], "otel": [4317]},
        f"{ROUTER}-5b-x3": {"router-container": [8001], "otel": [4317]},
        "other-inference-router-5b-x3": {"router-container": [8001]},
        "prefill-llama-70b-more-6d9f-x1": {"prefill-llama-70b-more": [8000]},
    }.items()
    for container, ports in containers.items()
    for port in ports
]
"""What Prometheus discovers: a target for each declared port."""


def labelled(monitor: dict[str, Any]) -> dict[str, Any]:
    (endpoint,) = monitor["spec"]["podMetricsEndpoints"]
    return {r["targetLabel"]: r.get("replacement") for r in endpoint["relabelings"] if "targetLabel" in r}


def targets(
    monitor: dict[str, Any], discovered: list[tuple[str, str, int]]
) -> set[tuple[tuple[str, str], ...]]:
    """Distinct targets after relabelling, as Prometheus counts them."""
    found = set()
    for pod, container, port in discovered:
        labels = {
            "__meta_kubernetes_pod_name": pod,
            "__meta_kubernetes_pod_container_name": container,
            "__meta_kubernetes_pod_ip": f"ip-of-{pod}",
            "__address__": f"ip-of-{pod}:{port}",
            "container": container,
        }
        (endpoint,) = monitor["spec"]["podMetricsEndpoints"]
        for rule in endpoint["relabelings"]:
            source = ";".join(labels.get(name, "") for name in rule.get("sourceLabels", []))
            match = re.fullmatch(rule.get("regex", "(.*)"), source)
            if rule.get("action") == "keep":
                if match is None:
                    break
            elif match is not None:
                replacement = rule.get("replacement", "$1").replace("$1", match[1] if match.groups() else "")
                labels[rule["targetLabel"]] = replacement
        else:
            found.add(tuple(sorted((k, v) for k, v in labels.items() if not k.startswith("__meta"))))
    return found


def test_the_router_is_scraped_by_what_is_published_of_it(watched: Watched) -> None:
    (router,) = (m for m in of_kind(watched(prometheus_operator=True), "PodMonitor") if ROUTER in str(m))
    assert router["spec"]["namespaceSelector"] == {"matchNames": ["hyperpod-inference-system"]}
    assert router["spec"]["selector"] == {"matchLabels": {}}
    ((target,),) = [targets(router, PODS)]
    assert dict(target)["__address__"].endswith(":8001") and dict(target)["instance"].startswith(ROUTER)
    two_ports = [*PODS, (f"{ROUTER}-5b-x3", "router-container", 9090)]
    assert len({dict(t)["instance"] for t in targets(router, two_ports)}) == 1
    given = watched(prometheus_operator=True, router_metrics_port=9090)
    (router,) = (m for m in of_kind(given, "PodMonitor") if ROUTER in str(m))
    ((target,),) = [targets(router, two_ports)]
    assert dict(target)["__address__"].endswith(":9090")


def test_what_the_router_does_not_publish_is_said(watched: Watched) -> None:
    def subjects(**changes: object) -> set[str]:
        return {note.subject for note in watched(**changes).notes}

    labels = "observability.prometheus_operator_labels"
    chosen = watched(prometheus_operator=True, prometheus_operator_labels=(("release", "mon"),))
    assert labels in subjects(prometheus_operator=True) and labels not in {n.subject for n in chosen.notes}
    for kind in SPECS:
        for item in of_kind(chosen, kind):
            assert item["metadata"]["labels"]["release"] == "mon"
    port = "observability.router_metrics_port"
    assert port in subjects(prometheus_operator=True)
    assert port not in subjects(prometheus_operator=True, router_metrics_port=9090)
    assert port not in subjects()


def test_objects_have_the_shape_that_the_prometheus_operator_takes(watched: Watched) -> None:
    given = watched(prometheus_operator=True)
    for kind, schema in SPECS.items():
        found = of_kind(given, kind)
        assert found, kind
        for item in found:
            jsonschema.validate(item["spec"], schema)
    (rule,) = of_kind(given, "PrometheusRule")
    recorded = {r["record"] for g in rule["spec"]["groups"] for r in g["rules"] if "record" in r}
    asked = {
        name
        for group in rule["spec"]["groups"]
        for each in group["rules"]
        for name, _ in references(each["expr"])
        if name.startswith("dpd:")
    }
    assert asked <= recorded and recorded


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


def test_an_environment_that_is_not_watched_has_no_such_app(watched: Watched) -> None:
    assert not objects(watched(enabled=False))
    quiet = watched(log_exporter=False, grafana_operator=False)
    assert [item["kind"] for item in objects(quiet)] == ["Namespace"]


def test_rules_survive_being_read_again(watched: Watched) -> None:
    from hyperpod_dpd.document import dump_yaml

    (rule,) = of_kind(watched(prometheus_operator=True), "PrometheusRule")
    assert yaml.safe_load(dump_yaml(rule)) == rule
