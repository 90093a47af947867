"""A fault of the environment document, in the user's words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hyperpod_dpd.document import Document, Path, Position, dotted

if TYPE_CHECKING:
    from hyperpod_dpd.config.loaded import LoadedEnvironment


Complaint = tuple[Path, str, str]
"""Path in the document, what is wrong there, and what to change."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong at one place of the document, and what to change."""

    file: str
    position: Position
    path: Path
    message: str
    fix: str

    def __str__(self) -> str:
        place = dotted(self.path) or "(top level)"
        return f"{self.file}:{self.position.line}:{self.position.column}: {place}: {self.message}; {self.fix}"


class InvalidEnvironment(Exception):
    """The document is readable but not an environment; ``str()`` lists every fault, one a line.

    ``loaded`` is what the document says all the same, where only names and files in it point nowhere.
    """

    def __init__(self, file: str, faults: list[Fault], loaded: LoadedEnvironment | None = None) -> None:
        self.file = file
        self.loaded = loaded
        self.faults = sorted(faults, key=lambda f: (f.position.line, f.position.column, f.path[-1:] != ()))
        super().__init__("\n".join(str(f) for f in self.faults))


def faults_of(document: Document, complaints: Iterable[Complaint]) -> list[Fault]:
    """Complaints with the places that a user's editor knows."""
    return [
        Fault(document.file, document.where(path), path, message, fix) for path, message, fix in complaints
    ]
