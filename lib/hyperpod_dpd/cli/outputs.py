"""`dpd outputs pull`: what only a deployment knows, into environments/outputs."""

from __future__ import annotations

import json

import click

from hyperpod_dpd.cli.environment import environment_argument, find_environment
from hyperpod_dpd.cli.examples import examples
from hyperpod_dpd.cli.main import EXIT_UNREADABLE, refuse


@click.group("outputs", epilog=examples("dpd outputs pull prod"))
def command() -> None:
    """Facts that exist only after a deployment."""


@command.command(
    "pull",
    short_help="Read what a deployment made.",
    epilog=examples("AWS_PROFILE=prod dpd outputs pull prod"),
)
@environment_argument
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors.")
def pull_command(environment: str, form: str, quiet: bool) -> None:
    """Read ENVIRONMENT's stacks and write environments/outputs/<environment>.yaml (commit it)."""
    loaded = find_environment(environment)
    from hyperpod_dpd.blueprint.resolve import resolve
    from hyperpod_dpd.document import dump_yaml
    from hyperpod_dpd.live.aws import Aws, NoAccess
    from hyperpod_dpd.live.stack_outputs import pull

    try:
        document, missing = pull(Aws(loaded), resolve(loaded))
    except NoAccess as error:
        refuse(error, EXIT_UNREADABLE)
    file = loaded.folder / "outputs" / f"{loaded.name}.yaml"
    head = f"# Facts of the deployment of {loaded.name}; `dpd outputs pull {loaded.name}` refreshes them.\n"
    text = head + dump_yaml(document)
    changed = not file.is_file() or file.read_text(encoding="utf-8") != text
    if changed:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    if form == "json":
        click.echo(
            json.dumps({"file": str(file), "changed": changed, "outputs": document, "missing": missing})
        )
    elif not quiet:
        click.echo(f"{file}: {'written' if changed else 'unchanged'}")
        if missing:
            click.echo(f"not deployed (yet): {', '.join(missing)}")
