"""`dpd images pin`: what each tag means now, written into the environment's lock; and the mirror beside it."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import click

from hyperpod_dpd.cli.environment import environment_argument, find_environment
from hyperpod_dpd.cli.examples import examples
from hyperpod_dpd.cli.images_mirror import mirror
from hyperpod_dpd.cli.main import EXIT_FAULTY, EXIT_UNREADABLE, refuse, tell


@click.group("images", epilog=examples("dpd images pin prod", "dpd images mirror closed-network"))
def command() -> None:
    """Images of an environment by digest, so that both roles run the same bytes for good."""


command.add_command(mirror)


@command.command(
    "pin",
    short_help="Resolve tags to digests, into the lock.",
    epilog=examples("dpd images pin prod && git diff environments/locks/prod.json"),
)
@environment_argument
@click.option(
    "--check", "only_check", is_flag=True, help="Write nothing; fail when the lock is not up to date."
)
@click.option("--missing", is_flag=True, help="Leave references that are locked already as they are.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("-q", "--quiet", is_flag=True, help="Only what changed.")
def pin(environment: str, only_check: bool, missing: bool, form: str, quiet: bool) -> None:
    """Resolve the tags of ENVIRONMENT through its registries into environments/locks/ENVIRONMENT.json.

    Rendering uses the digests from then on. A digest in the document itself stands and is not resolved. Credentials
    come from `docker login`, and from AWS for a private ECR registry. Images are asked for at their origin, whatever
    registry nodes pull from: a mirror and a cache hold the same bytes.
    """
    from hyperpod_dpd.blueprint.image_tags import tagged_images
    from hyperpod_dpd.catalog.worker_images import parse_reference
    from hyperpod_dpd.live import registry_credentials
    from hyperpod_dpd.live.registry import Registry, RegistryFault

    loaded = find_environment(environment)
    path = loaded.folder / "locks" / f"{loaded.name}.json"
    before = {name: locked.digest for name, locked in loaded.locks.images.items()}
    after: dict[str, str] = {}
    faults: list[str] = []
    registry = Registry(credentials=registry_credentials.find)
    try:
        references = tagged_images(loaded)
        images = {reference: parse_reference(reference) for reference in references}
    except ValueError as error:  # which `dpd check` tells with its place
        refuse(error, EXIT_FAULTY)
    for reference, image in images.items():
        if missing and reference in before:
            after[reference] = before[reference]
            continue
        try:
            after[reference] = registry.digest(image)
        except RegistryFault as fault:
            faults.append(str(fault))
            if reference in before:
                after[reference] = before[reference]
    changed = before != after
    if changed and not only_check:
        days = {name: locked.resolved for name, locked in loaded.locks.images.items()}
        try:
            _write(path, after, {name: days.get(name) for name in after if before.get(name) == after[name]})
        except OSError as error:
            refuse(
                f"{error.filename or path}: {error.strerror or error}; nothing is written", EXIT_UNREADABLE
            )
    _tell(after, before, faults, path=path, form=form, quiet=quiet, wrote=changed and not only_check)
    if faults or (only_check and changed):
        sys.exit(EXIT_FAULTY)


def _write(path: Path, images: dict[str, str], days: dict[str, str | None]) -> None:
    """The whole lock or none of it; an entry that did not change keeps its day."""
    from datetime import UTC, datetime

    today = datetime.now(UTC).date().isoformat()
    entries = {}
    for name, digest in sorted(images.items()):
        day = days.get(name, today)
        entries[name] = {"digest": digest, **({"resolved": day} if day else {})}
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as file:
        try:
            json.dump({**_others(path), "images": entries}, file, indent=2, sort_keys=True)
            file.write("\n")
            file.flush()
            os.chmod(file.name, 0o644)
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise


def _others(path: Path) -> dict[str, Any]:
    """What other verbs keep in the lock: `dpd lock` writes there too."""
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def _tell(
    after: dict[str, str],
    before: dict[str, str],
    faults: list[str],
    *,
    path: Path,
    form: str,
    quiet: bool,
    wrote: bool,
) -> None:
    gone = sorted(before.keys() - after.keys())
    if form == "json":
        images = [
            {
                "reference": name,
                "digest": digest,
                "before": before.get(name),
                "changed": before.get(name) != digest,
            }
            for name, digest in sorted(after.items())
        ]
        result = {"lock": str(path), "written": wrote, "images": images, "removed": gone, "errors": faults}
        click.echo(json.dumps(result, indent=2))
        return
    for name, digest in sorted(after.items()):
        old = before.get(name)
        if old == digest and quiet:
            continue
        word = "unchanged" if old == digest else f"was {old}" if old else "new"
        click.echo(f"{name}@{digest} ({word})")
    for name in gone:
        click.echo(f"{name}: no longer used, removed from the lock")
    for fault in faults:
        tell(fault)
    if wrote:
        click.echo(f"wrote {path}")
    elif before != after:
        click.echo(f"{path} is not up to date", err=True)
    elif not after and not faults and not quiet:
        click.echo("nothing to pin: every image is named by digest in the document")
