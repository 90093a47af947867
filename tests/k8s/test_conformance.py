"""Every rendered InferenceEndpointConfig against the operator's own CRD, with unknown fields forbidden."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import jsonschema
import pytest

from hyperpod_dpd.catalog import operator_releases
from hyperpod_dpd.catalog.versions import OperatorRelease
from tests.support.crd import TABLE, crd_of_release_3_2, table
from tools import crd_facts

CRD_RELEASE = "3.2"


def schema_of(crd: dict[str, Any]) -> dict[str, Any]:
    """The schema of the stored version, closed."""
    [stored] = [version for version in crd["spec"]["versions"] if version["storage"]]
    assert stored["name"] == "v1"
    schema: dict[str, Any] = closed(stored["schema"]["openAPIV3Schema"])
    return schema


@pytest.fixture(scope="session")
def schema() -> dict[str, Any]:
    return schema_of(crd_of_release_3_2())


def closed(schema: Any) -> Any:
    """The schema as an API server with strict validation applies it: no field beside the known ones."""
    if not isinstance(schema, dict):
        return schema
    result = {
        key: value
        for key, value in schema.items()
        if key not in {"properties", "items", "additionalProperties"}
    }
    if schema.get("x-kubernetes-int-or-string"):
        result.pop("type", None)
        result["type"] = ["integer", "string"]
    if "properties" in schema:
        result["properties"] = {name: closed(each) for name, each in schema["properties"].items()}
        result["additionalProperties"] = False
    for key in ("items", "additionalProperties"):
        if key in schema:
            result[key] = closed(schema[key])
    return result


def with_later_fields(schema: dict[str, Any], release: str) -> dict[str, Any]:
    """The CRD of ``release``: each field that the catalogue knows to be newer, with any value."""
    result = deepcopy(schema)
    mine, of_crd = OperatorRelease.parse(release), OperatorRelease.parse(CRD_RELEASE)
    for field in operator_releases.fields():
        if field.since is None or not of_crd < field.since <= mine:
            continue
        *parents, last = field.path.split(".")
        node = result
        for parent in parents:
            node = node.setdefault("properties", {}).setdefault(parent, {"type": "object"})
        node.setdefault("properties", {}).setdefault(last, {})
    return result


def errors(schema: dict[str, Any], item: dict[str, Any]) -> list[str]:
    validator = jsonschema.Draft4Validator(schema)
    return [
        f"{'.'.join(map(str, error.absolute_path))}: {error.message}" for error in validator.iter_errors(item)
    ]


def endpoints(rendered: Any) -> list[dict[str, Any]]:
    return [i for app in rendered.apps for i in app.objects if i["kind"] == "InferenceEndpointConfig"]


def test_rendered_endpoints_conform(environment, rendered, blueprints, schema):
    crd = with_later_fields(schema, blueprints[environment].operator.release)
    found = endpoints(rendered[environment])
    assert found
    for item in found:
        assert errors(crd, item) == []


def test_the_table_is_read_and_written_alike():
    assert crd_facts.text(table()) == TABLE.read_text(encoding="utf-8")
    assert crd_facts.facts(crd_of_release_3_2()) == table()


def test_the_table_keeps_every_fact_and_no_sentence():
    node = {
        "description": "a sentence",
        "type": "object",
        "required": ["size"],
        "properties": {
            "size": {"anyOf": [{"type": "integer"}, {"type": "string"}], "x-kubernetes-int-or-string": True},
            "description": {"type": "string", "maxLength": 3, "nullable": True, "default": "a"},
            "parts": {
                "type": "array",
                "items": {"type": "object", "properties": {"name": {"type": "string", "pattern": "^a"}}},
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["name"],
            },
            "labels": {"type": "object", "additionalProperties": {"type": "string", "enum": ["x"]}},
        },
    }
    version = {"name": "v9", "served": True, "storage": True, "schema": {"openAPIV3Schema": node}}
    crd = {"spec": {"group": "g", "names": {"kind": "K"}, "versions": [version]}}
    facts = crd_facts.facts(crd)
    assert facts["versions"]["v9"]["fields"] == {
        "": {"type": "object", "required": ["size"]},
        "description": {"type": "string", "maxLength": 3, "nullable": True, "default": "a"},
        "labels": {"type": "object"},
        "labels{}": {"type": "string", "enum": ["x"]},
        "parts": {
            "type": "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name"],
        },
        "parts[]": {"type": "object"},
        "parts[].name": {"type": "string", "pattern": "^a"},
        "size": {"type": "int-or-string"},
    }
    [again] = crd_facts.definition(facts)["spec"]["versions"]
    del node["description"]
    assert again["schema"]["openAPIV3Schema"] == node


@pytest.mark.crd
def test_the_table_is_what_the_given_definition_says(request):
    crd = crd_facts.read(request.config.getoption("--crd"))
    assert crd_facts.facts(crd) == table(), "make it anew: python tools/crd_facts.py CRD.yaml"


@pytest.mark.crd
def test_rendered_endpoints_conform_to_the_given_definition(environment, rendered, blueprints, request):
    crd = schema_of(crd_facts.read(request.config.getoption("--crd")))
    for item in endpoints(rendered[environment]):
        assert errors(with_later_fields(crd, blueprints[environment].operator.release), item) == []


def test_dev_uses_no_field_newer_than_the_crd(rendered, schema):
    [item] = endpoints(rendered["dev"])
    assert errors(schema, item) == []


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("spec.pdSpec.routingTreshold", 4096, "'routingTreshold' was unexpected"),
        ("spec.pdSpec.prefillSpec.image", "x", "'image' was unexpected"),
        ("spec.pdSpec.decodingSpec.replicas", "1", "is not of type 'integer'"),
        (
            "spec.worker.environmentVariables",
            [{"name": "PYTHONHASHSEED", "value": 0}],
            "0 is not of type 'string'",
        ),
        ("spec.metrics.modelMetricsConfig", {}, "'modelMetricsConfig' was unexpected"),
        ("spec.loadBalancer.idleTimeoutSeconds", 60, "'idleTimeoutSeconds' was unexpected"),
        ("spec.endpointName", "a.b", "does not match"),
    ],
)
def test_schema_sees_a_fault(rendered, schema, path, value, message):
    item = deepcopy(endpoints(rendered["dev"])[0])
    *parents, last = path.split(".")
    node = item
    for parent in parents:
        node = node[parent]
    node[last] = value
    [found] = errors(schema, item)
    assert message in found


def test_later_fields_are_accepted_from_their_release_on(rendered, schema):
    item = deepcopy(endpoints(rendered["dev"])[0])
    item["spec"]["loadBalancer"]["idleTimeoutSeconds"] = 60
    assert errors(with_later_fields(schema, "3.2"), item) != []
    assert errors(with_later_fields(schema, "3.3"), item) == []
