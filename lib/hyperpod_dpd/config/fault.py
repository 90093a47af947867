"""A fault of the environment document, in the user's words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from hyperpod_dpd.config.mending import Mend
from hyperpod_dpd.document import Document, Path, Position, dotted

if TYPE_CHECKING:
    from hyperpod_dpd.config.loaded import LoadedEnvironment


class Misspelt(NamedTuple):
    """Path in the document, what is wrong there, what to change, and the value that was surely meant."""

    path: Path
    message: str
    fix: str
    meant: Any


Complaint = tuple[Path, str, str] | Misspelt
"""Path in the document, what is wrong there, and what to change."""


class FaultKind(StrEnum):
    """What is wrong, by the id of the rule that explains it."""

    NAME = "DPD002"  # a name that points nowhere, choices that exclude each other
    TEXT = "DPD008"
    UNKNOWN_KEY = "DPD010"
    TYPE = "DPD011"
    MISSING = "DPD012"
    LOCKED = "DPD013"


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong at one place of the document, and what to change; ``mend`` is what was surely meant."""

    file: str
    position: Position
    path: Path
    message: str
    fix: str
    kind: FaultKind = FaultKind.NAME
    mend: Mend | None = None

    def __str__(self) -> str:
        place = dotted(self.path) or "(top level)"
        return f"{self.file}:{self.position.line}:{self.position.column}: {place}: {self.message}; {self.fix}"


class InvalidEnvironment(Exception):
    """The document is readable but not an environment; ``str()`` lists every fault, one a line.

    ``loaded`` is what the document says all the same: where only names and files in it point nowhere, or where what
    was meant is sure.
    """

    def __init__(self, file: str, faults: list[Fault], loaded: LoadedEnvironment | None = None) -> None:
        self.file = file
        self.loaded = loaded
        self.faults = sorted(faults, key=lambda f: (f.position.line, f.position.column, f.path[-1:] != ()))
        super().__init__("\n".join(str(f) for f in self.faults))


def faults_of(document: Document, complaints: Iterable[Complaint]) -> list[Fault]:
    """Complaints with the places that a user's editor knows."""
    faults = []
    for each in complaints:
        path, message, fix = each[:3]
        meant = each.meant if isinstance(each, Misspelt) else None
        mend = None if meant is None else Mend("set", path, meant)
        faults.append(Fault(document.file, document.where(path), path, message, fix, mend=mend))
    return faults
