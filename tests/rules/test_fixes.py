"""What a finding tells to change is named in the words of the file it is in: the manifest's, or the environment's."""

from __future__ import annotations

import ast
import re
import typing
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel

from hyperpod_dpd.config.endpoint import Endpoint
from hyperpod_dpd.config.environment import Environment
from hyperpod_dpd.rules import registry
from hyperpod_dpd.rules.rule import AppliesTo, LoadedRule
from hyperpod_dpd.view import wording
from tests.support.documents import ROOT, check_value, spoiled

OF_MANIFEST = re.compile(r"(?<![\w.{-])(?:spec\.[\w.]+|metadata\.\w+|[a-z]+[A-Z]\w*)")
"""How the resource definition spells its fields."""
NO_FIELDS = {
    "vLLM",
    "tlsCertificateS3Bucket",  # a value of the operator's chart
    "enableCustomServiceAccounts",  # the same
    "maxConcurrentRequests",  # request_limits takes the resource's own keys
}
ONLY_BY_OVERRIDE = {"DPD115", "DPD116", "DPD609", "DPD610", "DPD716", "DPD901", "DPD933", "DPD939"}
"""What these judge has no key in the document; where an override sets it, the override has the manifest's words."""
ENDPOINT_KINDS = (AppliesTo.DISAGGREGATED, AppliesTo.ENDPOINT, AppliesTo.INPUTS, AppliesTo.CHANGE)
OF_ENDPOINTS = [r for r in registry.rules() if r.rule.applies_to in ENDPOINT_KINDS]
ENVIRONMENT_EXAMPLES = [r for r in registry.rules() if r.rule.example and r.rule.example.of == "environment"]
DOTTED = re.compile(r"(?<![\w/.'\"-])[a-z]\w*(?:\.[a-z]\w*)+(?![\w/(])")


def fields_of(fix: str) -> list[str]:
    return [word for word in OF_MANIFEST.findall(fix) if word not in NO_FIELDS]


def texts(loaded: LoadedRule) -> Iterator[str]:
    """The fix of a rule, and every one that its function writes."""
    yield loaded.rule.fix
    topic, module = next(
        (topic, module)
        for topic, modules in _modules().items()
        for module in modules
        if module.startswith(f"dpd{loaded.rule.id[3:]}_")
    )
    tree = ast.parse(
        (ROOT / "lib" / "hyperpod_dpd" / "rules" / topic / f"{module}.py").read_text(encoding="utf-8")
    )
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        if getattr(call.func, "id", "") == "Match":
            given = [keyword.value for keyword in call.keywords if keyword.arg == "fix"] + call.args[3:4]
            for value in given:
                yield "".join(
                    str(part.value) if isinstance(part, ast.Constant) else "\0" for part in _parts(value)
                )


def _parts(value: ast.expr) -> list[ast.expr]:
    if isinstance(value, ast.JoinedStr):
        return list(value.values)
    return [value] if isinstance(value, ast.Constant) and isinstance(value.value, str) else []


def _modules() -> dict[str, tuple[str, ...]]:
    from hyperpod_dpd.rules.catalogue import RULES

    return RULES


def exists(model: type[BaseModel], keys: list[str]) -> bool:
    """Whether the document's schema has this path; a mapping with free keys takes any."""
    if not keys:
        return True
    field = model.model_fields.get(keys[0])
    if field is None:
        return False
    inner = [t for t in _types(field.annotation) if isinstance(t, type) and issubclass(t, BaseModel)]
    free = any(typing.get_origin(t) is dict for t in [field.annotation, *typing.get_args(field.annotation)])
    return len(keys) == 1 or free or any(exists(each, keys[1:]) for each in inner)


def _types(annotation: typing.Any) -> list[typing.Any]:
    return [annotation, *(t for arg in typing.get_args(annotation) for t in _types(arg))]


@pytest.mark.parametrize("key", sorted(k for k in wording.document_keys() if re.fullmatch(r"[\w.]+", k)))
def test_every_key_that_a_fix_is_given_is_one_of_the_document(key: str) -> None:
    roles = ("autoscaling",)
    path = key.split(".")
    assert exists(Endpoint, ["prefill", *path] if path[0] in roles else path), key


@pytest.mark.parametrize("loaded", OF_ENDPOINTS, ids=lambda loaded: loaded.rule.id)
def test_a_fix_in_an_environment_names_no_field_of_the_manifest(loaded: LoadedRule) -> None:
    left = [
        word
        for text in texts(loaded)
        for word in fields_of(wording.in_keys_of_environment(text, "endpoints.a"))
    ]
    assert bool(left) <= (loaded.rule.id in ONLY_BY_OVERRIDE), left


@pytest.mark.parametrize("loaded", ENVIRONMENT_EXAMPLES, ids=lambda loaded: loaded.rule.id)
def test_fixes_of_findings_in_an_environment_name_its_keys(loaded: LoadedRule, tmp_path: Path) -> None:
    assert loaded.rule.example is not None
    report = check_value(spoiled(loaded.rule.example.before, of="environment"), tmp_path)
    for found in report.findings:
        assert fields_of(found.fix) == [], (found.id, found.fix)
        for word in DOTTED.findall(found.fix):
            keys = word.split(".")
            known = any(exists(model, keys) for model in (Environment, Endpoint))
            assert known or exists(Endpoint, ["prefill", *keys]) or _is_no_path(word), (found.id, found.fix)


def _is_no_path(word: str) -> bool:
    """Files, hosts and types of instances have dots too."""
    return word.endswith((".yaml", ".json", ".com", ".sh")) or word.split(".")[0] in {
        "ml",
        "sagemaker",
        "node",
    }


@pytest.mark.parametrize(
    ("fragment", "rule", "words"),
    [
        ("{routing: {threshold_tokens: 900}}", "DPD614", "raise routing.threshold_tokens"),
        ("{load_balancer: {health_check_path: /ping}}", "DPD612", "load_balancer.health_check_path"),
        ("{max_deploy_seconds: 60}", "DPD932", "set max_deploy_seconds"),
        ("{placement: {same_zone: false}}", "DPD202", "set placement.same_zone"),
        ("{engine: {gpu_memory_utilization: 0.99}}", "DPD408", "set engine.gpu_memory_utilization"),
        ("{decode: {arguments: {gpu-memory-utilization: 0.99}}}", "DPD408", "set --gpu-memory-utilization"),
        ("{environment_variables: {HF_TOKEN: abcdefgh}}", "DPD420", "{secret: NAME, key: KEY}"),
    ],
)
def test_the_same_rule_speaks_the_words_of_the_document(
    fragment: str, rule: str, words: str, tmp_path: Path
) -> None:
    report = check_value(spoiled(f"endpoints: {{llama-70b: {fragment}}}", of="environment"), tmp_path)
    assert [f for f in report.findings if f.id == rule and words in f.fix], [
        (f.id, f.fix) for f in report.findings if f.id == rule
    ]


def test_in_a_manifest_the_words_are_the_manifest_s(tmp_path: Path) -> None:
    report = check_value(spoiled("spec: {pdSpec: {routingThreshold: 900}}"), tmp_path)
    (found,) = [f for f in report.findings if f.id == "DPD614"]
    assert "raise routingThreshold" in found.fix
