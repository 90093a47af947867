"""A CustomResourceDefinition with every field that we know, written from our own field tree."""

from __future__ import annotations

from typing import Any

from hyperpod_dpd.catalog.manifest_fields import Field, root
from hyperpod_dpd.iec.identity import GROUP
from tests.support.merging import merged

_LIMITS = {
    "pattern": "pattern",
    "minimum": "minimum",
    "maximum": "maximum",
    "min_length": "minLength",
    "max_length": "maxLength",
    "min_items": "minItems",
    "max_items": "maxItems",
    "default": "default",
}


def definition(fragment: Any = None) -> dict[str, Any]:
    """The definition with ``fragment`` merged into the properties of its version v1."""
    properties = merged(_schema(root())["properties"], fragment or {})
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"inferenceendpointconfigs.{GROUP}"},
        "spec": {
            "group": GROUP,
            "names": {"kind": "InferenceEndpointConfig"},
            "versions": [
                {
                    "name": "v1",
                    "served": True,
                    "schema": {
                        "openAPIV3Schema": {
                            "type": "object",
                            "required": list(root().required),
                            "properties": properties,
                        }
                    },
                }
            ],
        },
    }


def _schema(field: Field) -> dict[str, Any]:
    limits = {word: getattr(field, name) for name, word in _LIMITS.items()}
    schema = {"type": field.type, **{word: value for word, value in limits.items() if value is not None}}
    if field.type == "object":
        schema["properties"] = {name: _schema(child) for name, child in field.fields.items()}
        schema["required"] = list(field.required)
    elif field.type == "list" and field.item is not None:
        schema |= {"type": "array", "items": _schema(field.item)}
        if field.distinct or field.unique:
            schema["x-kubernetes-list-type"] = "map" if field.distinct else "set"
            schema["x-kubernetes-list-map-keys"] = list(field.distinct)
    elif field.type == "map" and field.item is not None:
        schema |= {"type": "object", "additionalProperties": _schema(field.item)}
    elif field.type in {"int-or-string", "opaque"}:
        word = "int-or-string" if field.type == "int-or-string" else "preserve-unknown-fields"
        schema |= {"type": None, f"x-kubernetes-{word}": True}
    if field.enum:
        schema["enum"] = list(field.enum)
    if field.bits:
        schema["format"] = f"int{field.bits}"
    if field.nullable:
        schema["nullable"] = True
    return {word: value for word, value in schema.items() if value is not None}
