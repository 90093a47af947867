"""`dpd import --parameters`: a deployed official template's parameters as an environment document."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hyperpod_dpd.cli.main import EXIT_FAULTY, EXIT_UNREADABLE, refuse
from hyperpod_dpd.cli.text import printable

if TYPE_CHECKING:
    from hyperpod_dpd.config import Fault

_NAME = "imported"
"""Stands in for the name that the user's file will give the environment."""


def run(file: Path, *, account: str | None, region: str | None, form: str, quiet: bool) -> None:
    """Prints the document; ends with 1 where it needs completing, with 2 where the file cannot be read."""
    from hyperpod_dpd.document import UnreadableInput, dump_yaml, read_file
    from hyperpod_dpd.importing.official import import_parameters
    from hyperpod_dpd.importing.parameters import NotParameters, read_parameters

    try:
        documents = read_file(file)
        value = documents[0].value if documents else None
        imported = import_parameters(read_parameters(value), account=account, region=region)
    except UnreadableInput as error:
        refuse(error, EXIT_UNREADABLE)
    except OSError as error:
        refuse(f"{file}: {error.strerror or error}", EXIT_UNREADABLE)
    except NotParameters as error:
        refuse(f"{file}: {error}", EXIT_UNREADABLE)
    text = dump_yaml(imported.document)
    missing = _missing(text)
    if form == "json":
        report = {"document": imported.document, "notes": list(imported.notes), "to_complete": missing}
        click.echo(json.dumps(report, indent=2))
    else:
        click.echo(text if quiet else _with_notes(text, file, imported.notes), nl=False)
    for line in missing:
        click.echo(f"to complete: {line}", err=True)
    if missing:
        sys.exit(EXIT_FAULTY)


def _with_notes(text: str, file: Path, notes: tuple[str, ...]) -> str:
    lines = [
        f"From {file.name} by `dpd import --parameters`. Save it as environments/NAME.yaml: NAME gives all names.",
        *notes,
    ]
    return "".join(f"# {printable(line)}\n" for line in lines) + text


def _missing(text: str) -> list[str]:
    """What keeps the document from being an environment, without the name of a file that is not there."""
    from hyperpod_dpd.config import InvalidEnvironment, load_document
    from hyperpod_dpd.document import read_documents

    [document] = read_documents(text, _NAME)
    try:
        load_document(document, Path(f"{_NAME}.yaml"))
    except InvalidEnvironment as error:
        return [_line(fault) for fault in error.faults]
    return []


def _line(fault: Fault) -> str:
    from hyperpod_dpd.document import dotted

    place = dotted(fault.path)
    return f"{place}: {fault.message}; {fault.fix}" if place else f"{fault.message}; {fault.fix}"
