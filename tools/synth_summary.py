"""Ends `make synth`: what was written, what the pair of templates and manifests shows, and what to do next."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
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


def findings(environments: Sequence[str], assembly: Path, dist: Path) -> dict[str, Any]:
    """What `dpd check` says of documents, templates and manifests together: the rules on the pair need all."""
    trees = [str(dist / Path(path).stem) for path in environments if (dist / Path(path).stem).is_dir()]
    command = ["dpd", "check", "--format", "json", *environments, str(assembly), *trees]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        report: dict[str, Any] = json.loads(result.stdout)
    except json.JSONDecodeError as error:
        raise SummaryError(f"`{' '.join(command)}` printed no JSON: {result.stderr.strip()}") from error
    return report


def of_the_output(report: dict[str, Any], environments: Sequence[str]) -> list[dict[str, Any]]:
    """Errors and warnings that templates and manifests alone show; those of documents are told before synthesis."""
    told = {(f["id"], f["message"]) for f in report["findings"] if f["file"] in environments}
    return [
        finding
        for finding in report["findings"]
        if finding["severity"] != "info"
        and not finding["acknowledged"]
        and finding["file"] not in environments
        and (finding["id"], finding["message"]) not in told
    ]


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


def by_environment(all_stacks: Sequence[Row], all_apps: Sequence[Row]) -> Iterator[str]:
    """One line for each environment: how many stacks and apps, what they hold, how large they are."""
    names = sorted({row.environment for row in (*all_stacks, *all_apps)})
    width = max(map(len, names), default=0)
    for name in names:
        parts = []
        for rows, unit, content in ((all_stacks, "stack", "resource"), (all_apps, "app", "object")):
            mine = [row for row in rows if row.environment == name]
            held, size = sum(row.count for row in mine), sum(row.size_bytes for row in mine)
            parts.append(
                f"{counted(len(mine), unit):>9}, {counted(held, content):>13}, {size / 1024:>6.1f} KiB"
            )
        yield f"  {name:<{width}}  {'   '.join(parts)}"


def summary_line(summary: dict[str, int]) -> str:
    """The totals of `dpd check` in one line."""
    parts = [counted(summary["error"], "error"), counted(summary["warning"], "warning")]
    parts += [counted(summary["info"], "note"), f"{summary['acknowledged']} acknowledged"]
    files = counted(summary["files"], "file")
    return f"Documents, templates and manifests together: {', '.join(parts)} in {files}"


def next_step(environments: Sequence[str], dist: Path) -> str:
    """What to do with the output of a clean run."""
    name = Path(environments[0]).stem
    return (
        f"Next: commit {dist}/ to the GitOps repository, look at `npx cdk diff '{name}/*'`, then "
        f"`npx cdk deploy '{name}/*'`;\n      `dpd runbook walkthrough {name}` leads through the rest"
    )


def main(arguments: list[str]) -> int:
    """Print the summary; 1 for an error of the output, or an environment that left neither a stack nor an app."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("environments", nargs="+", help="the environment files that were synthesised")
    parser.add_argument("--assembly", type=Path, default=Path("cdk.out"))
    parser.add_argument("--dist", type=Path, default=Path("dist"))
    parser.add_argument("--explain", action="store_true", help="one line a stack and an app")
    options = parser.parse_args(arguments)
    try:
        all_stacks, all_apps = list(stacks(options.assembly)), list(apps(options.dist))
        report = findings(options.environments, options.assembly, options.dist)
    except SummaryError as error:
        print(f"synth: {error}", file=sys.stderr)
        return 1

    if options.explain:
        print(*table(f"CDK stacks in {options.assembly}/", all_stacks, "resource"), sep="\n")
        print(*table(f"GitOps apps in {options.dist}/", all_apps, "object"), sep="\n")
    else:
        print(f"Written to {options.assembly}/ and {options.dist}/ (`make synth ARGS=--explain` lists all)")
        print(*by_environment(all_stacks, all_apps), sep="\n")
    print(summary_line(report["summary"]))
    new = of_the_output(report, options.environments)
    for found in sorted(new, key=lambda found: found["severity"] == "error"):
        print(f"{found['file']}:{found['line']}: {found['severity']} {found['id']} {found['message']}")
        print(f"    fix: {found['fix']}")
    faulty = any(found["severity"] == "error" for found in new)

    produced = {row.environment for row in (*all_stacks, *all_apps)}
    missing = [path for path in options.environments if Path(path).stem not in produced]
    for path in missing:
        print(f"synth: {path} left neither a stack nor an app; is it read at all?", file=sys.stderr)
    if missing or faulty:
        return 1
    print(next_step(options.environments, options.dist))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
