"""`dpd lock`: write down what a deployed environment cannot change, so that no later change loses it."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import click

from hyperpod_dpd.cli.environment import environment_argument, find_environment
from hyperpod_dpd.cli.examples import examples
from hyperpod_dpd.cli.main import EXIT_UNREADABLE, refuse


@click.command("lock", epilog=examples("dpd lock prod --templates cdk.out"))
@environment_argument
@click.option(
    "--templates",
    type=click.Path(path_type=Path),
    metavar="CDK_OUT",
    help="Also write down the logical ids of what holds state, from this cdk.out.",
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors.")
def command(environment: str, templates: Path | None, form: str, quiet: bool) -> None:
    """Write the immutable facts of ENVIRONMENT into environments/locks/<environment>.json.

    Run it after the first deployment and commit the file. From then on `dpd check` and `cdk synth` refuse a
    change that would replace what is locked, unless the document allows it with a reason.
    """
    loaded = find_environment(environment)
    from hyperpod_dpd.blueprint.immutable import facts, logical_ids
    from hyperpod_dpd.blueprint.resolve import resolve
    from hyperpod_dpd.config.locks import Locks

    unlocked = dataclasses.replace(loaded, locks=Locks(images=loaded.locks.images))
    ids = loaded.locks.immutable.logical_ids
    if templates is not None:
        from hyperpod_dpd.view.fingerprints import read_templates

        try:
            ids = logical_ids(read_templates(templates / f"assembly-{loaded.name}"))
        except OSError as error:
            refuse(f"{error.filename}: {error.strerror}; run `make synth` first", EXIT_UNREADABLE)
    now = facts(resolve(unlocked))
    file = loaded.folder / "locks" / f"{loaded.name}.json"
    document: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    before = document.get("immutable", {}).get("facts", {})
    document["immutable"] = {"facts": now, "logical_ids": ids}
    text = json.dumps(document, indent=2, sort_keys=True) + "\n"
    changed = not file.is_file() or file.read_text(encoding="utf-8") != text
    if changed:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    differs = {
        name: [before.get(name), now.get(name)]
        for name in sorted({*before, *now})
        if before and before.get(name) != now.get(name)
    }
    if form == "json":
        click.echo(json.dumps({"file": str(file), "changed": changed, "different": differs}))
    elif not quiet:
        click.echo(f"{file}: {'written' if changed else 'unchanged'}")
        for name, (old, new) in differs.items():
            click.echo(f"  {name}: {old} -> {new}")
