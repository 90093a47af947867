"""The operator's CRD as a table of facts: `python tools/crd_facts.py CRD.yaml > tests/k8s/crd_facts.json`.

The table has what a judge of manifests needs (types, limits, defaults, required fields, kinds of lists) and no sentence
of the definition; `definition` turns it back into a CRD, so that one table serves every test of conformance.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

_NOT_FACTS = {"description", "properties", "items", "additionalProperties"}
_INT_OR_STRING = {"anyOf": [{"type": "integer"}, {"type": "string"}], "x-kubernetes-int-or-string": True}
_ITEM, _VALUE = "[]", "{}"


def facts(crd: dict[str, Any]) -> dict[str, Any]:
    """Group, kind and, by version, the facts of every path; "[]" stands for an item, "{}" for a map's value."""
    spec = crd["spec"]
    return {
        "group": spec["group"],
        "kind": spec["names"]["kind"],
        "versions": {
            each["name"]: {
                "served": each["served"],
                "storage": each["storage"],
                "fields": dict(_fields(each["schema"]["openAPIV3Schema"], "")),
            }
            for each in spec["versions"]
        },
    }


def _fields(schema: dict[str, Any], path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    own = {word: value for word, value in schema.items() if word not in _NOT_FACTS}
    if _INT_OR_STRING.items() <= own.items() and "type" not in own:
        own = {"type": "int-or-string", **{w: v for w, v in own.items() if w not in _INT_OR_STRING}}
    yield path, own
    for name, child in sorted(schema.get("properties", {}).items()):
        yield from _fields(child, f"{path}.{name}" if path else name)
    for word, step in (("items", _ITEM), ("additionalProperties", _VALUE)):
        if isinstance(schema.get(word), dict):
            yield from _fields(schema[word], path + step)


def text(table: dict[str, Any]) -> str:
    """The table as JSON with one field a line: a change of the CRD is a readable difference."""
    versions = []
    for name, version in table["versions"].items():
        head = {word: value for word, value in version.items() if word != "fields"}
        lines = [f"    {json.dumps(path)}: {json.dumps(own)}" for path, own in version["fields"].items()]
        fields = ",\n".join(lines)
        versions.append(f'  {json.dumps(name)}: {json.dumps(head)[:-1]}, "fields": {{\n{fields}\n  }}}}')
    names = ", ".join(f"{json.dumps(word)}: {json.dumps(table[word])}" for word in ("group", "kind"))
    joined = ",\n".join(versions)
    return f'{{{names}, "versions": {{\n{joined}\n}}}}\n'


def definition(table: dict[str, Any]) -> dict[str, Any]:
    """A CustomResourceDefinition that decides about manifests as the one decides from which the table comes."""
    versions = [
        {
            "name": name,
            "served": version["served"],
            "storage": version["storage"],
            "schema": {"openAPIV3Schema": _schema(version["fields"])},
        }
        for name, version in table["versions"].items()
    ]
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "spec": {"group": table["group"], "names": {"kind": table["kind"]}, "versions": versions},
    }


def _schema(fields: dict[str, dict[str, Any]]) -> dict[str, Any]:
    nodes: dict[str, dict[str, Any]] = {}
    for path, own in fields.items():
        node = nodes[path] = json.loads(json.dumps(own))
        if node.get("type") == "int-or-string":
            del node["type"]
            node.update(json.loads(json.dumps(_INT_OR_STRING)))
        if path.endswith(_ITEM):
            nodes[path.removesuffix(_ITEM)]["items"] = node
        elif path.endswith(_VALUE):
            nodes[path.removesuffix(_VALUE)]["additionalProperties"] = node
        elif path:
            parent, _, name = path.rpartition(".")
            nodes[parent].setdefault("properties", {})[name] = node
    return nodes[""]


def read(path: Path) -> dict[str, Any]:
    """A CRD from its file."""
    loaded: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return loaded


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python tools/crd_facts.py CRD.yaml")
    sys.stdout.write(text(facts(read(Path(sys.argv[1])))))
