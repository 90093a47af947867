"""Cut the list items of an argument list into words, each with the path of the item it stood in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.catalog import vllm_flags
from hyperpod_dpd.iec.arguments import Argument, ArgumentProblem, canonical

if TYPE_CHECKING:
    from hyperpod_dpd.document import Path

_PYTHON = re.compile(r"python[0-9.]*")
_NEGATIVE_NUMBER = re.compile(r"-(?:[0-9]+|[0-9]*\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_FLAG = re.compile(r"--?[A-Za-z](?:[\w.-]*=.*|\S*)", re.DOTALL)
_FLAG_AND_JSON = re.compile(r"(--?[A-Za-z][\w.-]*)\s+([\[{].*)", re.DOTALL)
_FLAG_IS = re.compile(r"--?[A-Za-z][\w.-]*=")
_NEXT_FLAG = re.compile(r"\s--?[A-Za-z]")
_COMMAND_LINE = re.compile(r"\bvllm\s+serve\b|\bvllm\.entrypoints\b")


@dataclass(frozen=True, slots=True)
class Token:
    """One word and the path of the list item it was cut from."""

    text: str
    path: Path


@dataclass(slots=True)
class Reader:
    """State of one pass over the tokens."""

    origin: str
    path: Path
    items: list[Argument] = field(default_factory=list)
    problems: list[ArgumentProblem] = field(default_factory=list)

    def report(
        self, kind: str, message: str, fix: str, *, path: Path, flag: str | None = None, value: Any = None
    ) -> None:
        self.problems.append(
            ArgumentProblem(kind=kind, flag=flag, value=value, path=path, message=message, fix=fix)
        )


def tokens_of(reader: Reader, args: Any) -> Iterator[Token]:
    """The words of an argument list, whatever form the user gave it."""
    if args is None:
        return
    if not isinstance(args, list):
        reader.report(
            "not-a-list",
            f"The arguments are a {'string' if isinstance(args, str) else type(args).__name__}, no list.",
            'Write one list item per word: - "--port" and - "8000".',
            path=reader.path,
            value=args,
        )
        args = [args] if isinstance(args, str) else []
        yield from (
            Token(text, reader.path)
            for item in args
            for text in _split(reader, item, reader.path, alone=True)
        )
        return
    awaiting = False
    for index, item in enumerate(args):
        at = (*reader.path, index)
        text = item if isinstance(item, str) else _as_text(reader, item, at)
        if text is None:
            continue
        words = [text] if awaiting and not is_flag(text) else _split(reader, text, at, alone=len(args) == 1)
        yield from (Token(word, at) for word in words)
        awaiting = len(words) == 1 and _awaits_value(words[0])


def _as_text(reader: Reader, item: Any, at: Path) -> str | None:
    if isinstance(item, dict) and len(item) == 1:
        key, value = next(iter(item.items()))
        text = str(key) if value is None else f"{key} {_plain(value)}"
        reader.report(
            "not-text",
            f"The argument '{text}' is a mapping: YAML reads a colon and a space as key and value.",
            f'Write two list items: - "{key}" and - "{_plain(value)}".',
            path=at,
            value=item,
        )
        return f"{key}={_plain(value)}" if value is not None else str(key)
    if item is None or isinstance(item, dict | list):
        reader.report(
            "not-text", f"The argument {item!r} is not text.", "Write a string.", path=at, value=item
        )
        return None
    reader.report(
        "not-text",
        f"The argument {_plain(item)} is a {type(item).__name__}, and an argument must be a string.",
        f'Write it in quotes: "{_plain(item)}".',
        path=at,
        value=item,
    )
    return _plain(item)


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=str)


def _split(reader: Reader, text: str, at: Path, *, alone: bool) -> list[str]:
    """The words of one item: itself, unless it holds a flag with its value or a whole command line."""
    stripped = text.strip()
    if not re.search(r"\s", stripped):
        return [text]
    if not is_flag(stripped.split()[0]) and not _is_command_line(stripped, alone=alone):
        return [text]
    if stripped.startswith("-"):
        pair = _FLAG_AND_JSON.fullmatch(stripped)
        if pair and _is_json(pair[2]):
            _report_shell_string(reader, text, at)
            return [pair[1], pair[2]]
        equals = _FLAG_IS.match(stripped)
        if equals and (_is_json(stripped[equals.end() :]) or not _NEXT_FLAG.search(stripped)):
            return [stripped]
    _report_shell_string(reader, text, at)
    return _shell_words(reader, stripped, at)


def _is_command_line(text: str, *, alone: bool) -> bool:
    return bool(_COMMAND_LINE.search(text)) or (alone and bool(_NEXT_FLAG.search(text)))


def _shell_words(reader: Reader, text: str, at: Path) -> list[str]:
    import shlex

    text = re.sub(r"\\\r?\n", " ", text)
    try:
        return shlex.split(text)
    except ValueError:
        reader.report(
            "shell-string",
            f"The argument string '{_short(text)}' has a quotation mark that is never closed.",
            "Close the quotation mark, or write one list item per word.",
            path=at,
            value=text,
        )
        return text.split()


def _report_shell_string(reader: Reader, text: str, at: Path) -> None:
    reader.report(
        "shell-string",
        f"'{_short(text)}' holds several words in one argument; without a shell nothing splits them, and the"
        " operator compares flags item by item.",
        "Write one list item per word.",
        path=at,
        value=text,
    )


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 60 else f"{flat[:57]}..."


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict | list)
    except (ValueError, RecursionError):
        return False


def is_flag(text: str) -> bool:
    """Whether a word is a flag rather than a value, such as a negative number."""
    return bool(_FLAG.fullmatch(text)) and not _NEGATIVE_NUMBER.fullmatch(text)


def _awaits_value(text: str) -> bool:
    """Whether the next item belongs to ``text`` whatever it looks like."""
    if not is_flag(text) or "=" in text:
        return False
    name, negated = canonical(text)
    return not negated and name.partition(".")[0] in vllm_flags.SINGLE | vllm_flags.MULTIPLE


def split_command(tokens: list[Token]) -> tuple[tuple[str, ...], list[Token]]:
    """Take a leading ``vllm serve``, ``python3 -m module`` or the rest of one (``-m module``) off the list."""
    words = [token.text for token in tokens[:12]]
    for index, word in enumerate(words):
        serves = word == "serve" and (index == 0 or words[index - 1] == "vllm")
        if serves or _is_module(words, index):
            end = index + 1
            if word.endswith(".main") and words[end : end + 1] == ["serve"]:
                end += 1
            return tuple(words[:end]), tokens[end:]
    return (), tokens


def _is_module(words: list[str], index: int) -> bool:
    """Whether a word is the module that a Python interpreter runs, whatever options stand between the two."""
    if index == 0 or words[index - 1] != "-m":
        return False
    before = words[: index - 1]
    if not before:
        return words[index].startswith("vllm")
    interpreter = next(
        (at for at, word in enumerate(before) if _PYTHON.fullmatch(word.rpartition("/")[2])), None
    )
    return interpreter is not None and all(word.startswith("-") for word in before[interpreter + 1 :])
