"""Environment documents at random: a healthy example, a few of whose keys have any value that their schema allows."""

from __future__ import annotations

import copy
import re
from functools import cache
from typing import Any

from hypothesis import strategies as st

from hyperpod_dpd.config.environment import Environment
from tests.support.documents import environment

BASES = ("dev", "staging", "prod", "closed-network", "existing-cluster")
Place = tuple[tuple[str | int, ...], str]
_LONGEST_TEXT = 300
_TAKEN = (
    "dpd-images",
    "dpd-observability",
    "dpd-secrets-manager",
    "hyperpod-inference-system",
    "hyperpod-observability",
    "kube-system",
    "default",
    "argocd",
    "flux-system",
    "external-secrets",
    "grafana-token",
    "grafana",
    "dpd-weights",
    "dpd:environment",
    "Name",
    "delivery",
    "observability",
)
"""Names that something of ours, or of the cluster's, has already."""

_SHORT = 3
"""Entries of a random list or mapping, and keys of an example that one document changes."""


@cache
def _schema() -> dict[str, Any]:
    return Environment.model_json_schema()


def _resolved(schema: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in schema:
        schema = _schema()["$defs"][schema["$ref"].rpartition("/")[2]]
    return schema


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """Name of the base, and the changed document."""
    base = draw(st.sampled_from(BASES))
    value = environment(base)
    for _ in range(draw(st.integers(1, _SHORT))):
        path = draw(st.sampled_from(sorted(places(value), key=str)))
        put(value, path, draw(_values(_at(path, value), 0)))
    return base, value


def places(value: dict[str, Any]) -> set[tuple[str | int, ...]]:
    """Every key that the document has or may have, at any depth that it reaches."""
    found: set[tuple[str | int, ...]] = set()

    def visit(schema: dict[str, Any], inner: Any, path: tuple[str | int, ...]) -> None:
        if path:
            found.add(path)
        for choice in _choices(schema):
            if isinstance(inner, dict):
                for key, child in choice.get("properties", {}).items():
                    visit(child, inner.get(key), (*path, key))
                for key in inner.keys() - choice.get("properties", {}).keys():
                    if (child := _entry(choice)) is not None:
                        visit(child, inner[key], (*path, key))
            elif isinstance(inner, list) and "items" in choice:
                for index, item in enumerate(inner):
                    visit(choice["items"], item, (*path, index))

    visit(_schema(), value, ())
    return found


def put(value: Any, path: tuple[str | int, ...], new: Any) -> None:
    """Sets one key; what lies above exists."""
    for part in path[:-1]:
        value = value[part] if isinstance(value, list) else value.setdefault(part, {})
    value[path[-1]] = copy.deepcopy(new)


def _choices(schema: dict[str, Any]) -> list[dict[str, Any]]:
    schema = _resolved(schema)
    return [c for each in schema["anyOf"] for c in _choices(each)] if "anyOf" in schema else [schema]


def _entry(schema: dict[str, Any]) -> dict[str, Any] | None:
    """Schema of the values of a mapping with keys of the user's."""
    if "patternProperties" in schema:
        found: dict[str, Any] = next(iter(schema["patternProperties"].values()))
        return found
    extra = schema.get("additionalProperties")
    return extra if isinstance(extra, dict) else {} if extra is True else None


def _at(path: tuple[str | int, ...], value: Any) -> dict[str, Any]:
    schemas = [_schema()]
    for part in path:
        below = []
        for choice in (c for s in schemas for c in _choices(s)):
            if isinstance(part, int):
                below += [choice["items"]] if "items" in choice else []
            elif part in choice.get("properties", {}):
                below.append(choice["properties"][part])
            elif (entry := _entry(choice)) is not None:
                below.append(entry)
        schemas = below
    return {"anyOf": schemas}


def _values(schema: dict[str, Any], depth: int) -> st.SearchStrategy[Any]:
    return st.one_of([_value(choice, depth) for choice in _choices(schema)])


def _value(schema: dict[str, Any], depth: int) -> st.SearchStrategy[Any]:
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    made = {
        "string": _texts,
        "integer": _numbers,
        "number": _numbers,
        "boolean": lambda _: st.booleans(),
        "null": lambda _: st.none(),
    }.get(schema.get("type", ""))
    if made is not None:
        return made(schema)
    if schema.get("type") == "array":
        most = min(schema.get("maxItems", _SHORT), schema.get("minItems", 0) + _SHORT)
        return st.lists(
            _values(schema["items"], depth + 1), min_size=schema.get("minItems", 0), max_size=most
        )
    if schema.get("type") == "object":
        return _mappings(schema, depth)
    return st.one_of(st.booleans(), st.integers(0, 10), st.text(max_size=9))


def _mappings(schema: dict[str, Any], depth: int) -> st.SearchStrategy[Any]:
    if "properties" in schema:
        required = set(schema.get("required", ()))
        fixed = {k: _values(v, depth + 1) for k, v in schema["properties"].items() if k in required}
        maybe = {k: _values(v, depth + 1) for k, v in schema["properties"].items() if k not in required}
        return st.fixed_dictionaries(fixed, optional=maybe if depth < _SHORT else {})
    entry = _entry(schema)
    if entry is None:
        return st.just({})
    pattern = next(iter(schema.get("patternProperties", {})), None)
    keys = _texts({"pattern": pattern} if pattern else {"maxLength": 20})
    least = schema.get("minProperties", 0)
    return st.dictionaries(keys, _values(entry, depth + 1), min_size=least, max_size=least + _SHORT)


def _texts(schema: dict[str, Any]) -> st.SearchStrategy[str]:
    least, most = schema.get("minLength", 0), min(schema.get("maxLength", _LONGEST_TEXT), _LONGEST_TEXT)
    if "pattern" in schema:
        shaped = st.from_regex(schema["pattern"], fullmatch=True).filter(lambda t: least <= len(t) <= most)
        taken = [name for name in _TAKEN if re.search(schema["pattern"], name)]
        return st.one_of(shaped, st.sampled_from(taken)) if taken else shaped
    plain = st.text(min_size=least, max_size=min(most, 40))
    longest = st.integers(max(least, 1), most).map(lambda n: "x" * n)
    examples = st.sampled_from(schema["examples"]) if schema.get("examples") else plain
    return st.one_of(plain, longest, examples)


def _numbers(schema: dict[str, Any]) -> st.SearchStrategy[int]:
    least = schema.get("minimum", schema.get("exclusiveMinimum", -1) + 1)
    most = schema.get("maximum", 2**40)
    return st.one_of(st.integers(least, most), st.sampled_from([least, most]), st.integers(least, least + 9))
