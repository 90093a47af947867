"""A finding: a rule that fired at a place of the user's file, with what to do about it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from hyperpod_dpd.rules.rule import Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One line of a report. ``path`` is dotted, in the user's own document; ``object`` names what it is about."""

    id: str
    severity: Severity
    title: str
    message: str
    why: str
    fix: str
    sources: tuple[str, ...]
    file: str
    line: int
    column: int
    path: str
    object: str
    acknowledged: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The stable shape of `dpd check --format json`."""
        return {**asdict(self), "severity": self.severity.value, "sources": list(self.sources)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Every finding of one run, in a stable order, and how many files were read, templates among them."""

    findings: tuple[Finding, ...]
    files: int
    templates: int = 0
    impact: str | None = None
    """What the change since an earlier state does in all; None where none was given."""

    def count(self, severity: Severity) -> int:
        """Findings of this severity that nobody acknowledged."""
        return sum(f.severity is severity and f.acknowledged is None for f in self.findings)

    @property
    def acknowledged(self) -> int:
        return sum(f.acknowledged is not None for f in self.findings)

    def as_json(self) -> dict[str, Any]:
        """Findings and their counts, as the command contract states."""
        return {
            "findings": [f.as_json() for f in self.findings],
            "summary": {
                **{s.value: self.count(s) for s in Severity},
                "acknowledged": self.acknowledged,
                "files": self.files,
                **({} if self.impact is None else {"impact": self.impact}),
            },
        }


def ordered(findings: list[Finding]) -> tuple[Finding, ...]:
    """By file, line, column, id: the order in which a person reads the file."""
    unique = dict.fromkeys(findings)
    return tuple(sorted(unique, key=lambda f: (f.file, f.line, f.column, f.id, f.message)))
