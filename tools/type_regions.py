"""Writes the catalogue's instance_type_regions.yaml: every type, tried on both linters' lists.

Run after a newer cfn-lint or CDK: `python tools/type_regions.py`, then set the date of the source.
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
from pathlib import Path
from tempfile import mkdtemp

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hyperpod_dpd.node import use_locked_node  # noqa: E402

use_locked_node()

import aws_cdk as cdk  # noqa: E402
import cfnlint  # type: ignore[import-untyped]  # noqa: E402
from aws_cdk import aws_sagemaker as sagemaker  # noqa: E402

from hyperpod_dpd.catalog import instance_types  # noqa: E402

FILE = ROOT / "lib" / "hyperpod_dpd" / "catalog" / "data" / "instance_type_regions.yaml"
LISTS = Path(cfnlint.__file__).parent / "data/schemas/extensions/aws_sagemaker_cluster/instancetype_enum.json"
REFUSED = re.compile(r"'(ml\.[^']+)' is not valid for region '([^']+)'")
WIDTH = 108


def cfn_lint_lists() -> dict[str, set[str]]:
    """Types by Region in cfn-lint's list."""
    lists = json.loads(LISTS.read_text(encoding="utf-8"))
    return {region: set(entry["enum"]) for region, entry in lists.items() if isinstance(entry, dict)}


def refused_by_cdk(types: list[str], regions: list[str]) -> dict[str, set[str]]:
    """Types by Region that CDK's built-in validation refuses."""
    folder = mkdtemp(prefix="dpd-types-")
    app = cdk.App(outdir=folder, analytics_reporting=False)
    group = sagemaker.CfnCluster.ClusterInstanceGroupProperty
    for region in regions:
        stack = cdk.Stack(app, f"in-{region}", env=cdk.Environment(account="111122223333", region=region))
        sagemaker.CfnCluster(
            stack,
            "Cluster",
            instance_groups=[
                group(
                    instance_group_name=f"group-{number}",
                    instance_count=1,
                    instance_type=name,
                    execution_role="arn:aws:iam::111122223333:role/nodes",
                )
                for number, name in enumerate(types)
            ],
        )
    try:
        app.synth()
    except RuntimeError as error:
        if "ValidationFailed" not in str(error):
            raise
    found: dict[str, set[str]] = {}
    report = (Path(folder) / "validation-report.json").read_text(encoding="utf-8")
    for name, region in REFUSED.findall(report):
        found.setdefault(region, set()).add(name)
    return found


def words(types: set[str], families: dict[str, set[str]]) -> list[str]:
    """Names without their prefix; a whole family by its own name."""
    found: list[str] = []
    for family, members in sorted(families.items()):
        inside = sorted(types & members)
        found += [family] if len(inside) == len(members) else [name.removeprefix("ml.") for name in inside]
    return found


def lines(column: str, found: list[str]) -> list[str]:
    """One column of a Region, in YAML."""
    text = " ".join(found)
    if len(text) < WIDTH - 8:
        return [f'    {column}: "{text}"']
    return [f"    {column}: >-", *(f"      {line}" for line in textwrap.wrap(text, WIDTH))]


def main() -> None:
    """Keeps the head of the file as it is."""
    head, _, _ = FILE.read_text(encoding="utf-8").partition("\nregions:\n")
    types = sorted(entry.name for entry in instance_types.all())
    families: dict[str, set[str]] = {}
    for name in types:
        families.setdefault(name.removeprefix("ml.").partition(".")[0], set()).add(name)
    theirs = cfn_lint_lists()
    refused = refused_by_cdk(types, list(theirs))
    body: list[str] = []
    for region in sorted(refused):
        judged = {name for name in types if not instance_types.linter_refuses_wrongly(name, region)}
        absent = (refused[region] - theirs[region]) & judged
        body += [f"  {region}:", *lines("absent", words(absent, families)), "    source: region-lists"]
        body += lines("cdk_lags", words(refused[region] & theirs[region], families))
    FILE.write_text(head + "\nregions:\n" + "\n".join(body) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
