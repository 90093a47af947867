"""`dpd cost`: nodes and GPUs of an environment; prices differ by contract and are not ours to guess."""

from __future__ import annotations

import dataclasses
import json

import click

from hyperpod_dpd.cli.environment import environment_argument, find_environment
from hyperpod_dpd.cli.examples import examples

HEADINGS = ("GROUP", "ROLE", "TYPE", "CAPACITY", "NODES", "MAX", "GPUS", "MAX GPUS")


@click.command("cost", epilog=examples("dpd cost prod"))
@environment_argument
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("-q", "--quiet", is_flag=True, help="The sum only.")
def command(environment: str, form: str, quiet: bool) -> None:
    """Show what ENVIRONMENT holds while it runs, and at most (a name, or the path of its file)."""
    loaded = find_environment(environment)
    from hyperpod_dpd.blueprint.footprint import footprint
    from hyperpod_dpd.blueprint.resolve import resolve

    rows = footprint(resolve(loaded))
    total = {
        key: sum(getattr(row, key) or 0 for row in rows) for key in ("nodes", "max_nodes", "gpus", "max_gpus")
    }
    if form == "json":
        click.echo(json.dumps({"groups": [dataclasses.asdict(row) for row in rows], "total": total}))
        return
    table = [HEADINGS] + [
        tuple("?" if value is None else str(value) for value in dataclasses.astuple(row)) for row in rows
    ]
    widths = [max(len(line[column]) for line in table) for column in range(len(HEADINGS))]
    if not quiet:
        for line in table:
            click.echo(
                "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
            )
    click.echo(
        f"{total['nodes']} nodes with {total['gpus']} GPUs now, at most {total['max_nodes']} with "
        f"{total['max_gpus']}; each hour of a node is paid whether it serves or waits"
    )
