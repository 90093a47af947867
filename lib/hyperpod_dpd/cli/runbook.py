"""`dpd runbook`: filled commands for the rollout, the walkthrough, upgrades and alerts of an environment."""

from __future__ import annotations

import json
import sys

import click

from hyperpod_dpd.cli.environment import environments_option, find_environment
from hyperpod_dpd.cli.examples import examples


@click.command(
    "runbook",
    epilog=examples("dpd runbook walkthrough prod"),
)
@click.argument("name", required=False)
@click.argument("environment", required=False)
@environments_option
@click.option("--endpoint", help="Only this endpoint of the environment.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("-q", "--quiet", is_flag=True, help="Without NAME: bare names.")
def command(name: str | None, environment: str | None, endpoint: str | None, form: str, quiet: bool) -> None:
    """Print runbook NAME for ENVIRONMENT (a name, or the path of its file); without NAME, list them."""
    from hyperpod_dpd.config.closeness import use_one_of
    from hyperpod_dpd.runbooks import UnknownRunbook, available, render

    if name is None:
        if form == "json":
            click.echo(json.dumps({"runbooks": available()}))
        else:
            if not quiet:
                click.echo("Runbooks, for `dpd runbook NAME ENVIRONMENT`:")
            click.echo("\n".join(available() if quiet else [f"  {each}" for each in available()]))
        return
    if environment is None:
        raise click.UsageError(f"which environment? `dpd runbook {name} ENVIRONMENT`")
    loaded = find_environment(environment)
    from hyperpod_dpd.blueprint.resolve import resolve

    try:
        text = render(name, resolve(loaded), endpoint=endpoint)
    except UnknownRunbook:
        raise click.UsageError(f"there is no runbook '{name}'; {use_one_of(name, available())}") from None
    except KeyError:
        known = ", ".join(loaded.environment.endpoints) or "none"
        raise click.UsageError(f"{loaded.name} has no endpoint '{endpoint}'; it has: {known}") from None
    if form == "json":
        click.echo(json.dumps({"runbook": name, "environment": loaded.name, "text": text}))
    else:
        sys.stdout.write(text if text.endswith("\n") else f"{text}\n")
