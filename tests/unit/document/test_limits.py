"""What is made to exhaust a reader ends in one clear line, before the memory or the patience does."""

from __future__ import annotations

import io
import time
from pathlib import Path
from typing import BinaryIO, cast

import pytest

from hyperpod_dpd.document import UnreadableInput, read_documents, read_file, read_stream
from hyperpod_dpd.document.reading import MAX_BYTES, MAX_NODES

SECONDS = 2.0


def merges(levels: int) -> str:
    """Each mapping merges ten times the one before."""
    text = "a0: &a0 {k: v}\n"
    for level in range(1, levels):
        text += f"a{level}: &a{level} {{<<: [{', '.join([f'*a{level - 1}'] * 10)}]}}\n"
    return text


def aliases(levels: int) -> str:
    text = "a0: &a0 [x]\n"
    for level in range(1, levels):
        text += f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]\n"
    return text


WIDE = "b: &b {" + ", ".join(f"k{i}: 1" for i in range(3000)) + "}\nl:\n" + "- {<<: *b}\n" * 3000

BOMBS = {
    "merge keys": (merges(12), "aliases expand"),
    "aliases": (aliases(12), "aliases expand"),
    "one wide mapping merged often": (WIDE, "aliases expand"),
    "flat mapping": ("".join(f"k{i}: {i}\n" for i in range(500_000)), "split it"),
    "flat list": ("- x\n" * 2_000_000, "split it"),
    "numbers": ("[" + "1," * 4_000_000 + "1]", "split it"),
    "documents": ("---\na: 1\n" * 800_000, "split it"),
    "repeated keys": ("a: 1\n" * 1_000_000, "split it"),
    "deep list": ("- " * 2_000_000, "nested deeper"),
    "deep mapping": ("? " * 2_000_000, "nested deeper"),
    "deep brackets": ("[" * 4_000_000, "nesting depth"),
}


@pytest.mark.parametrize("name", BOMBS, ids=lambda name: name.replace(" ", "-"))
def test_a_bomb_ends_in_one_line(name: str) -> None:
    text, says = BOMBS[name]
    started = time.process_time()
    with pytest.raises(UnreadableInput, match=says) as caught:
        read_documents(text, "f.yaml")
    assert time.process_time() - started < SECONDS
    assert "\n" not in str(caught.value)


def test_as_many_values_as_are_allowed_are_read() -> None:
    half = MAX_NODES // 2 - 1
    (document,) = read_documents("".join(f"k{i}: {i}\n" for i in range(half)), "f.yaml")
    assert len(document.value) == half


class Endless(io.RawIOBase):
    """Bytes without an end, which counts what is taken."""

    taken = 0

    def read(self, size: int | None = -1) -> bytes:
        assert size is not None and size > 0, "all of an endless stream was asked for"
        self.taken += size
        return b"a" * size


def test_an_endless_stream_is_left_after_what_a_file_may_hold() -> None:
    stream = Endless()
    with pytest.raises(UnreadableInput, match="goes on after"):
        read_stream(cast("BinaryIO", stream), "-")
    assert stream.taken == MAX_BYTES + 1


def test_a_device_without_an_end_too() -> None:
    with pytest.raises(UnreadableInput, match="goes on after"):
        read_file(Path("/dev/zero"))
