"""Ask for the findings of one rule on a healthy document with one part spoiled."""

from __future__ import annotations

from pathlib import Path

from hyperpod_dpd.catalog.versions import OperatorRelease
from hyperpod_dpd.rules.check import Options, check
from hyperpod_dpd.rules.finding import Finding
from hyperpod_dpd.view.inputs import gather
from tests.support import found
from tests.support.broken import BROKEN
from tests.support.documents import check_value, spoiled


def findings_of(
    rule: str,
    fragment: str,
    folder: Path,
    *,
    of: str = "manifest",
    name: str = "dev",
    operator: str | None = None,
) -> list[Finding]:
    """What ``rule`` says of the example document ``name`` with ``fragment`` merged in."""
    options = Options(operator=OperatorRelease.parse(operator) if operator else None)
    report = check_value(spoiled(fragment, of=of, name=name), folder, name=f"{name}.yaml", options=options)
    assert not [f for f in report.findings if f.id in BROKEN], report.findings
    return [each for each in report.findings if each.id == rule]


def not_checked(fragment: str, folder: Path, *, of: str = "manifest", name: str = "dev") -> dict[str, str]:
    """Fact that nobody declares to the rules that waited for it."""
    notes = findings_of("DPD003", fragment, folder, of=of, name=name)
    parts = [note.message.removeprefix("not checked, because nothing here declares the ") for note in notes]
    return dict(part.split(": ", 1) for part in parts)


def findings_in_case(rule: str, case: str, folder: Path) -> list[Finding]:
    """What ``rule`` says of a manifest of tests/support/found; the complete pair gets its two values."""
    text = found.complete_pair(region="us-east-2") if case == "complete-pair" else found.text_of(case)
    file = folder / f"{case}.yaml"
    file.write_text(text, encoding="utf-8")
    return [each for each in check(gather([str(file)])).findings if each.id == rule]
