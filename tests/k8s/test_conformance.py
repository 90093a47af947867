"""Every rendered InferenceEndpointConfig against the operator's own CRD, with unknown fields forbidden."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from hyperpod_dpd.catalog import operator_releases
from hyperpod_dpd.catalog.versions import OperatorRelease

CRD_RELEASE = "3.2"


@pytest.fixture(scope="session")
def schema(root: Path) -> dict[str, Any]:
    path = root.parent / "shared/reference/inferenceendpointconfigs-v3.2.crd.yaml"
    if not path.is_file():
        pytest.skip(
            f"the operator's CRD is not part of this project; not found at ../{path.relative_to(root.parent)}"
        )
    versions = yaml.load(path.read_text(), Loader=yaml.CSafeLoader)["spec"]["versions"]
    [stored] = [version for version in versions if version["storage"]]
    assert stored["name"] == "v1"
    return closed(stored["schema"]["openAPIV3Schema"])


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
