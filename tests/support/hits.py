"""Findings of one rule on one spoiled document, for the tests of single rules."""

from __future__ import annotations

from pathlib import Path

from hyperpod_dpd.rules.finding import Finding
from tests.support.broken import BROKEN
from tests.support.documents import check_value, spoiled


def hits(rule: str, fragment: str, folder: Path, *, of: str = "manifest", name: str = "dev") -> list[Finding]:
    """What the rule says of the healthy base with the fragment put in; fails where any rule crashed."""
    report = check_value(spoiled(fragment, of=of, name=name), folder)
    crashed = [f.message for f in report.findings if f.id in BROKEN]
    assert not crashed, crashed
    return [f for f in report.findings if f.id == rule]


def not_checked(fragment: str, folder: Path, *, of: str = "manifest") -> str:
    """The notes on rules that lacked a fact, as one text."""
    report = check_value(spoiled(fragment, of=of), folder)
    return "\n".join(f.message for f in report.findings if f.id == "DPD003")


def variable(name: str, value: str) -> str:
    """A fragment that sets one environment variable of the worker."""
    return f"spec: {{worker: {{environmentVariables: [{{name: {name}, value: {value!r}}}]}}}}"
