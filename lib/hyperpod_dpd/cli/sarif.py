"""A report as SARIF 2.1.0, which code-scanning services read."""

from __future__ import annotations

import os
from collections.abc import Sequence
from hashlib import sha256
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from hyperpod_dpd.blueprint.source import version
from hyperpod_dpd.rules.finding import Finding, Report
from hyperpod_dpd.rules.page import page, page_path
from hyperpod_dpd.rules.rule import LoadedRule, Severity

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def as_sarif(report: Report, unreadable: Sequence[str] = ()) -> dict[str, Any]:
    """One run: every finding is a result, an accepted one is suppressed with its reason.

    ``unreadable`` lines become notifications of an execution that was not successful.
    """
    from hyperpod_dpd.rules import registry

    ids = sorted({found.id for found in report.findings}, key=lambda each: int(each[3:]))
    index = {rule_id: position for position, rule_id in enumerate(ids)}
    invocation: dict[str, Any] = {"executionSuccessful": not unreadable}
    if unreadable:
        invocation["toolExecutionNotifications"] = [
            {"level": "error", "message": {"text": line}} for line in unreadable
        ]
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "dpd",
                        "version": version(),
                        "rules": [_descriptor(registry.get(rule_id)) for rule_id in ids],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "invocations": [invocation],
                "results": [_result(found, index[found.id]) for found in report.findings],
            }
        ],
    }


def _descriptor(loaded: LoadedRule) -> dict[str, Any]:
    rule = loaded.rule
    return {
        "id": rule.id,
        "name": rule.name,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.what},
        "help": {
            "text": f"{rule.why}\nFix: {rule.fix}.\nWhen this is fine: {rule.fine}\n"
            f"Its page: docs/{page_path(rule.id)}",
            "markdown": page(loaded),
        },
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"tags": list(rule.tags), "sources": list(rule.sources)},
    }


def _result(found: Finding, rule_index: int) -> dict[str, Any]:
    region = {"startLine": max(1, found.line), "startColumn": max(1, found.column)}
    location: dict[str, Any] = {
        "physicalLocation": {"artifactLocation": {"uri": uri(found.file)}, "region": region},
    }
    logical = {"name": found.object}
    if found.path:
        logical["fullyQualifiedName"] = f"{found.object}: {found.path}"
    location["logicalLocations"] = [logical]
    result: dict[str, Any] = {
        "ruleId": found.id,
        "ruleIndex": rule_index,
        "level": _LEVELS[found.severity],
        "message": {"text": f"{found.message}\nFix: {found.fix}"},
        "locations": [location],
        "partialFingerprints": {"dpd/v1": _fingerprint(found)},
    }
    if found.acknowledged is not None:
        result["suppressions"] = [
            {"kind": "inSource", "status": "accepted", "justification": found.acknowledged}
        ]
    return result


def uri(file: str) -> str:
    """A file as a URI reference: relative where the user's path was, ``stdin`` for standard input."""
    if file == "-":
        return "stdin"
    path = PurePath(os.path.normpath(file))
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())


def _fingerprint(found: Finding) -> str:
    """Stays when lines move: the rule, the object and the place in it."""
    text = "\0".join((found.id, uri(found.file), found.object, found.path))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
