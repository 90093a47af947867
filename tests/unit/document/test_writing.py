"""Writing: every string survives a YAML 1.1 and a YAML 1.2 reader, and ours."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from hyperpod_dpd.document import dump_yaml, read_documents

yaml_1_2 = YAML(typ="safe", pure=True)

AWKWARD = [
    "0", "00", "0o7", "1e3", "1.0", ".5", "0x1F", "1_000", "y", "N", "on", "No", "null", "~", "", " ", "- a",
    "a: b", "a #b", "#c", "*x", "&x", "!x", "%x", "@x", "`x", "{a", "[a", "a\nb", "a\n\nb\n", "\n", "\ttab",
    "12:30", "2026-01-01", "=", "<<", "é", "😀", "\x85", "\u2028", "\ufeff", "a" * 300, "'", '"', "\\", "8589934592",
    "a ", "---", "...", "? x", "key:", "True", ".inf", "-.INF", ".NaN", "+1", "-", "{{ x }}", "$VAR",
]  # fmt: skip


def rereads(value: object) -> None:
    text = dump_yaml(value)
    assert yaml.safe_load(text) == value
    assert yaml_1_2.load(text) == value
    assert read_documents(text, "x")[0].value == value


@pytest.mark.parametrize("text", AWKWARD)
def test_awkward_strings_reread_as_themselves(text: str) -> None:
    rereads({"value": text, "list": [text], "nested": {text or "empty": text}})


@given(st.recursive(st.text(max_size=40), lambda inner: st.lists(inner, max_size=3)))
def test_any_text_rereads_as_itself(value: object) -> None:
    rereads({"value": value})


def test_order_is_kept_and_aliases_are_never_written() -> None:
    shared = ["x"]
    assert dump_yaml({"b": shared, "a": shared}) == "b:\n- x\na:\n- x\n"
