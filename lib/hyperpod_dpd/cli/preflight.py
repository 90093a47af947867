"""`dpd preflight`: the account, read only, before anything is deployed into it."""

from __future__ import annotations

import json
import sys

import click

from hyperpod_dpd.cli.environment import environment_argument, find_environment
from hyperpod_dpd.cli.examples import examples
from hyperpod_dpd.cli.main import EXIT_FAULTY, EXIT_UNREADABLE, refuse


@click.command("preflight", epilog=examples("AWS_PROFILE=prod dpd preflight prod"))
@environment_argument
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("-q", "--quiet", is_flag=True, help="Only what is not ok.")
def command(environment: str, form: str, quiet: bool) -> None:
    """Look at zones, types, quotas, network and add-ons of ENVIRONMENT's account (a name, or the path of its file)."""
    loaded = find_environment(environment)
    from hyperpod_dpd.blueprint.resolve import resolve
    from hyperpod_dpd.live.aws import Aws, NoAccess
    from hyperpod_dpd.live.check import STATUS
    from hyperpod_dpd.live.preflight import preflight

    blueprint = resolve(loaded)
    try:
        checks = preflight(Aws(loaded), blueprint)
    except NoAccess as error:
        refuse(error, EXIT_UNREADABLE)
    failed = sum(check.verdict == "error" for check in checks)
    if form == "json":
        summary = {word: sum(c.verdict == verdict for c in checks) for verdict, word in STATUS.items()}
        click.echo(json.dumps({"checks": [check.as_json() for check in checks], "summary": summary}))
    else:
        for check in checks:
            if quiet and check.verdict == "ok":
                continue
            click.echo(f"{check.verdict:<12} {check.subject}: {check.message}")
            if check.fix:
                click.echo(f"{'':<12} {check.fix}")
        if not quiet:
            click.echo(f"{len(checks)} checks, {failed} errors")
    sys.exit(EXIT_FAULTY if failed else 0)
