"""A report as workflow commands, which GitHub shows as annotations at the lines of a change."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from hyperpod_dpd.rules.finding import Finding, Report
from hyperpod_dpd.rules.rule import Severity

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def workflow_commands(report: Report, unreadable: Sequence[str] = ()) -> Iterator[str]:
    """One line for each finding that nobody acknowledged, and for each input that could not be read."""
    for line in unreadable:
        yield f"::error title=dpd check::{message(line)}"
    for found in report.findings:
        if found.acknowledged is None:
            yield _annotation(found)


def _annotation(found: Finding) -> str:
    properties = {
        "file": os.path.normpath(found.file) if found.file != "-" else "",
        "line": str(max(1, found.line)),
        "col": str(max(1, found.column)),
        "title": f"{found.id} {found.title}",
    }
    if not properties["file"]:
        del properties["file"], properties["line"], properties["col"]
    shown = ",".join(f"{key}={value_of(value)}" for key, value in properties.items())
    parts = [f"{found.message} ({found.object})", found.why, f"Fix: {found.fix}"]
    return f"::{_COMMANDS[found.severity]} {shown}::{message(chr(10).join(filter(None, parts)))}"


def message(text: str) -> str:
    """The text of a workflow command: percent signs and line ends escaped."""
    plain = "".join(c if c.isprintable() or c in "\r\n" else f"\\u{ord(c):04x}" for c in text)
    return plain.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def value_of(text: str) -> str:
    """A property of a workflow command: also colons and commas escaped."""
    return message(text).replace(":", "%3A").replace(",", "%2C")
