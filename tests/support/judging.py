"""Judge a healthy document with a fragment put in, and keep what one rule says."""

from __future__ import annotations

from pathlib import Path

from hyperpod_dpd.catalog.versions import OperatorRelease
from hyperpod_dpd.rules.check import Options
from hyperpod_dpd.rules.finding import Finding
from tests.support.broken import BROKEN
from tests.support.documents import check_value, spoiled


def environment_findings(rule: str, fragment: str, folder: Path, *, name: str = "dev") -> list[Finding]:
    """What ``rule`` says of an example environment with the fragment put in; the shape must stay valid."""
    report = check_value(spoiled(fragment, of="environment", name=name), folder)
    broken = [f.message for f in report.findings if f.id in BROKEN]
    assert not broken, broken
    return [f for f in report.findings if f.id == rule]


def manifest_findings(
    rule: str, fragment: str, folder: Path, *, operator: str | None = None
) -> list[Finding]:
    """What ``rule`` says of the healthy manifest with the fragment put in."""
    options = Options(operator=OperatorRelease.parse(operator)) if operator else None
    report = check_value(spoiled(fragment), folder, options=options)
    assert not [f.message for f in report.findings if f.id == "DPD001"]
    return [f for f in report.findings if f.id == rule]


def not_checked(fragment: str, folder: Path, *, of: str = "manifest") -> dict[str, str]:
    """The rules that were not checked, by the sentence that says which fact is missing."""
    report = check_value(spoiled(fragment, of=of), folder)
    notes = (f.message.rpartition(": ") for f in report.findings if f.id == "DPD003")
    return {sentence: rules for sentence, _, rules in notes}


def lacks(notes: dict[str, str], rule: str, fact: str) -> bool:
    """Whether ``rule`` is noted as not checked for want of ``fact``."""
    return any(rule in rules.split(", ") and sentence.endswith(fact) for sentence, rules in notes.items())
