"""`dpd new`: a repository of your own, in which this project is a tool and only your documents are rendered."""

from __future__ import annotations

import json
from contextlib import chdir
from pathlib import Path

import click

from hyperpod_dpd.cli import init
from hyperpod_dpd.cli.examples import examples
from hyperpod_dpd.cli.main import EXIT_UNREADABLE, refuse


@click.command(
    "new",
    epilog=examples(
        "dpd new serving --account 111122223333 --region us-east-2",
        "dpd new serving --source git+https://example.com/your-fork/hyperpod-dpd@v0.1.0",
    ),
)
@click.argument("directory", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "--environment", "name", default="dev", show_default=True, help="Name of the first environment."
)
@click.option("--account", metavar="ID", help="AWS account id of the first environment.")
@click.option("--region", metavar="REGION", help="Its Region.")
@click.option("--instance-type", metavar="TYPE", help="Of its prefill and decode nodes.")
@click.option("--model", metavar="KEY", help="Its model, a key of the catalogue.")
@click.option(
    "--source", metavar="URL", help="Where pip finds this project.  [default: your package index, by version]"
)
@click.option("--renew", is_flag=True, help="Write only what a release brings, over what an older one left.")
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("-q", "--quiet", is_flag=True, help="Say nothing when the files are written.")
@click.pass_context
def command(
    context: click.Context,
    /,
    directory: Path,
    name: str,
    source: str | None,
    renew: bool,
    style: str,
    quiet: bool,
    **first: str | None,
) -> None:
    """Write what a repository of your own needs into DIR: settings of CDK and cdk8s, locked tools, CI and pre-commit
    files, and a first environment. A file that is there already stays as it is.
    """
    from hyperpod_dpd.synthesis.starting import brought, written

    if renew and not _ours(directory):
        refuse(
            f"{directory} was not made by `dpd new`: its package.json is not of this project", EXIT_UNREADABLE
        )
    kept: list[str] = []
    wrote: list[str] = []
    try:
        directory.mkdir(parents=True, exist_ok=True)
        if not renew and not any((directory / "environments").glob("*.y*ml")):
            given = {key: value for key, value in first.items() if value is not None}
            with chdir(directory):
                context.invoke(init.command, name=name, chosen="environments", quiet=True, **given)
            wrote.append(f"environments/{name}.yaml")
        for path, text in (brought() if renew else {**written(source), **brought()}).items():
            file = directory / path
            if file.exists() and not renew:
                kept.append(path)
                continue
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            wrote.append(path)
    except OSError as error:
        refuse(f"{error.filename or directory} cannot be written: {error.strerror}", EXIT_UNREADABLE)
    if style == "json":
        click.echo(json.dumps({"wrote": sorted(wrote), "kept": sorted(kept)}))
    elif not quiet:
        click.echo(f"wrote {len(wrote)} files in {directory}: {', '.join(sorted(wrote))}")
        if kept:
            click.echo(f"left as they are: {', '.join(sorted(kept))}")
        if not renew:
            click.echo(f"next: its README.md; `dpd check {directory / 'environments'}` needs nothing more")


def _ours(directory: Path) -> bool:
    from hyperpod_dpd.synthesis.starting import PACKAGE

    try:
        found = json.loads((directory / "package.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and found.get("name") == PACKAGE
