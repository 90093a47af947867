"""Read an OpenAPI schema, as a CRD holds it, into our field language with unknown fields closed."""

from __future__ import annotations

from typing import Any

from hyperpod_dpd.catalog.manifest_fields import Field

_SCALARS = {"string", "integer", "number", "boolean"}
_BITS = {"int32": 32, "int64": 64}

# Words of a schema that the field language expresses, or that say nothing about a value.
_READ_WORDS = (
    "type properties required items additionalProperties enum pattern minimum maximum minLength maxLength"
    " minItems maxItems uniqueItems default nullable format title description example externalDocs $schema id"
    " x-kubernetes-int-or-string x-kubernetes-preserve-unknown-fields x-kubernetes-list-type"
    " x-kubernetes-list-map-keys x-kubernetes-map-type x-kubernetes-embedded-resource"
)
_READ = frozenset(_READ_WORDS.split())
_EITHER = [{"type": "integer"}, {"type": "string"}]


def field_from_schema(schema: Any) -> Field:
    """One schema node as a Field. What the language lacks goes into ``other``. Never raises."""
    if not isinstance(schema, dict):
        return Field(type="opaque")
    kind = _type(schema)
    properties = schema.get("properties")
    fields = properties if isinstance(properties, dict) and kind == "object" else {}
    return Field(
        type=kind,
        fields={str(name): field_from_schema(child) for name, child in fields.items()},
        required=_names(schema.get("required")),
        item=_item(schema, kind),
        distinct=_names(schema.get("x-kubernetes-list-map-keys"))
        if schema.get("x-kubernetes-list-type") == "map"
        else (),
        unique=schema.get("x-kubernetes-list-type") == "set" or schema.get("uniqueItems") is True,
        enum=tuple(schema["enum"]) if isinstance(schema.get("enum"), list) else (),
        pattern=schema.get("pattern") if isinstance(schema.get("pattern"), str) else None,
        minimum=_bound(schema.get("minimum")),
        maximum=_bound(schema.get("maximum")),
        min_length=_count(schema.get("minLength")),
        max_length=_count(schema.get("maxLength")),
        min_items=_count(schema.get("minItems")),
        max_items=_count(schema.get("maxItems")),
        default=schema.get("default"),
        nullable=schema.get("nullable") is True,
        bits=_BITS.get(str(schema.get("format"))) if kind == "integer" else None,
        other=_other(schema, kind),
    )


def _type(schema: dict[str, Any]) -> str:
    if schema.get("x-kubernetes-int-or-string") is True:
        return "int-or-string"
    if schema.get("x-kubernetes-preserve-unknown-fields") is True:
        return "opaque"
    kind = schema.get("type")
    if kind == "array":
        return "list"
    if kind in _SCALARS:
        return str(kind)
    if kind == "object" or "properties" in schema:
        if isinstance(schema.get("properties"), dict) and schema["properties"]:
            return "object"
        return "map" if "additionalProperties" in schema else "object"
    return "opaque"


def _item(schema: dict[str, Any], kind: str) -> Field | None:
    if kind == "list":
        return field_from_schema(schema.get("items"))
    if kind == "map":
        return field_from_schema(schema.get("additionalProperties"))
    return None


def _names(value: Any) -> tuple[str, ...]:
    return tuple(str(name) for name in value) if isinstance(value, list) else ()


def _bound(value: Any) -> int | float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _other(schema: dict[str, Any], kind: str) -> dict[str, Any]:
    other = {word: rule for word, rule in schema.items() if word not in _READ}
    if kind == "int-or-string":
        _drop_either(other)
    return other


def _drop_either(other: dict[str, Any]) -> None:
    """Leave out the words by which a schema says 'integer or string' once more."""
    if other.get("anyOf") == _EITHER:
        del other["anyOf"]
    rest = [rule for rule in other.get("allOf", []) if rule != {"anyOf": _EITHER}]
    if rest:
        other["allOf"] = rest
    else:
        other.pop("allOf", None)
