"""`dpd check`: judge environments, manifests and folders of them."""

from __future__ import annotations

import json
import sys

import click

from lib.cli.main import EXIT_UNREADABLE


@click.command(
    "check",
    epilog="Examples: dpd check environments/ dist/ | kubectl get iec -A -o yaml | dpd check -",
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--operator", metavar="RELEASE", help="Operator release of the cluster, such as 3.4.")
@click.option("--strict", is_flag=True, help="Warnings count as errors.")
@click.option("-q", "--quiet", is_flag=True, help="One line a finding, no notes.")
@click.option("-v", "--verbose", is_flag=True, help="Notes with their reasons too.")
def command(
    paths: tuple[str, ...], style: str, operator: str | None, strict: bool, quiet: bool, verbose: bool
) -> None:
    """Judge environments, manifests (files, folders, '-' for standard input).

    All findings are listed at once, each with its place, why it matters and what to change.
    """
    from lib.rules.check import Options, check
    from lib.view.inputs import gather

    inputs = gather(list(paths))
    report = check(inputs, Options(operator=_release(operator)))
    for line in inputs.unreadable:
        click.echo(f"dpd check: {line}", err=True)
    if style == "json":
        click.echo(json.dumps(report.as_json(), indent=2))
    else:
        from lib.cli.text import write_report

        write_report(report, quiet=quiet, verbose=verbose)
    from lib.rules.rule import Severity

    failing = report.count(Severity.ERROR) + (report.count(Severity.WARNING) if strict else 0)
    if inputs.unreadable:
        sys.exit(EXIT_UNREADABLE)
    sys.exit(1 if failing else 0)


def _release(text: str | None):  # type: ignore[no-untyped-def]
    if text is None:
        return None
    from lib.catalog.versions import OperatorRelease

    try:
        return OperatorRelease.parse(text)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--operator") from None
