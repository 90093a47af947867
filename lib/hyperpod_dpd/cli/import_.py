"""`dpd import`: an existing repository's endpoints as a fragment of an environment."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from hyperpod_dpd.cli.examples import examples
from hyperpod_dpd.cli.main import EXIT_FAULTY, EXIT_UNREADABLE, tell


@click.command(
    "import",
    epilog=examples(
        "dpd import gitops/llama.yaml > fragment.yaml",
        "kubectl get inferenceendpointconfigs -A -o yaml | dpd import -",
    ),
)
@click.argument("paths", nargs=-1, metavar="MANIFEST...")
@click.option(
    "--parameters",
    "parameters",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Parameters of AWS's CloudFormation templates, or `hyp`'s config.yaml: a whole environment.",
)
@click.option("--account", help="AWS account id, where the parameters do not tell it.")
@click.option("--region", help="Region, where no zone id of the parameters tells it.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("-q", "--quiet", is_flag=True, help="The fragment without the comments on top.")
def command(
    paths: tuple[str, ...],
    parameters: Path | None,
    account: str | None,
    region: str | None,
    form: str,
    quiet: bool,
) -> None:
    """Turn InferenceEndpointConfigs into an environment fragment that renders to the same objects.

    What the document has no key for is kept as an override and listed; what cannot be kept is listed too. With
    --parameters, turn the parameters of a deployed official template into an environment instead.
    """
    if (parameters is None) == (not paths):
        raise click.UsageError("give manifests, or --parameters FILE")
    if parameters is not None:
        from hyperpod_dpd.cli.import_parameters import run

        run(parameters, account=account, region=region, form=form, quiet=quiet)
        return
    from hyperpod_dpd.cli.text import printable
    from hyperpod_dpd.importing import Imported, NotImportable, import_endpoint, merged_fragment
    from hyperpod_dpd.view.inputs import gather

    inputs = gather(list(paths))
    for line in inputs.unreadable:
        tell(line)
    for skipped in inputs.skipped:
        click.echo(printable(f"{skipped.file}: {skipped.message}"), err=True)
    imported: list[Imported] = []
    refused: list[str] = []
    for item in inputs.objects:
        try:
            imported.append(import_endpoint(item.value))
        except NotImportable as error:
            refused.append(f"{item.document.file}: {item.title}: {error}")
    fragment: dict[str, Any] = {}
    try:
        fragment = merged_fragment(imported) if imported else {}
    except NotImportable as error:
        refused.append(str(error))
    for line in refused:
        click.echo(printable(f"error: {line}" if not imported else f"left out: {line}"), err=True)
    if form == "json":
        click.echo(json.dumps(_report(fragment, imported, refused), indent=2))
    elif fragment:
        click.echo(_text(fragment, imported, quiet=quiet), nl=False)
    if inputs.unreadable:
        sys.exit(EXIT_UNREADABLE)
    if not fragment:
        if not refused:
            tell("there is no Kubernetes object to import")
        sys.exit(EXIT_FAULTY)


def _report(fragment: dict[str, Any], imported: list[Any], refused: list[str]) -> dict[str, Any]:
    endpoints = [
        {
            "name": each.name,
            "overridden": list(each.overridden),
            "notes": list(each.notes),
            "outputs": each.outputs,
        }
        for each in imported
    ]
    return {"fragment": fragment, "endpoints": endpoints, "refused": refused}


def _text(fragment: dict[str, Any], imported: list[Any], *, quiet: bool) -> str:
    from hyperpod_dpd.cli.text import printable
    from hyperpod_dpd.document import dump_yaml

    body: str = dump_yaml(fragment)
    if quiet:
        return body
    lines = [
        "Imported by `dpd import`: put it into an environment (`dpd init NAME` writes one), then check it."
    ]
    for each in imported:
        for path in each.overridden:
            lines.append(f"{each.name}: kept as an override, the document has no key for it: {path}")
        lines += [f"{each.name}: {note}" for note in each.notes]
    return "".join(f"# {printable(line)}\n" for line in lines) + body
