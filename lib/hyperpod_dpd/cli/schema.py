"""`dpd schema`: the environment file as a JSON Schema, for completion and checks while typing."""

from __future__ import annotations

import json

import click

from hyperpod_dpd.cli.examples import examples


@click.command("schema", epilog=examples("dpd schema > environments/.schema.json"))
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json"]),
    default="json",
    show_default=True,
    help="Both are JSON.",
)
@click.option("-q", "--quiet", is_flag=True, help="Without indentation.")
def command(style: str, quiet: bool) -> None:
    """Print the JSON Schema of the environment file.

    In an editor with a YAML language server, put this line first in the environment file:
    # yaml-language-server: $schema=.schema.json
    """
    from hyperpod_dpd.config.schema import document_schema

    click.echo(json.dumps(document_schema(), indent=None if quiet else 2))
