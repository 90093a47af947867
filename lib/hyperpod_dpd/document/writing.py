"""Write YAML whose every string re-reads as the same string, whatever YAML version the reader follows."""

from __future__ import annotations

import re
from typing import Any

import yaml

_SAFE = re.compile(r"^[A-Za-z/_][A-Za-z0-9_./:@+=,()-]*( [A-Za-z0-9_./@+=,()-]+)*$")
_WORDS = frozenset(
    [
        "y",
        "n",
        "yes",
        "no",
        "on",
        "off",
        "true",
        "false",
        "null",
        "none",
        "nan",
        "inf",
        "infinity",
    ]  # read as other types by some reader
)


class _Dumper(yaml.CSafeDumper):
    """Quotes every string that is not plainly a word, and never uses anchors."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _string(dumper: Any, value: str) -> yaml.Node:
    style = None if is_plain(value) else '"'
    if style and "\n" in value and _fits_block(value):
        style = "|"
    node: yaml.Node = dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)
    return node


def is_plain(value: str) -> bool:
    """Whether ``value`` needs no quotes for any YAML 1.1 or 1.2 reader."""
    return (
        bool(_SAFE.match(value))
        and value.lower() not in _WORDS
        and ": " not in value
        and not value.endswith(":")
        and len(value) <= 100
    )


def _fits_block(value: str) -> bool:
    lines = value.split("\n")
    return (
        all(line == line.rstrip() and line.isprintable() and len(line) < 500 for line in lines)
        and not lines[0].startswith(" ")
        and bool(lines[0])
    )


_Dumper.add_representer(str, _string)


def dump_yaml(value: Any) -> str:
    """``value`` as one YAML document in the order given, indented by two, ending in a newline."""
    return yaml.dump(
        value,
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=False,
        default_flow_style=False,
        width=10_000,
    )
