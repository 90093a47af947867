"""A report for people: repeats folded, what is accepted or minor first, errors last; colour only on a terminal."""

from __future__ import annotations

import re
import shutil
import textwrap
from collections.abc import Iterable, Sequence

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
_RANKS = {Severity.INFO: 0, Severity.WARNING: 2, Severity.ERROR: 3}
_ACCEPTED = 1
_NOT_CHECKED = "DPD003"
_RULE_ID = re.compile(r"DPD\d{3,4}")
_PLACES = 6
"""Further places of a repeated error or warning that are written out."""

OF_TEMPLATES = """Templates were judged for what disaggregated serving and its security need. Not covered: whether
properties exist and fit, references lead somewhere, and each service is set up well; run cfn-lint and cdk-nag too."""


def write_report(report: Report, *, quiet: bool, verbose: bool, explain: bool = False) -> None:
    """Errors and warnings with their reasons, notes one line each, what repeats once with its places.

    ``verbose``: notes in full; ``quiet``: one line a finding and no notes; ``explain``: nothing is folded.
    """
    if report.impact is not None:
        click.echo(f"impact: {printable(report.impact)}\n")
    shown = [f for f in report.findings if not (quiet and f.severity is Severity.INFO)]
    alone = explain or quiet
    unchecked = [f for f in shown if _is_unchecked(f)] if not alone else []
    if len(unchecked) > 1:
        _write_unchecked(unchecked)
        shown = [f for f in shown if not _is_unchecked(f)]
    groups = [[f] for f in shown] if alone else folded(shown)
    for group in sorted(groups, key=lambda group: _rank(group[0])):
        minor = group[0].severity is Severity.INFO or group[0].acknowledged is not None
        _write_group(group, short=quiet or (minor and not verbose))
    click.echo(summary(report) + _next_step(report))
    if report.templates and not quiet:
        click.echo(OF_TEMPLATES)


def folded(findings: Iterable[Finding]) -> list[list[Finding]]:
    """Findings that say the same of several files or endpoints, together, each group at its first place."""
    groups: dict[tuple[object, ...], list[Finding]] = {}
    for found in findings:
        same = (found.severity, found.acknowledged, found.id, found.message)
        groups.setdefault(same, []).append(found)
    return list(groups.values())


def _rank(found: Finding) -> int:
    return _ACCEPTED if found.acknowledged is not None else _RANKS[found.severity]


def _is_unchecked(found: Finding) -> bool:
    return found.id == _NOT_CHECKED and _RULE_ID.search(found.message) is not None


def _write_unchecked(findings: Sequence[Finding]) -> None:
    """One line for all: what could not be judged is no reason to act, but nobody may take it for a pass."""
    rules = {rule for found in findings for rule in _RULE_ID.findall(found.message)}
    files = {found.file for found in findings}
    what = f"not checked for want of facts: {_count(len(rules), 'rule')} in {_count(len(files), 'file')}"
    line = f"{_place(findings[0])}: {_word(findings[0])} {_NOT_CHECKED} {what}; `--explain` lists them"
    click.echo(line)


def _word(found: Finding) -> str:
    if found.acknowledged is not None:
        return click.style(f"acknowledged {_WORDS[found.severity]}", dim=True)
    return click.style(_WORDS[found.severity], fg=_COLOURS[found.severity], bold=True)


def _place(found: Finding) -> str:
    return printable(f"{found.file}:{found.line}:{found.column}")


def _write_group(group: Sequence[Finding], *, short: bool) -> None:
    found, others = group[0], group[1:]
    more = f" (and {_count(len(others), 'more place')})" if others and short else ""
    reason = f" (reason: {printable(found.acknowledged)})" if short and found.acknowledged is not None else ""
    click.echo(f"{_place(found)}: {_word(found)} {found.id} {printable(found.message)}{reason}{more}")
    if short:
        return
    _line("at", f"{found.path} ({found.object})" if found.path else found.object)
    if others:
        listed = ", ".join(map(_place, others[:_PLACES]))
        _line("also", listed + (f" and {len(others) - _PLACES} more" if len(others) > _PLACES else ""))
    if found.acknowledged is not None:
        _line("reason", found.acknowledged)
        return
    if found.why:
        _line("why", found.why)
    _line("fix", found.fix)
    if found.sources:
        _line("source", "; ".join(found.sources))
    click.echo()


def _next_step(report: Report) -> str:
    """Where to read on, for whoever has errors."""
    errors = [f for f in report.findings if f.severity is Severity.ERROR and f.acknowledged is None]
    return f"; `dpd rules {errors[-1].id}` explains the last" if errors else ""


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
