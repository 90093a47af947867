"""Reading: plain values as kubectl sees them, positions as an editor counts them, one clear line on bad text."""

from __future__ import annotations

import json

import pytest

from hyperpod_dpd.document import Position, UnreadableInput, read_documents, read_file
from hyperpod_dpd.document.reading import MAX_BYTES


def only(text: str | bytes):
    (document,) = read_documents(text, "f.yaml")
    return document


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("012", 10),
        ("0o12", 10),
        ("0x1F", 31),
        ("1_000", 1000),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("-7", -7),
        ("y", True),
        ("off", False),
        ("~", None),
        ("12:30", "12:30"),
        ("2026-01-01", "2026-01-01"),
        ("v1.1", "v1.1"),
        ("'0'", "0"),
        ('"yes"', "yes"),
        ("!!str 5", "5"),
        ("123456789012", 123456789012),
    ],
)
def test_scalars_are_typed_as_kubectl_types_them(text: str, value: object) -> None:
    found = only(f"a: {text}").value["a"]
    assert found == value
    assert type(found) is type(value)


def test_positions_point_at_the_value_or_its_nearest_ancestor() -> None:
    document = only("spec:\n  args:\n    - one\n    - two\n")
    assert document.where(("spec", "args", 1)) == Position(4, 7)
    assert document.where_key(("spec", "args")) == Position(2, 3)
    assert document.where(("spec", "missing", "deeper")) == document.where_key(("spec",)) == Position(1, 1)


def test_repeated_keys_are_a_problem_with_both_lines() -> None:
    document = only("a: 1\nb: 2\na: 3\n")
    (problem,) = document.problems
    assert problem.position == Position(3, 1)
    assert "line 1" in problem.message


def test_anchors_and_merges_are_expanded() -> None:
    document = only("base: &b {x: 1, y: 2}\nuse:\n  <<: *b\n  y: 3\n")
    assert document.value["use"] == {"x": 1, "y": 3}


def test_a_byte_order_mark_and_several_documents_are_read() -> None:
    documents = read_documents(b"\xef\xbb\xbf---\n---\na: 1\n---\nb: 2\n", "f.yaml")
    assert [d.value for d in documents] == [{"a": 1}, {"b": 2}]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"a:\n\t- b", "f.yaml:2:1: is not valid YAML: a tab is used for indentation"),
        (b"a: *x", "define the anchor"),
        (b"\x00\x01", "binary"),
        (b"a: 1\nb: \xff", "f.yaml:2:1: is not UTF-8"),
        (b"a: \x07", "'\\x07'"),
        (b"{{ x }}: 1", "'{{ }}'"),
        (b"a: &a [*a]", "nested deeper"),
        (b"[" * 5000, "nesting depth"),
        (b"<<: 3", "merges mappings only"),
        (b"a: b: c", "f.yaml:1:5"),
        (b" " * (MAX_BYTES + 1), "at most"),
    ],
)
def test_unreadable_text_is_one_clear_line(data: bytes, says: str) -> None:
    with pytest.raises(UnreadableInput) as caught:
        read_documents(data, "f.yaml")
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_alias_bombs_are_refused() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 9)]
    with pytest.raises(UnreadableInput, match="aliases expand"):
        read_documents("\n".join(lines), "f.yaml")


def test_missing_files_and_folders_are_named(tmp_path) -> None:
    with pytest.raises(UnreadableInput, match="no such file"):
        read_file(tmp_path / "none.yaml")
    with pytest.raises(UnreadableInput, match="is a folder"):
        read_file(tmp_path)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": "\\ud83d\\ude00"}', "\U0001f600"),
        ('{"a": "\\\\ud83d"}', "\\ud83d"),
        ('{"a": "\\\\\\uD83D\\uDE00!"}', "\\\U0001f600!"),
    ],
)
def test_json_escapes_beyond_the_basic_plane(text: str, value: str) -> None:
    assert json.loads(text) == {"a": value}
    (document,) = read_documents(text, "a.json")
    assert document.value == {"a": value}


def test_half_an_escaped_character_is_refused() -> None:
    with pytest.raises(UnreadableInput):
        read_documents('{"a": "\\ud83d"}', "a.json")


def test_binary_is_decoded_as_kubectl_does() -> None:
    document = only("name: !!binary bGxhbWE=\n")
    assert (document.value, document.problems) == ({"name": "llama"}, [])


@pytest.mark.parametrize("text", ["not base64!", "/w=="])
def test_binary_that_is_no_text_is_told(text: str) -> None:
    document = only(f"name: !!binary '{text}'\n")
    (problem,) = document.problems
    assert problem.path == ("name",) and "kubectl" in problem.message
