"""Where a value stands in the user's file, so that every message can point at it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, NamedTuple

Path = tuple[str | int, ...]

_PLAIN_KEY = re.compile(r"^[A-Za-z_][\w-]*$")


class Position(NamedTuple):
    """Line and column, both counted from 1 as an editor does."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault of the text itself that leaves it usable, such as a key written twice."""

    message: str
    fix: str
    position: Position
    path: Path


class UnreadableInput(Exception):
    """The input cannot be read at all; ``str()`` gives one line that names file and place."""

    def __init__(self, file: str, message: str, position: Position | None = None) -> None:
        place = f":{position.line}:{position.column}" if position else ""
        super().__init__(f"{file}{place}: {message}")
        self.file = file
        self.message = message
        self.position = position


class InvalidSyntax(UnreadableInput):
    """The text is neither YAML nor JSON."""


@dataclass(slots=True)
class Document:
    """One YAML document (or JSON text): its plain value and the position of every node.

    ``value`` is built of dict, list, str, int, float, bool and None only. ``sources`` holds what the user
    typed for every unquoted scalar that was not read as text, so that a message can quote it.
    """

    value: Any
    file: str
    index: int = 0
    problems: list[Problem] = field(default_factory=list)
    values: dict[Path, Position] = field(default_factory=dict, repr=False)
    keys: dict[Path, Position] = field(default_factory=dict, repr=False)
    sources: dict[Path, str] = field(default_factory=dict, repr=False)

    def exists(self, path: Path) -> bool:
        """Whether the user wrote a value at ``path``."""
        return path in self.values

    def where(self, path: Path) -> Position:
        """Position of the value at ``path``, else of its nearest existing ancestor."""
        return self._nearest(self.values, path)

    def where_key(self, path: Path) -> Position:
        """Position of the key that holds ``path``, else of its nearest existing ancestor."""
        if path in self.keys:
            return self.keys[path]
        return self._nearest(self.values, path)

    def nearest(self, path: Path) -> Path:
        """The longest prefix of ``path`` that the user wrote."""
        while path and path not in self.values:
            path = path[:-1]
        return path

    def _nearest(self, table: dict[Path, Position], path: Path) -> Position:
        found = self.nearest(path)
        return self.keys.get(found) or table.get(found) or Position(1, 1)


def dotted(path: Path) -> str:
    """``("spec", "args", 0)`` as ``spec.args[0]``; keys with dots are quoted in brackets."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        elif _PLAIN_KEY.match(part):
            text += f".{part}" if text else part
        else:
            text += f"['{part}']"
    return text
