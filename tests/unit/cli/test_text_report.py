"""The report for people: repeats once, what was not checked in one line, errors last."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperpod_dpd.cli.text import folded, write_report
from hyperpod_dpd.rules.finding import Finding, Report
from hyperpod_dpd.rules.rule import Severity
from tests.support.command import dpd
from tests.support.documents import ENVIRONMENTS

UNCHECKED = "not checked, because nothing here declares the traffic: DPD407, DPD611"


def finding(
    severity: Severity, message: str, file: str, *, rule: str = "DPD702", accepted: str | None = None
) -> Finding:
    return Finding(
        id=rule, severity=severity, title="t", message=message, why="w", fix="f", sources=(), file=file, line=3,
        column=1, path="p", object="o", acknowledged=accepted,
    )  # fmt: skip


def printed(capsys: pytest.CaptureFixture[str], *findings: Finding, explain: bool = False) -> list[str]:
    write_report(Report(findings=findings, files=2), quiet=False, verbose=False, explain=explain)
    return capsys.readouterr().out.splitlines()


def test_errors_come_last_and_the_summary_says_where_to_read_on(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(
        capsys,
        finding(Severity.ERROR, "broken", "a.yaml"),
        finding(Severity.WARNING, "odd", "b.yaml"),
        finding(Severity.WARNING, "known", "b.yaml", accepted="ours"),
        finding(Severity.INFO, "so", "c.yaml"),
    )
    heads = [line for line in lines if line.startswith(("a.", "b.", "c."))]
    assert [line.split("DPD702 ")[1] for line in heads] == ["so", "known (reason: ours)", "odd", "broken"]
    assert lines[-1].startswith("1 error, 1 warning, 1 note (1 acknowledged) in 2 files")
    assert lines[-1].endswith("`dpd rules DPD702` explains the last")


def test_a_repeated_error_is_told_once_with_its_other_places(capsys: pytest.CaptureFixture[str]) -> None:
    repeats = [finding(Severity.ERROR, "broken", f"{name}.yaml") for name in "abcdefgh"]
    lines = printed(capsys, *repeats)
    assert sum("broken" in line for line in lines) == 1
    assert any("also:" in line and "b.yaml:3:1" in line for line in lines)
    assert any("and 1 more" in line for line in lines)
    assert lines[-1].startswith("8 errors")


def test_what_differs_in_anything_said_is_not_folded() -> None:
    one, two = finding(Severity.ERROR, "2 decoders", "a"), finding(Severity.ERROR, "3 decoders", "a")
    accepted = finding(Severity.ERROR, "2 decoders", "b", accepted="yes")
    assert len(folded([one, two, accepted])) == 3


def test_what_was_not_checked_is_one_line_and_explain_lists_it(capsys: pytest.CaptureFixture[str]) -> None:
    notes = [finding(Severity.INFO, UNCHECKED, name, rule="DPD003") for name in ("a.yaml", "b.yaml")]
    lines = printed(capsys, *notes)
    assert len(lines) == 2
    assert "2 rules in 2 files" in lines[0] and "--explain" in lines[0]
    assert sum(UNCHECKED in line for line in printed(capsys, *notes, explain=True)) == 2


def test_a_note_that_names_no_rule_is_never_among_the_unchecked(capsys: pytest.CaptureFixture[str]) -> None:
    left_out = finding(Severity.INFO, "endpoints.a: left out of the manifests", "a.yaml", rule="DPD003")
    unchecked = [finding(Severity.INFO, UNCHECKED, name, rule="DPD003") for name in ("a.yaml", "b.yaml")]
    assert any("left out" in line for line in printed(capsys, left_out, *unchecked))


def test_clean_documents_fit_on_half_a_screen() -> None:
    outcome = dpd("check", str(ENVIRONMENTS))
    assert outcome.status == 0
    assert len(outcome.out.splitlines()) <= 20


@pytest.mark.parametrize("wanted", ["401", "DPD401", "dpd401", "hash-seed", "Hash-Seed", "hash_seed"])
def test_a_rule_is_found_by_what_people_call_it(wanted: str) -> None:
    outcome = dpd("rules", wanted)
    assert outcome.status == 0 and outcome.out.startswith("DPD401 hash-seed")


def test_a_part_of_a_name_lists_the_rules_that_have_it(tmp_path: Path) -> None:
    lines = dpd("rules", "buffer", "-q").out.splitlines()
    assert {"DPD402", "DPD404"} <= {line.split()[0] for line in lines} and len(lines) < 30


def test_a_slip_names_the_rule_that_was_meant() -> None:
    outcome = dpd("rules", "hsh-seed")
    assert outcome.status == 2 and "DPD401 hash-seed?" in outcome.err
