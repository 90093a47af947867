"""`dpd check`: judge environments, manifests, templates and folders of them."""

from __future__ import annotations

import gc
import json
import sys
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING

import click

from hyperpod_dpd.cli.examples import examples
from hyperpod_dpd.cli.main import EXIT_UNREADABLE, refuse, tell

if TYPE_CHECKING:
    from hyperpod_dpd.catalog.versions import OperatorRelease
    from hyperpod_dpd.rules.finding import Report
    from hyperpod_dpd.sizing.geometry import Geometry
    from hyperpod_dpd.view.crd import CrdView

_FORMATS = ["text", "json", "sarif", "github"]


@click.command(
    "check",
    epilog=examples(
        "dpd check environments/ dist/",
        "kubectl get inferenceendpointconfigs -A -o yaml | dpd check -",
        "dpd check environments/prod.yaml --previous HEAD~1",
    ),
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--format", "style", type=click.Choice(_FORMATS), default="text", show_default=True)
@click.option("--operator", metavar="RELEASE", help="Operator release of the cluster, such as 3.4.")
@click.option(
    "--previous", metavar="OLD", help="File, folder or git revision (HEAD~1, main:PATH): judge changes."
)
@click.option("--model-config", metavar="FILE", help="config.json of the model that lone manifests serve.")
@click.option("--crd", metavar="FILE", help="The cluster's own InferenceEndpointConfig definition.")
@click.option("--strict", is_flag=True, help="Warnings count as errors.")
@click.option("-q", "--quiet", is_flag=True, help="One line a finding, no notes.")
@click.option("--explain", is_flag=True, help="Every finding by itself, and each rule that was not checked.")
@click.option("-v", "--verbose", is_flag=True, help="Notes with their reasons too.")
def command(
    paths: tuple[str, ...],
    style: str,
    operator: str | None,
    previous: str | None,
    model_config: str | None,
    crd: str | None,
    strict: bool,
    quiet: bool,
    explain: bool,
    verbose: bool,
) -> None:
    """Judge environments, manifests, cdk.out folders (files, folders, '-' for standard input).

    All findings are listed at once, each with its place, why it matters and what to change. The model of a lone
    manifest is that of --model-config, else of its annotation dpd.check/model, else the one its name matches.
    """
    from hyperpod_dpd.document import UnreadableInput
    from hyperpod_dpd.rules.check import Options, check
    from hyperpod_dpd.view.inputs import gather

    gc.disable()  # a short run that keeps what it reads: collecting took a third of the time
    release = _release(operator)
    with ExitStack() as stack:
        try:
            before = None
            if previous is not None:
                from hyperpod_dpd.cli.previous import read_previous

                before = stack.enter_context(read_previous(previous, paths))
            options = Options(
                operator=release,
                geometry=None if model_config is None else _geometry(model_config),
                crd=None if crd is None else _crd(crd, release),
                previous=None if before is None else before.inputs,
                removals=before is not None and before.complete,
            )
        except UnreadableInput as error:
            refuse(error, EXIT_UNREADABLE)
        inputs = gather(list(paths))
        report = check(inputs, options)
    for line in inputs.unreadable:
        tell(line)
    with suppress(BrokenPipeError):  # whoever reads may leave; the verdict stays
        _write(report, inputs.unreadable, style, quiet=quiet, verbose=verbose, explain=explain)
    from hyperpod_dpd.rules.rule import Severity

    gc.freeze()  # or Python collects it all once more on leaving
    failing = report.count(Severity.ERROR) + (report.count(Severity.WARNING) if strict else 0)
    sys.exit(EXIT_UNREADABLE if inputs.unreadable else 1 if failing else 0)


def _write(
    report: Report, unreadable: list[str], style: str, *, quiet: bool, verbose: bool, explain: bool
) -> None:
    if style == "json":
        click.echo(json.dumps(report.as_json(), indent=2))
    elif style == "sarif":
        from hyperpod_dpd.cli.sarif import as_sarif

        click.echo(json.dumps(as_sarif(report, unreadable), indent=2))
    elif style == "github":
        from hyperpod_dpd.cli.github import workflow_commands
        from hyperpod_dpd.cli.text import summary

        for line in workflow_commands(report, unreadable):
            click.echo(line)
        click.echo(summary(report))
    else:
        from hyperpod_dpd.cli.text import write_report

        write_report(report, quiet=quiet, verbose=verbose, explain=explain)


def _release(text: str | None) -> OperatorRelease | None:
    if text is None:
        return None
    from hyperpod_dpd.catalog.versions import OperatorRelease

    try:
        return OperatorRelease.parse(text)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--operator") from None


def _geometry(file: str) -> Geometry:
    """The model that --model-config names. Raises UnreadableInput, also where its geometry is refused."""
    from hyperpod_dpd.document import UnreadableInput
    from hyperpod_dpd.sizing.errors import SizingError
    from hyperpod_dpd.sizing.geometry import read_geometry
    from hyperpod_dpd.sizing.model_input import UnreadableModel, read_model

    try:
        model = read_model(file)
        return read_geometry(model.config, quant_config=model.quant_config, name=model.name)
    except UnreadableModel as error:
        raise UnreadableInput("--model-config", str(error)) from None
    except SizingError as error:
        raise UnreadableInput("--model-config", f"{file}: {error}") from None


def _crd(file: str, release: OperatorRelease | None) -> CrdView:
    from hyperpod_dpd.document import UnreadableInput
    from hyperpod_dpd.view.crd import read_crd

    try:
        return read_crd(file, str(release) if release else None)
    except UnreadableInput as error:
        raise UnreadableInput("--crd", str(error)) from None
