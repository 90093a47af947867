"""`dpd teardown`: the ordered commands that remove an endpoint or an environment, and what stays."""

from __future__ import annotations

import dataclasses
import json

import click

from hyperpod_dpd.cli.environment import environment_argument, find_environment
from hyperpod_dpd.cli.examples import examples
from hyperpod_dpd.cli.text import printable


@click.command("teardown", epilog=examples("dpd teardown dev --endpoint llama-70b --plan"))
@environment_argument
@click.option("--endpoint", metavar="NAME", help="Only this endpoint; the cluster stays.")
@click.option("--plan", is_flag=True, help="Print the plan. There is nothing else: you run the commands.")
@click.option("--weights", is_flag=True, help="With --endpoint: its weights too.")
@click.option("--groups-to-zero", is_flag=True, help="With --endpoint: give its nodes back.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("-q", "--quiet", is_flag=True, help="The bare commands, one a line.")
def command(
    environment: str,
    endpoint: str | None,
    plan: bool,
    weights: bool,
    groups_to_zero: bool,
    form: str,
    quiet: bool,
) -> None:
    """Print how to remove ENVIRONMENT, or one endpoint of it; nothing is run."""
    if not plan:
        raise click.UsageError("this verb removes nothing itself: say --plan to see the commands")
    if (weights or groups_to_zero) and endpoint is None:
        raise click.UsageError("--weights and --groups-to-zero belong to --endpoint")
    loaded = find_environment(environment)
    from hyperpod_dpd.blueprint.resolve import resolve
    from hyperpod_dpd.blueprint.stacks import stacks_of
    from hyperpod_dpd.blueprint.teardown import endpoint_teardown, environment_teardown

    blueprint = resolve(loaded)
    if endpoint is None:
        found = environment_teardown(blueprint, stacks_of(blueprint))
    else:
        chosen = next((e for e in blueprint.endpoints if e.name == endpoint), None)
        if chosen is None:
            known = ", ".join(e.name for e in blueprint.endpoints) or "none"
            raise click.UsageError(f"{loaded.name} has no endpoint '{endpoint}'; it has: {known}")
        found = endpoint_teardown(blueprint, chosen, weights=weights, groups_to_zero=groups_to_zero)
    if form == "json":
        click.echo(json.dumps(dataclasses.asdict(found)))
        return
    for number, step in enumerate(found.steps, start=1):
        if not quiet:
            click.echo(f"{number}. {step.title}\n   ({step.why})")
        for line in step.commands:
            click.echo(printable(line if quiet else f"   $ {line}"))
    if not quiet:
        click.echo("\nWhat stays:")
        for line in found.stays:
            click.echo(printable(f"  - {line}"))
