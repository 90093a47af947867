"""Prints what `make synth` produced: one line per CDK stack, one per GitOps app, and the findings."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

STACK = "aws:cloudformation:stack"


class SummaryError(Exception):
    """Output that is not there or cannot be read, told in one line."""


@dataclass(frozen=True, slots=True)
class Row:
    """One stack or one app: what it belongs to, how much it holds, how large it is."""

    environment: str
    name: str
    count: int
    size_bytes: int


def stacks(assembly: Path, environment: str = "") -> Iterator[Row]:
    """The stacks of a cloud assembly and of the stages nested in it, from their manifests."""
    manifest_file = assembly / "manifest.json"
    if not manifest_file.is_file():
        raise SummaryError(f"{manifest_file} is missing: CDK synthesis wrote no cloud assembly")
    artifacts = json.loads(manifest_file.read_text(encoding="utf-8")).get("artifacts", {})
    for artifact_id, artifact in sorted(artifacts.items()):
        properties = artifact.get("properties", {})
        if artifact["type"] == "cdk:cloud-assembly":
            stage = artifact_id.removeprefix("assembly-")
            yield from stacks(assembly / properties["directoryName"], stage)
        elif artifact["type"] == STACK:
            template = assembly / properties["templateFile"]
            resources = json.loads(template.read_text(encoding="utf-8")).get("Resources", {})
            path = artifact.get("displayName", artifact_id).split(" ")[0]
            yield Row(
                environment=environment,
                name=path.removeprefix(f"{environment}/"),
                count=len(resources),
                size_bytes=template.stat().st_size,
            )


def apps(dist: Path) -> Iterator[Row]:
    """The app folders below dist/<environment>; kustomization files count as bytes, not as objects."""
    for folder in sorted(path for path in dist.glob("*/*") if path.is_dir()):
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        manifests = [p for p in files if p.suffix in {".yaml", ".yml"} and p.stem != "kustomization"]
        yield Row(
            environment=folder.parent.name,
            name=folder.name,
            count=sum(objects_in(path) for path in manifests),
            size_bytes=sum(path.stat().st_size for path in files),
        )


def objects_in(manifest: Path) -> int:
    """How many Kubernetes objects a YAML file holds."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    documents = yaml.load_all(manifest.read_text(encoding="utf-8"), Loader=loader)
    return sum(1 for document in documents if isinstance(document, dict) and "kind" in document)


def findings(environments: list[str]) -> dict[str, Any]:
    """The findings of `dpd check`, which already passed or warned in an earlier step."""
    command = ["dpd", "check", "--format", "json", *environments]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        report: dict[str, Any] = json.loads(result.stdout)
    except json.JSONDecodeError as error:
        raise SummaryError(f"`{' '.join(command)}` printed no JSON: {result.stderr.strip()}") from error
    return report


def counted(number: int, noun: str) -> str:
    """A number with its noun in the right form."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def table(title: str, rows: Iterable[Row], noun: str) -> Iterator[str]:
    """Aligned lines under a title."""
    ordered = sorted(rows, key=lambda row: (row.environment, row.name))
    labels = [f"{row.environment}/{row.name}".lstrip("/") for row in ordered]
    width = max(map(len, labels), default=0)
    yield title
    for label, row in zip(labels, ordered, strict=True):
        yield f"  {label:<{width}}  {counted(row.count, noun):>14}  {row.size_bytes / 1024:>8.1f} KiB"


def summary_line(summary: dict[str, int]) -> str:
    """The totals of `dpd check` in one line."""
    parts = [counted(summary["error"], "error"), counted(summary["warning"], "warning")]
    parts += [counted(summary["info"], "note"), f"{summary['acknowledged']} acknowledged"]
    return f"Findings: {', '.join(parts)} in {counted(summary['files'], 'file')}"


def main(arguments: list[str]) -> int:
    """Print the summary; 1 when an environment left neither a stack nor an app behind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("environments", nargs="+", help="the environment files that were synthesised")
    parser.add_argument("--assembly", type=Path, default=Path("cdk.out"))
    parser.add_argument("--dist", type=Path, default=Path("dist"))
    options = parser.parse_args(arguments)
    try:
        all_stacks, all_apps = list(stacks(options.assembly)), list(apps(options.dist))
        report = findings(options.environments)
    except SummaryError as error:
        print(f"synth: {error}", file=sys.stderr)
        return 1

    for line in table(f"CDK stacks in {options.assembly}/", all_stacks, "resource"):
        print(line)
    for line in table(f"GitOps apps in {options.dist}/", all_apps, "object"):
        print(line)
    for finding in report["findings"]:
        if finding["severity"] != "info" and not finding["acknowledged"]:
            print(f"  {finding['severity']:<8} {finding['id']}  {finding['file']}: {finding['title']}")
    print(summary_line(report["summary"]))

    produced = {row.environment for row in (*all_stacks, *all_apps)}
    missing = [path for path in options.environments if Path(path).stem not in produced]
    for path in missing:
        print(f"synth: {path} left neither a stack nor an app; is it read at all?", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
