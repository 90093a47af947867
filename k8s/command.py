"""The cdk8s app as a command: documents in, GitOps trees out, one clear line for whatever is wrong."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.model import Blueprint
    from hyperpod_dpd.blueprint.note import Note
    from k8s.rendered import RenderedEnvironment
    from k8s.writer import Changes

TREE = Path("dist")
SCRATCH = Path(".build/cdk8s")
"""The output folder that cdk8s.yaml gives to the command-line tool, which empties it at each start."""


class Unusable(Exception):
    """What the user asked for cannot be had; the text says why and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Destination:
    """Where results go: ``tree`` gets the GitOps trees, ``streams`` one multi-document file a piece."""

    tree: Path | None
    streams: Path | None


def main(arguments: Sequence[str]) -> int:
    """Exit status: 0 when everything asked for was written, 1 when an environment is faulty, 2 for usage."""
    try:
        return _run(_parser().parse_args(arguments))
    except Unusable as error:
        _say(f"error: {error}")
        return 2
    except KeyboardInterrupt:
        _say("interrupted: run it again; an environment not reported above may hold files of both runs")
        return 130


def _run(options: argparse.Namespace) -> int:
    paths = chosen(options.environment, options.environments)
    to = destination(options.out, os.environ.get("CDK8S_OUTDIR"))
    blueprints = [_blueprint(path) for path in paths]
    sound = [blueprint for blueprint in blueprints if blueprint is not None]
    status = 0 if len(sound) == len(paths) else 1
    notes: list[tuple[str, Note]] = []
    for blueprint in sound:
        status = max(status, _write(blueprint, to, notes))
    _tell_notes(notes)
    if to.tree and not options.environment:
        _tell_orphans(to.tree, {path.stem for path in paths})
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m k8s",
        description="Render environments into GitOps trees, dist/<environment>/<app>/<kind>-<name>.yaml.",
        epilog="example: python -m k8s --environment prod --out ../gitops/clusters",
    )
    parser.add_argument(
        "--environment",
        action="append",
        metavar="NAME",
        help="render this one only, by name or file; may be repeated (default: every file of the folder)",
    )
    parser.add_argument(
        "--environments",
        metavar="DIR",
        help="the folder of documents (default: $DPD_ENVIRONMENTS, else environments/)",
    )
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="write DIR/<environment> instead of dist/<environment>"
    )
    return parser


def chosen(wanted: Sequence[str] | None, among: str | None = None) -> list[Path]:
    """Documents to render, of folder ``among``. Raises Unusable for an unknown name, or two documents of one name."""
    from hyperpod_dpd.config import environment_files, environments_folder

    folder = Path(_shown(environments_folder(among)))
    files = environment_files(folder)
    if wanted:
        files = [_find(name, files, folder) for name in dict.fromkeys(wanted)]
    elif not files:
        raise Unusable(f"{folder} holds no environment; `dpd init NAME` writes one")
    by_name: dict[str, Path] = {}
    for path in files:
        other = by_name.setdefault(path.stem, path)
        if other != path:
            raise Unusable(f"{other} and {path} both describe environment '{path.stem}'; keep one")
    return files


def _find(wanted: str, files: Sequence[Path], folder: Path) -> Path:
    if wanted.endswith((".yaml", ".yml")):
        return Path(wanted)
    for path in files:
        if path.stem == wanted:
            return path
    known = ", ".join(path.stem for path in files) or "none"
    raise Unusable(f"{folder} holds no environment '{wanted}'; there are: {known}")


def destination(out: Path | None, outdir: str | None) -> Destination:
    """``outdir`` is what the cdk8s command-line tool asks for, None when it is not the one that runs us.

    Its ``--output`` names a folder that does not exist (the tool removed it) and gets the trees; its
    ``--stdout`` makes a temporary one, whose files it prints one after the other.
    """
    if outdir is None:
        return Destination(tree=out or TREE, streams=None)
    folder = Path(outdir)
    if folder.resolve() == SCRATCH.resolve():
        return Destination(tree=out or TREE, streams=folder)
    if folder.exists():
        return Destination(tree=out, streams=folder)
    return Destination(tree=out or folder, streams=None)


def _blueprint(path: Path) -> Blueprint | None:
    """None, and every fault on stderr, for a document that is not a valid environment or holds a secret."""
    from hyperpod_dpd.blueprint.resolve import resolve
    from hyperpod_dpd.config import InvalidEnvironment, load_environment
    from hyperpod_dpd.document import UnreadableInput
    from k8s.secrets import literal_secrets

    try:
        loaded = load_environment(path)
        blueprint = resolve(loaded)
        secrets = list(literal_secrets(loaded, blueprint))
        for line in secrets:
            _say(f"error: {line}")
        return None if secrets else blueprint
    except (InvalidEnvironment, UnreadableInput) as error:
        for line in str(error).splitlines():
            _say(f"error: {line}")
    except OSError as error:
        _say(f"error: {path}: {error.strerror or error}")
    return None


def _write(blueprint: Blueprint, to: Destination, notes: list[tuple[str, Note]]) -> int:
    from k8s.layout import files, stream
    from k8s.writer import NotOurs, write_environment

    try:
        rendered = _rendered(blueprint)
        notes += [(rendered.name, note) for note in rendered.notes]
        if to.tree:
            changes = write_environment(to.tree, rendered.name, files(rendered))
            _summarise(rendered, to.tree, changes)
        if to.streams:
            to.streams.mkdir(parents=True, exist_ok=True)
            (to.streams / f"{rendered.name}.yaml").write_text(stream(rendered), encoding="utf-8")
    except (ValueError, NotOurs) as error:
        _say(f"error: {blueprint.name}: {error}")
        return 1
    except OSError as error:
        _say(f"error: {blueprint.name}: {error.filename or to.tree}: {error.strerror or error}")
        return 1
    return 0


def _rendered(blueprint: Blueprint) -> RenderedEnvironment:
    """Raises Unusable where a library that rendering needs is missing or broken."""
    try:
        from k8s.rendering import render
    except ImportError as error:
        from hyperpod_dpd.extras import advice

        told = advice(error, "cdk")
        raise (Unusable(told) if told else error) from error
    return render(blueprint)


def _tell_notes(notes: Sequence[tuple[str, Note]]) -> None:
    """What several environments are told alike is said once, with NAME for each one's name."""
    alike: dict[tuple[str, str], list[tuple[str, Note]]] = {}
    for name, note in notes:
        general = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", "NAME", note.message)
        alike.setdefault((note.subject, general), []).append((name, note))
    for (subject, general), told in alike.items():
        message = general if len(told) > 1 else told[0][1].message
        _say(f"note: {', '.join(name for name, _ in told)}: {subject}: {message}")


def _summarise(rendered: RenderedEnvironment, out: Path, changes: Changes) -> None:
    objects = sum(len(app.objects) for app in rendered.apps)
    what = f"{objects} objects in {len(rendered.apps)} apps, {len(changes.written)} files written"
    _say(f"{_shown(out / rendered.name)}: {what}, {len(changes.removed)} removed")
    for path in changes.removed:
        _say(f"  removed {path}")


def _tell_orphans(out: Path, known: set[str]) -> None:
    from k8s.writer import rendered_environments

    for name in rendered_environments(out):
        if name not in known:
            _say(f"note: {_shown(out / name)} belongs to no environment any more; it stays as it is")


def _shown(path: Path) -> str:
    """As short as the reader's folder allows."""
    absolute, here = path.absolute(), Path.cwd()
    return str(absolute.relative_to(here) if absolute.is_relative_to(here) else absolute)


def _say(line: str) -> None:
    """Everything goes to stderr: the cdk8s command-line tool swallows what its app prints elsewhere."""
    print(line, file=sys.stderr)
