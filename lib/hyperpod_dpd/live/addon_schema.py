"""Configuration values against the JSON schema of an EKS add-on: the part of JSON Schema that those schemas use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "null": (type(None),),
}


def objections(schema: Mapping[str, Any], values: Any) -> Iterator[str]:
    """What EKS would refuse: keys that a closed object lacks, wrong types, values that are no choice.

    What the schema states in other words (patterns, conditions) is not judged.
    """
    yield from _judge(schema, schema, values, "")


def has_key(schema: Mapping[str, Any], path: str) -> bool:
    """Whether the schema names a dotted key, or leaves open which keys there are."""
    node: Mapping[str, Any] = schema
    for part in path.split("."):
        node = _resolved(schema, node)
        inner = node.get("properties")
        if isinstance(inner, Mapping) and isinstance(inner.get(part), Mapping):
            node = inner[part]
        else:
            return node.get("additionalProperties") is not False
    return True


def _judge(root: Mapping[str, Any], node: Mapping[str, Any], value: Any, path: str) -> Iterator[str]:
    node = _resolved(root, node)
    wanted = node.get("type")
    kinds = [wanted] if isinstance(wanted, str) else wanted if isinstance(wanted, list) else []
    if kinds and not any(_is(value, kind) for kind in kinds):
        yield f"{path or 'the whole'} is no {' or '.join(kinds)}"
        return
    choices = node.get("enum")
    if isinstance(choices, list) and value not in choices:
        yield f"{path} is none of {', '.join(map(str, choices))}"
    if isinstance(value, Mapping):
        inner = node.get("properties")
        known: Mapping[str, Any] = inner if isinstance(inner, Mapping) else {}
        for key, each in value.items():
            place = f"{path}.{key}" if path else str(key)
            if isinstance(known.get(key), Mapping):
                yield from _judge(root, known[key], each, place)
            elif node.get("additionalProperties") is False:
                yield f"the schema has no key {place}"
    items = node.get("items")
    if isinstance(value, list) and isinstance(items, Mapping):
        for index, each in enumerate(value):
            yield from _judge(root, items, each, f"{path}[{index}]")


def _is(value: Any, kind: str) -> bool:
    if isinstance(value, bool) and kind != "boolean":
        return False
    return isinstance(value, _TYPES.get(kind, (object,)))


def _resolved(root: Mapping[str, Any], node: Mapping[str, Any]) -> Mapping[str, Any]:
    """A node with its reference into the same schema followed, a few steps at most."""
    for _ in range(10):
        reference = node.get("$ref")
        if not isinstance(reference, str) or not reference.startswith("#"):
            return node
        found: Any = root
        for part in reference.lstrip("#/").split("/"):
            found = found.get(part) if part and isinstance(found, Mapping) else found
        if not isinstance(found, Mapping):
            return {}
        node = found
    return node
