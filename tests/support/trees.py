"""Hypothesis strategies: any YAML tree out of the words that manifests and environments use, and spoiled documents."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from hyperpod_dpd.document import Path

AWKWARD: list[Any] = [
    None, True, False, 0, 1, -1, 2**31, 2**63, 10**30, 0.5, 1e308, "", " ", "0", "8", "-8", "1e3", "8Gi", "500m", "NaN",
    "$VAR", "${VAR}", "<BUCKET>", "{{ x }}", "--tensor-parallel-size", "--tensor-parallel-size=8", "-tp", "--", "a: b",
    "--max-model-len=1k", "s3://", "s3://bucket/path", "ml.p5.48xlarge", "ml.", "@sha256:", "a/b:c@sha256:0", ":", "/",
    "us-west-2a", "DPD702: x; DPD", "é", "\u2028", "[1, 2]", "{}", [], {}, [[]], [{}], {"name": "a"},
    [{"name": "a"}, {"name": "a"}], {"a": {"b": None}},
]  # fmt: skip

scalars = st.one_of(
    st.sampled_from(AWKWARD),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=12),
).map(copy.deepcopy)


def words(*documents: Any) -> list[str]:
    """Every key of the documents, to build new trees from."""
    found: set[str] = set()
    for document in documents:
        for _, holder, key in places(document):
            if isinstance(holder, dict):
                found.add(key)
    return sorted(found)


def trees(keys: list[str]) -> st.SearchStrategy[Any]:
    """Any tree of mappings, lists and scalars over ``keys`` and some others."""
    names = st.one_of(st.sampled_from(keys), st.text(max_size=8))
    return st.recursive(
        scalars,
        lambda child: st.one_of(st.lists(child, max_size=4), st.dictionaries(names, child, max_size=6)),
        max_leaves=25,
    )


def places(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any, Any]]:
    """Path, holder and key of every value below ``value``."""
    entries = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, child in entries:
        yield (*path, key), value, key
        yield from places(child, (*path, key))


@st.composite
def mangled(draw: st.DrawFn, document: Any, *, changes: int = 3) -> Any:
    """``document`` with up to ``changes`` values replaced, removed, renamed, wrapped or doubled."""
    result = copy.deepcopy(document)
    keys = words(document)
    for _ in range(draw(st.integers(1, changes))):
        found = list(places(result))
        if not found:
            break
        _, holder, key = draw(st.sampled_from(found))
        how = draw(st.sampled_from(["replace", "tree", "remove", "rename", "wrap", "double", "text"]))
        value = holder[key]
        if how == "replace":
            holder[key] = draw(scalars)
        elif how == "tree":
            holder[key] = draw(trees(keys))
        elif how == "remove":
            del holder[key]
        elif how == "rename" and isinstance(holder, dict):
            holder[draw(st.one_of(st.sampled_from(keys), st.text(max_size=8)))] = holder.pop(key)
        elif how == "wrap":
            holder[key] = draw(
                st.sampled_from([[value], {"a": value}, {key if isinstance(key, str) else "b": value}])
            )
        elif how == "double" and isinstance(holder, list):
            holder.append(copy.deepcopy(value))
        elif how == "text":
            holder[key] = str(value)
    return result
