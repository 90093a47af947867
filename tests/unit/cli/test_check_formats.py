"""SARIF and workflow annotations: valid by the parts of their definitions that our output uses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from lib.cli.github import workflow_commands
from lib.cli.sarif import uri
from lib.document import dump_yaml
from lib.rules.finding import Finding, Report
from lib.rules.rule import Severity
from tests.support.command import dpd
from tests.support.documents import spoiled

TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
STRINGS = {"type": "array", "items": {"type": "string"}}
PROPERTIES = {"type": "object", "properties": {"tags": {**STRINGS, "uniqueItems": True}}}


def closed(required: str, **properties: Any) -> dict[str, Any]:
    return {
        "type": "object", "required": required.split(), "properties": properties, "additionalProperties": False,
    }  # fmt: skip


def many(item: dict[str, Any], **limits: Any) -> dict[str, Any]:
    return {"type": "array", "items": item, **limits}


POSITIVE = {"type": "integer", "minimum": 1}
# The objects of SARIF 2.1.0 that a static tool writes, with unknown properties refused as its schema does.
SARIF = closed(
    "version runs",
    **{"$schema": {"type": "string", "format": "uri"}},
    version={"const": "2.1.0"},
    runs=many(
        closed(
            "tool",
            tool=closed(
                "driver",
                driver=closed(
                    "name",
                    name={"type": "string"},
                    version={"type": "string"},
                    rules=many(
                        closed(
                            "id",
                            id={"type": "string"},
                            name={"type": "string"},
                            shortDescription=TEXT,
                            fullDescription=TEXT,
                            help=TEXT,
                            defaultConfiguration=closed("", level=LEVEL),
                            properties=PROPERTIES,
                        ),
                        uniqueItems=True,
                    ),
                ),
            ),
            columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
            invocations=many(
                closed(
                    "executionSuccessful",
                    executionSuccessful={"type": "boolean"},
                    toolExecutionNotifications=many(closed("message", message=TEXT, level=LEVEL)),
                )
            ),
            results=many(
                closed(
                    "message",
                    ruleId={"type": "string"},
                    ruleIndex={"type": "integer", "minimum": -1},
                    level=LEVEL,
                    message=TEXT,
                    locations=many(
                        closed(
                            "physicalLocation",
                            physicalLocation=closed(
                                "artifactLocation",
                                artifactLocation=closed(
                                    "uri", uri={"type": "string", "format": "uri-reference"}
                                ),
                                region=closed("startLine", startLine=POSITIVE, startColumn=POSITIVE),
                            ),
                            logicalLocations=many(
                                closed("", name={"type": "string"}, fullyQualifiedName={"type": "string"})
                            ),
                        )
                    ),
                    partialFingerprints={"type": "object", "additionalProperties": {"type": "string"}},
                    suppressions=many(
                        closed(
                            "kind",
                            kind={"enum": ["inSource", "external"]},
                            status={"enum": ["accepted", "underReview", "rejected"]},
                            justification={"type": "string"},
                        )
                    ),
                )
            ),
        )
    ),
)
BAD = """
metadata: {annotations: {dpd.check/acknowledge: "DPD702: even spread"}}
spec: {pdSpec: {decodingSpec: {replicas: 2}}, worker: {environmentVariables: [{name: PYTHONHASHSEED, value: "1"}]}}
"""


def sarif(*arguments: str, status: int) -> dict[str, Any]:
    outcome = dpd("check", *arguments, "--format", "sarif")
    assert outcome.status == status, outcome.err
    found: dict[str, Any] = json.loads(outcome.out)
    jsonschema.Draft7Validator(SARIF, format_checker=jsonschema.FormatChecker()).validate(found)
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
