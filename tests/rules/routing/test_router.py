"""The router: which path it serves, how it chooses, what it needs to know."""

from __future__ import annotations

import pytest
import yaml

from hyperpod_dpd.rules.rule import Severity
from tests.support.findings import findings_in_case, findings_of, not_checked

KVAWARE = "intelligentRoutingSpec: {routingStrategy: kvaware}, invocationEndpoint: v1/completions"


def environment(text: str, more: str = "") -> str:
    return f"{more}\nendpoints: {{llama-70b: {{{text}}}}}"


@pytest.mark.parametrize(
    ("path", "count"),
    [
        ("v1/chat/completions", 1),
        ("/v1/chat/completions", 1),
        ("/v1/completions/", 0),
        ("completions", 0),
        (None, 1),
    ],
)
def test_kvaware_reads_completions_only(path, count, tmp_path) -> None:
    spec = {"intelligentRoutingSpec": {"routingStrategy": "kvaware"}, "invocationEndpoint": path}
    assert len(findings_of("DPD601", yaml.safe_dump({"spec": spec}), tmp_path)) == count


def test_kvaware_with_the_documented_image_is_a_warning_with_both_statements(tmp_path) -> None:
    (hit,) = findings_of("DPD602", f"spec: {{{KVAWARE}}}", tmp_path)
    assert (hit.severity, hit.path) == (Severity.WARNING, "spec.worker.image")
    assert "0.19.0" in hit.message and "0.20.0.dev361" in hit.message and "not confirmed" in hit.message


def test_kvaware_of_the_mixed_case_is_warned(tmp_path) -> None:
    (hit,) = findings_in_case("DPD602", "mixed-advice", tmp_path)
    assert hit.severity is Severity.WARNING


def declared(lmcache: str, vllm: str) -> str:
    versions = f'images: {{worker: {{versions: {{lmcache: "{lmcache}", vllm: "{vllm}"}}}}}}'
    return environment("routing: {strategy: kvaware}, invocation_path: v1/completions", versions)


@pytest.mark.parametrize(
    ("lmcache", "vllm", "severities"),
    [
        ("0.4.2", "0.20.0", [Severity.ERROR]),
        ("0.4.3", "0.19.1", []),
        ("0.4.3", "0.19.0", [Severity.WARNING]),
        ("0.3.9", "0.10.0", [Severity.WARNING, Severity.ERROR]),
    ],
)
def test_kvaware_with_declared_versions(lmcache, vllm, severities, tmp_path) -> None:
    found = findings_of("DPD602", declared(lmcache, vllm), tmp_path, of="environment")
    assert sorted(f.severity for f in found) == sorted(severities)


def test_kvaware_with_an_unknown_image_says_so(tmp_path) -> None:
    found = findings_of("DPD602", f"spec: {{{KVAWARE}, worker: {{image: example.com/ours:1}}}}", tmp_path)
    assert {f.severity for f in found} == {Severity.INFO} and len(found) == 2


@pytest.mark.parametrize(("release", "count"), [("3.1.2", 1), ("3.1.3", 0), ("3.4", 0)])
def test_kvaware_and_the_operator(release, count, tmp_path) -> None:
    found = findings_of("DPD603", f"spec: {{{KVAWARE}}}", tmp_path, operator=release)
    assert [f.severity for f in found] == [Severity.ERROR] * count


def test_kvaware_without_an_operator_is_not_checked(tmp_path) -> None:
    assert "DPD603" in not_checked(f"spec: {{{KVAWARE}}}", tmp_path)["operator"]
    assert "DPD603" not in not_checked("{}", tmp_path).get("operator", "")


@pytest.mark.parametrize(("model", "count"), [("/opt/ml/model", 1), ("meta-llama/Llama-3.3-70B-Instruct", 0)])
def test_kvaware_and_a_local_model(model, count, tmp_path) -> None:
    fragment = f"spec: {{{KVAWARE}, worker: {{args: {{--model: {model}}}}}}}"
    assert len(findings_of("DPD604", fragment, tmp_path)) == count


@pytest.mark.parametrize(
    ("path", "count"),
    [("invocations", 1), ("/invocations", 1), ("", 1), (None, 1), ("v1/chat/completions", 0)],
)
def test_the_default_path_is_not_the_routers(path, count, tmp_path) -> None:
    found = findings_of("DPD605", yaml.safe_dump({"spec": {"invocationEndpoint": path}}), tmp_path)
    assert [(f.severity, f.path) for f in found] == [(Severity.ERROR, "spec.invocationEndpoint")] * count


@pytest.mark.parametrize(
    ("path", "count"),
    [("v2/chat", 1), ("http://x/v1/completions", 1), ("v1/embeddings", 0), ("/completions", 0), ("$PATH", 0)],
)
def test_a_path_outside_v1_is_a_warning(path, count, tmp_path) -> None:
    found = findings_of("DPD605", yaml.safe_dump({"spec": {"invocationEndpoint": path}}), tmp_path)
    assert [f.severity for f in found] == [Severity.WARNING] * count


def test_a_colocated_endpoint_may_keep_the_default_path(tmp_path) -> None:
    assert findings_of("DPD605", "spec: {pdSpec: null, invocationEndpoint: null}", tmp_path) == []
    assert findings_in_case("DPD605", "djl-one-gpu", tmp_path) == []


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("prefill: {replicas: 2}, traffic: {shared_prefixes: false}", 1),
        ("prefill: {replicas: 2}, traffic: {shared_prefixes: true}", 0),
        ("prefill: {replicas: 2}, routing: {strategy: roundrobin}", 0),
        ("prefill: {replicas: 1}, traffic: {shared_prefixes: false}", 0),
    ],
)
def test_several_prefillers_need_prefixes(text, count, tmp_path) -> None:
    found = findings_of("DPD606", environment(text), tmp_path, of="environment")
    assert [f.path for f in found] == ["endpoints.llama-70b.routing.strategy"] * count or (
        not count and not found
    )


def test_sharing_of_prefixes_is_asked_for(tmp_path) -> None:
    assert "DPD606" in not_checked("spec: {pdSpec: {prefillSpec: {replicas: 2}}}", tmp_path)["traffic"]
    some = environment("prefill: {replicas: 2}, traffic: {language: en}")
    assert "DPD606" in not_checked(some, tmp_path, of="environment")["sharing of prefixes"]
    scaled = "spec: {pdSpec: {autoScalingSpec: {prefillAutoScaling: {minReplicaCount: 1}}}}"
    assert "DPD606" in not_checked(scaled, tmp_path)["traffic"]


@pytest.mark.parametrize(
    ("variables", "count"),
    [
        ("", 1),
        ("{name: SESSION_KEY, value: x-user-id}", 0),
        ('{name: SESSION_KEY, value: ""}', 1),
        ("{name: SESSION_KEY, valueFrom: {configMapKeyRef: {name: a, key: b}}}", 0),
    ],
)
def test_a_session_needs_a_key(variables, count, tmp_path) -> None:
    fragment = f"""
spec:
  intelligentRoutingSpec: {{routingStrategy: session}}
  worker: {{environmentVariables: [{variables}]}}
"""
    assert len(findings_of("DPD607", fragment, tmp_path)) == count


@pytest.mark.parametrize(
    ("strategy", "replicas", "count"), [("kvaware", 1, 1), ("kvaware", 2, 0), ("prefixaware", 1, 0)]
)
def test_one_prefiller_leaves_no_choice(strategy, replicas, count, tmp_path) -> None:
    fragment = f"""
spec:
  intelligentRoutingSpec: {{routingStrategy: {strategy}}}
  pdSpec: {{prefillSpec: {{replicas: {replicas}}}}}
"""
    found = findings_of("DPD608", fragment, tmp_path)
    assert [f.severity for f in found] == [Severity.INFO] * count


@pytest.mark.parametrize(
    ("spec", "count"), [("{enabled: true}", 0), ("{enabled: false}", 1), ("{enabled: null}", 1), ("null", 1)]
)
def test_routing_is_switched_on(spec, count, tmp_path) -> None:
    found = findings_of("DPD609", f"spec: {{intelligentRoutingSpec: {spec}}}", tmp_path)
    assert [f.severity for f in found] == [Severity.WARNING] * count


@pytest.mark.parametrize(
    ("spec", "count"),
    [
        ("{autoScalingSpec: {maxReplicaCount: 2}}", 1),
        ("{autoScalingSpec: {minReplicaCount: 1}}", 1),
        ("{autoScalingSpec: {maxReplicaCount: 1}}", 0),
        ("{routingStrategy: roundrobin, autoScalingSpec: {maxReplicaCount: 2}}", 0),
    ],
)
def test_routers_that_scale(spec, count, tmp_path) -> None:
    assert len(findings_of("DPD610", f"spec: {{intelligentRoutingSpec: {spec}}}", tmp_path)) == count


@pytest.mark.parametrize(("path", "count"), [("/ping", 1), (None, 1), ("/health/", 1), ("/health", 0)])
def test_the_router_answers_health(path, count, tmp_path) -> None:
    fragment = yaml.safe_dump({"spec": {"loadBalancer": {"healthCheckPath": path}}})
    assert len(findings_of("DPD612", fragment, tmp_path)) == count


def test_health_in_an_environment_and_in_the_cases(tmp_path) -> None:
    fragment = environment("load_balancer: {health_check_path: /ping}")
    (hit,) = findings_of("DPD612", fragment, tmp_path, of="environment")
    assert hit.path == "endpoints.llama-70b.load_balancer.health_check_path"
    (hit,) = findings_in_case("DPD612", "mixed-advice", tmp_path)
    assert "the default" in hit.message
    for case in (
        "djl-one-gpu",
        "tgi-eight-gpus",
        "complete-pair",
        "colocated-routing-latest",
        "hugging-face-source",
    ):
        assert findings_in_case("DPD612", case, tmp_path) == []
