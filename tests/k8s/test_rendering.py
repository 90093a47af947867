"""What is rendered from a blueprint, and that cdk8s changes none of it."""

from __future__ import annotations

import itertools
import sys
from copy import deepcopy
from dataclasses import replace

import pytest

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.model import Note
from k8s.rendered import RenderedEnvironment
from k8s.rendering import render


def app(environment: RenderedEnvironment, name: str) -> tuple[dict, ...]:
    return next(each.objects for each in environment.apps if each.name == name)


def test_endpoint_is_what_the_blueprint_holds_plus_the_standard_labels(environment, blueprints, rendered):
    for plan in blueprints[environment].endpoints:
        expected = plan.rendered()
        if expected is None:
            continue
        item = deepcopy(*app(rendered[environment], plan.app))
        standard = {
            "app.kubernetes.io/managed-by": "hyperpod-dpd",
            "app.kubernetes.io/part-of": f"dpd-{environment}",
        }
        labels = {**expected["metadata"].pop("labels", {}), **standard}
        assert item["metadata"].pop("labels") == labels
        annotations = {names.WAVE_ANNOTATION: "4", **expected["metadata"].pop("annotations", {})}
        assert item["metadata"].pop("annotations") == annotations
        assert item == expected
        assert list(item["spec"]) == list(expected["spec"])


def test_every_object_carries_the_standard_labels_and_leaves_argo_cd_its_own(environment, rendered):
    for each in rendered[environment].apps:
        for item in each.objects:
            labels = item["metadata"]["labels"]
            assert labels["app.kubernetes.io/managed-by"] == "hyperpod-dpd"
            assert "app.kubernetes.io/instance" not in labels


def test_labels_of_an_endpoint_stay_beside_the_standard_ones(plan, with_endpoints):
    own = replace(plan, manifest=replace(plan.manifest, labels={"team": "search"}))
    [item] = app(render(with_endpoints(own)), plan.app)
    assert item["metadata"]["labels"]["team"] == "search"
    assert "app.kubernetes.io/part-of" in item["metadata"]["labels"]


SECOND = """
endpoints:
  second:
    namespace: NAMESPACE
    model: {catalogue: llama-3.3-70b-instruct, weights: {s3: {prefix: models/x}}}
    prefill: {instance_group: prefill}
    decode: {instance_group: decode}
"""


def test_namespace_comes_before_what_lives_in_it(document):
    objects = app(render(document(SECOND.replace("NAMESPACE", "another"))), "platform")
    kinds = [(item["kind"], item["metadata"]["name"]) for item in objects]
    assert kinds[:2] == [("Namespace", "another"), ("Namespace", "inference")]
    accounts = [i["metadata"]["namespace"] for i in objects if i["kind"] == "ServiceAccount"]
    assert accounts == ["another", "inference"]


@pytest.mark.parametrize("namespace", ["default", "kube-system", names.OPERATOR_NAMESPACE])
def test_namespace_that_is_there_without_us_is_not_rendered(document, namespace):
    objects = app(render(document(SECOND.replace("NAMESPACE", namespace))), "platform")
    assert [i["metadata"]["name"] for i in objects if i["kind"] == "Namespace"] == ["inference"]
    assert namespace in [i["metadata"].get("namespace") for i in objects if i["kind"] == "ServiceAccount"]


def test_service_account_gets_no_api_token(rendered, environment):
    accounts = [i for a in rendered[environment].apps for i in a.objects if i["kind"] == "ServiceAccount"]
    assert accounts
    assert all(account["automountServiceAccountToken"] is False for account in accounts)


def test_no_app_is_empty(environment, rendered):
    assert rendered[environment].apps
    assert all(each.objects for each in rendered[environment].apps)


def test_endpoint_that_lacks_a_fact_is_left_out_and_named(plan, named, with_endpoints):
    unknown = replace(named("chat"), manifest=None)
    environment = render(with_endpoints(unknown, named("code")))
    assert [each.name for each in environment.apps if each.name.startswith("endpoint")] == ["endpoint-code"]
    [note] = [each for each in environment.notes if each.subject.startswith("endpoints")]
    assert note.subject == "endpoints.chat"
    assert "dpd outputs pull dev" in note.message


def test_reason_the_blueprint_gives_is_not_said_twice(named, with_endpoints):
    reason = Note(subject="endpoints.chat", message="its file system's id is not known yet")
    other = Note(subject="network.zones", message="nothing of ours")
    blueprint = replace(with_endpoints(replace(named("chat"), manifest=None)), notes=(reason, other))
    notes = [each for each in render(blueprint).notes if each.subject.startswith(("endpoints", "network"))]
    assert notes == [reason]


def test_environment_without_endpoints_renders_nothing(document):
    assert render(document("endpoints: {llama-70b: null}")).apps == ()


def test_hundred_endpoints_take_linear_work(named, with_endpoints):
    def calls(count: int) -> int:
        blueprint = with_endpoints(*(named(f"e{index}") for index in range(count)))
        made = itertools.count()
        sys.setprofile(lambda _frame, event, _argument: next(made) if event == "call" else None)
        try:
            rendered = render(blueprint)
        finally:
            sys.setprofile(None)
        assert len(rendered.apps) == count + 4
        return next(made)

    calls(5)
    few, many = calls(25), calls(100)
    assert many < 5 * few  # a quadratic renderer makes sixteen times as many


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"port": 2**53}, "spec.metrics.modelMetrics.port is 9007199254740992"),
        ({"labels": {"team": None}}, "metadata.labels.team is empty"),
        (
            {"copied": {"spec": {"requestLimits": {"maxConcurrentRequests": float("inf")}}}},
            "requestLimits.maxConcurrentRequests is inf",
        ),
        ({"environment": {"A": b"bytes"}}, "environmentVariables[0].value is of type bytes"),
        ({"node_selector": {}, "labels": {"__proto__": "x"}}, "key '__proto__'"),
        ({"environment": {"A": "\ud83d"}}, "environmentVariables[0].value is '\\ud83d', which holds half"),
        ({"labels": {1: "x"}}, "key 1 is not text"),
    ],
)
def test_value_that_javascript_would_change_is_refused_by_its_place(plan, with_endpoints, change, message):
    with pytest.raises(ValueError) as refused:
        render(with_endpoints(replace(plan, manifest=replace(plan.manifest, **change))))
    assert message in str(refused.value)
    assert f"{plan.namespace}/{plan.name}" in str(refused.value)
