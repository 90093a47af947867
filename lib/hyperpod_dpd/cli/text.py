"""Findings as people read them: place first, then what, why and what to change; colour only on a terminal."""

from __future__ import annotations

import re
import shutil
import textwrap

import click

from hyperpod_dpd.rules.finding import Finding, Report
from hyperpod_dpd.rules.rule import Severity

_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}
_COPIED = re.compile(
    r"`[^`]{1,120}`|(?<!\S)'[^']{1,60}'(?!\w)|[\w-]+: (\{.*\}|\"[^\"]*\"|\[[^]]*\]|[\w./-]+)"
)
"""What a reader copies: commands, quoted lines, and keys with their values."""
_KEPT = "\x01"
"""Stands for a space where no line may end; documents cannot hold it, see ``printable``."""
_WORDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}

OF_TEMPLATES = """Templates were judged for what disaggregated serving and its security need. Not covered: whether
properties exist and fit, references lead somewhere, and each service is set up well; run cfn-lint and cdk-nag too."""


def write_report(report: Report, *, quiet: bool, verbose: bool) -> None:
    """Errors and warnings with their reasons, notes one line each (``verbose``: in full; ``quiet``: none)."""
    if report.impact is not None:
        click.echo(f"impact: {printable(report.impact)}\n")
    for found in report.findings:
        note = found.severity is Severity.INFO
        if quiet and note:
            continue
        _write_finding(found, short=quiet or (note and not verbose))
    click.echo(summary(report))
    if report.templates and not quiet:
        click.echo(OF_TEMPLATES)


def _write_finding(found: Finding, *, short: bool) -> None:
    word = click.style(_WORDS[found.severity], fg=_COLOURS[found.severity], bold=True)
    place = f"{found.file}:{found.line}:{found.column}"
    if found.acknowledged is not None:
        word = click.style(f"acknowledged {_WORDS[found.severity]}", dim=True)
    click.echo(f"{printable(place)}: {word} {found.id} {printable(found.message)}")
    if short:
        return
    _line("at", f"{found.path} ({found.object})" if found.path else found.object)
    if found.acknowledged is not None:
        _line("reason", found.acknowledged)
        return
    if found.why:
        _line("why", found.why)
    _line("fix", found.fix)
    if found.sources:
        _line("source", "; ".join(found.sources))
    click.echo()


def printable(text: str) -> str:
    """Documents hold any character; none of them may steer the reader's terminal or break a line."""
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)


def _line(label: str, text: str) -> None:
    width = max(40, min(shutil.get_terminal_size((100, 24)).columns, 120))
    lead = f"    {label + ':':8}"
    whole = _COPIED.sub(lambda found: found[0].replace(" ", _KEPT), printable(" ".join(text.split())))
    filled = textwrap.fill(
        whole,
        width,
        initial_indent=lead,
        subsequent_indent=" " * 12,
        break_long_words=False,
        break_on_hyphens=False,
    )
    click.echo(filled.replace(_KEPT, " "))


def summary(report: Report) -> str:
    """``2 errors, 1 warning, 3 notes (1 acknowledged) in 4 files``."""
    parts = [_count(report.count(s), _WORDS[s]) for s in Severity]
    more = f" ({report.acknowledged} acknowledged)" if report.acknowledged else ""
    return f"{', '.join(parts)}{more} in {_count(report.files, 'file')}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
