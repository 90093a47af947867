"""vLLM argument lists as the engine understands them, each flag with its place in the user's file."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.catalog.vllm_flags import ALIASES, AUTOMATIC, BOOLEAN, HUMAN_READABLE, POSITIVE

if TYPE_CHECKING:
    from hyperpod_dpd.document import Path

MODEL = "--model"

_DECIMAL = {"k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_BINARY = {"K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
_SUFFIXED = re.compile(r"([0-9]+(?:\.[0-9]+)?)([kKmMgGtT])")
_WHOLE = re.compile(r"[+-]?[0-9]+(?:_[0-9]+)*")
_TRUE = frozenset({"true", "1", "yes", "on"})
_FALSE = frozenset({"false", "0", "no", "off"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One flag as written. ``flag`` is the long name with dashes, whatever ``spelled`` looks like.

    ``style`` is 'separate' (two items), 'equals', 'alone' (no value) or 'positional' (the model path).
    ``path`` is the list item that carries the flag, ``value_path`` the one that carries its value.
    """

    flag: str
    values: tuple[str, ...]
    spelled: str
    style: str
    path: Path
    value_path: Path
    origin: str
    negated: bool = False

    @property
    def value(self) -> str | None:
        return self.values[0] if self.values else None

    def tokens(self) -> tuple[str, ...]:
        """The argument as list items, in the user's own spelling."""
        if self.style == "positional":
            return self.values
        if self.style == "equals":
            return (f"{self.spelled}={self.values[0]}", *self.values[1:])
        return (self.spelled, *self.values)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgumentProblem:
    """What is odd about one argument. ``kind`` is one of the words in ``argument_reading``."""

    kind: str
    flag: str | None
    value: Any
    path: Path
    message: str
    fix: str


class Arguments:
    """An ordered argument list, of one block of the manifest or of a role after the operator's merge."""

    __slots__ = ("_by_flag", "command", "items", "problems")

    def __init__(
        self,
        items: Iterable[Argument],
        problems: Iterable[ArgumentProblem] = (),
        command: tuple[str, ...] = (),
    ) -> None:
        self.items = tuple(items)
        self.problems = tuple(problems)
        self.command = command
        self._by_flag: dict[str, list[Argument]] = {}
        for item in self.items:
            self._by_flag.setdefault(item.flag, []).append(item)

    def __iter__(self) -> Iterator[Argument]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    @property
    def flags(self) -> tuple[str, ...]:
        """Long names, each once, in order of first appearance."""
        return tuple(self._by_flag)

    def occurrences(self, flag: str) -> tuple[Argument, ...]:
        """Every appearance of ``flag``, which may be given as any spelling of it. The last one counts."""
        return tuple(self._by_flag.get(canonical(flag)[0], ()))

    def last(self, flag: str) -> Argument | None:
        """The appearance that counts, or None."""
        found = self._by_flag.get(canonical(flag)[0])
        return found[-1] if found else None

    def get(self, flag: str) -> str | None:
        """The effective value as text; None when the flag is absent or stands alone."""
        found = self.last(flag)
        return found.value if found else None

    def values(self, flag: str) -> tuple[str, ...]:
        """All values of a flag that takes several, such as --served-model-name."""
        found = self.last(flag)
        return found.values if found else ()

    def enabled(self, flag: str) -> bool | None:
        """A switch's effective state: None when absent, else whether it is on (``--no-`` turns it off)."""
        found = self.last(flag)
        if found is None:
            return None
        text = (found.value or "").lower()
        on = text not in _FALSE if found.flag in BOOLEAN else True
        return on is not found.negated

    def has(self, flag: str) -> bool:
        """Whether ``flag`` takes effect; ``has("--no-x")`` asks whether x is switched off explicitly."""
        state = self.enabled(flag)
        return state is not None and state is not canonical(flag)[1]

    def integer(self, flag: str) -> int | None:
        """The value as an integer; None when absent, automatic, below what vLLM takes, or malformed."""
        found = self.last(flag)
        if found is None or found.value is None:
            return None
        value = read_integer(found.flag, found.value)
        return None if value is not None and value < 1 and found.flag in POSITIVE else value

    def number(self, flag: str) -> float | None:
        """The value as a finite number; None when absent or malformed (then ``problems`` has it)."""
        value = self.get(flag)
        return read_number(value) if value is not None else None

    def unresolved(self, flag: str) -> bool:
        """Whether the effective value refers to a variable that is not known."""
        return "$(" in (self.get(flag) or "")

    def where(self, flag: str) -> Path | None:
        """Path of the list item that carries the effective flag, or None when it is absent."""
        found = self.last(flag)
        return found.path if found else None

    def origin(self, flag: str) -> str | None:
        """'worker' or 'role': which block of the manifest the effective flag came from."""
        found = self.last(flag)
        return found.origin if found else None

    def render(self) -> list[str]:
        """The list again, one token per item, in the user's spelling."""
        return [*self.command, *(token for item in self.items for token in item.tokens())]


def canonical(spelled: str) -> tuple[str, bool]:
    """Long name with dashes, and whether the spelling is a ``--no-`` form.

    ``-tp`` becomes ``--tensor-parallel-size``; ``--tensor_parallel_size`` likewise; a key inside a JSON
    option (``--compilation-config.mode``) stays part of the name.
    """
    head, dot, tail = spelled.partition(".")
    if head.startswith("--"):
        head = head.replace("_", "-")
    else:
        head = ALIASES.get(head, head)
    if head.startswith("--no-") and not dot:
        return f"--{head[5:]}", True
    return head + dot + tail, False


def read_integer(flag: str, text: str) -> int | None:
    """An integer as vLLM reads it for ``flag``; None for 'auto' and for text that it refuses."""
    text = text.strip()
    if flag in AUTOMATIC and is_automatic(text):
        return None
    suffixed = _SUFFIXED.fullmatch(text) if flag in HUMAN_READABLE else None
    if suffixed:
        amount, suffix = suffixed.groups()
        if suffix in _DECIMAL:
            return int(float(amount) * _DECIMAL[suffix])
        return int(amount) * _BINARY[suffix] if "." not in amount else None
    return int(text) if _WHOLE.fullmatch(text) and len(text) < 40 else None


def is_automatic(text: str) -> bool:
    """Whether a value leaves the decision to the engine."""
    return text == "-1" or text.lower() == "auto"


def read_number(text: str) -> float | None:
    """A finite number; None for text that is none."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def read_switch(text: str) -> bool | None:
    """True or False for the usual words, else None."""
    lowered = text.strip().lower()
    return True if lowered in _TRUE else False if lowered in _FALSE else None


def merge(worker: Arguments, role: Arguments) -> Arguments:
    """The arguments a role runs with: a flag of the role replaces the same flag of the worker, others append.

    This is the operator's documented behaviour (AWS developer guide, DPD page). Its way to recognise the same
    flag is not published, so two spellings of one flag are reported although vLLM would let the later one
    win.
    """
    taken: set[str] = set()
    merged: list[Argument] = []
    for item in worker.items:
        replacement = role.occurrences(item.flag)
        if not replacement:
            merged.append(item)
        elif item.flag not in taken:
            merged.extend(replacement)
            taken.add(item.flag)
    merged.extend(item for item in role.items if item.flag not in taken)
    problems = (*worker.problems, *(p for p in role.problems if p not in worker.problems))
    return Arguments(merged, (*problems, *_spelling_problems(worker, role)), worker.command or role.command)


def _spelling_problems(worker: Arguments, role: Arguments) -> Iterator[ArgumentProblem]:
    for flag in role.flags:
        mine, theirs = role.last(flag), worker.last(flag)
        if mine is None or theirs is None or mine.origin == theirs.origin or mine.negated != theirs.negated:
            continue
        if (mine.spelled, mine.style) == (theirs.spelled, theirs.style):
            continue
        yield ArgumentProblem(
            kind="merge-spelling",
            flag=flag,
            value=" ".join(mine.tokens()),
            path=mine.path,
            message=(
                f"{flag} is written '{' '.join(theirs.tokens())}' in the worker's arguments and"
                f" '{' '.join(mine.tokens())}' in the role's; whether the operator sees one flag there is not"
                " published."
            ),
            fix="Write the flag in the same form in both places, as two list items with the long name.",
        )
