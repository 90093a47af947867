"""What the CloudFormation schemas in cfn-lint's package say against a template's plain values, without its engine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from cfnlint.schema.manager import PROVIDER_SCHEMA_MANAGER

REGION = "us-west-2"


def complaints(template: dict[str, Any]) -> Iterator[str]:
    """One line for each value out of its bounds; values that only a deployment knows are not judged."""
    for logical_id, resource in template["Resources"].items():
        if (schema := _schema(resource["Type"])) is not None:
            for line in _judge(resource.get("Properties", {}), schema, schema, ""):
                yield f"{resource['Type']} {logical_id}{line}"


@cache
def _schema(kind: str) -> dict[str, Any] | None:
    if kind.startswith("Custom::") or kind == "AWS::CDK::Metadata":
        return None
    found: dict[str, Any] = PROVIDER_SCHEMA_MANAGER.get_resource_schema(REGION, kind).schema
    return found


def _judge(value: Any, schema: dict[str, Any], root: dict[str, Any], path: str) -> Iterator[str]:
    while "$ref" in schema:
        schema = root["definitions"][schema["$ref"].rpartition("/")[2]]
    if isinstance(value, dict):
        if len(value) == 1 and next(iter(value)).startswith(("Fn::", "Ref")):
            return
        for key, child in schema.get("properties", {}).items():
            if key in value:
                yield from _judge(value[key], child, root, f"{path}.{key}")
        for pattern, child in schema.get("patternProperties", {}).items():
            for key, inner in value.items():
                if re.search(pattern, key):
                    yield from _judge(inner, child, root, f"{path}.{key}")
        known = {
            *schema.get("properties", {}),
            *(k for p in schema.get("patternProperties", {}) for k in value if re.search(p, k)),
        }
        if schema.get("additionalProperties") is False and not value.keys() <= known:
            yield f"{path} has {sorted(value.keys() - known)}"
    elif isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            yield f"{path} has {len(value)} entries"
        if schema.get("uniqueItems") and any(item in value[:i] for i, item in enumerate(value)):
            yield f"{path} has an entry twice"
        for index, item in enumerate(value):
            yield from _judge(item, schema.get("items", {}), root, f"{path}[{index}]")
    elif isinstance(value, bool):
        return
    elif isinstance(value, int | float):
        if not schema.get("minimum", value) <= value <= schema.get("maximum", value):
            yield f"{path} is {value}"
    elif isinstance(value, str):
        yield from _judge_text(value, schema, path)


def _judge_text(value: str, schema: dict[str, Any], path: str) -> Iterator[str]:
    if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
        yield f"{path} has {len(value)} characters: {value!r}"
    if "enum" in schema and value not in schema["enum"] and not path.endswith(".InstanceType"):
        yield f"{path} is {value!r}"
    pattern = schema.get("pattern")
    if pattern and "\\p{" not in pattern and not re.search(pattern, value):
        yield f"{path} is {value!r}, not {pattern}"
