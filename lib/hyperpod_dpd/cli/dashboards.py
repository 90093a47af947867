"""`dpd dashboards`: Grafana's JSON of an environment's boards, or a page that shows what they will look like."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hyperpod_dpd.cli.environment import environment_argument, find_environment
from hyperpod_dpd.cli.examples import examples

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.model import Blueprint


@click.command("dashboards", epilog=examples("dpd dashboards prod --preview"))
@environment_argument
@click.option("--preview", is_flag=True, help="Write an HTML page drawn from recorded scenarios.")
@click.option("--out", type=click.Path(path_type=Path), help="File of the page, or folder of the JSON files.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but what went wrong.")
def command(environment: str, preview: bool, out: Path | None, form: str, quiet: bool) -> None:
    """Write the dashboards of ENVIRONMENT (a name, or the path of its file).

    Without --preview, one JSON file a board, as Grafana imports it. With it, one self-contained HTML page.
    """
    from hyperpod_dpd.blueprint.resolve import resolve

    blueprint = resolve(find_environment(environment))
    written = _preview(blueprint, out) if preview else _json(blueprint, out)
    if form == "json":
        click.echo(json.dumps({"environment": blueprint.name, "written": [str(path) for path in written]}))
    elif not quiet:
        for path in written:
            click.echo(f"wrote {path}")


def _unusable(error: ImportError, extra: str) -> Exception:
    """What to install; the error itself where it is none of an installation."""
    from hyperpod_dpd.extras import advice

    told = advice(error, extra)
    return click.UsageError(told) if told else error


def _preview(blueprint: Blueprint, out: Path | None) -> list[Path]:
    from hyperpod_dpd.observability.dashboards.preview import preview

    target = out or Path(f"dashboards-{blueprint.name}.html")
    try:
        page = preview(blueprint)
    except ImportError as error:
        raise _unusable(error, "report") from error
    target.write_text(page, encoding="utf-8")
    return [target]


def _json(blueprint: Blueprint, out: Path | None) -> list[Path]:
    folder = out or Path(f"dashboards-{blueprint.name}")
    try:
        from hyperpod_dpd.observability.dashboards.grafana import dashboards

        boards = dashboards(blueprint)
    except ImportError as error:
        raise _unusable(error, "cdk") from error
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for board in boards:
        written.append(folder / f"{board.name}.json")
        written[-1].write_text(board.text + "\n", encoding="utf-8")
    return written
