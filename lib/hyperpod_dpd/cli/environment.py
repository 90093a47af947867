"""The environment a user names on the command line: by its name, or by the path of its file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hyperpod_dpd.cli.main import EXIT_FAULTY, EXIT_UNREADABLE, refuse

if TYPE_CHECKING:
    from hyperpod_dpd.config import LoadedEnvironment


def find_environment(wanted: str) -> LoadedEnvironment:
    """Loads it; ends the program with every fault on stderr when it is not a valid environment."""
    from hyperpod_dpd.config import InvalidEnvironment, environment_files, load_environment
    from hyperpod_dpd.document import UnreadableInput

    path = Path(wanted)
    if not wanted.endswith((".yaml", ".yml")):
        files = {file.stem: file for file in environment_files()}
        if wanted not in files:
            known = ", ".join(files) or "none"
            raise click.UsageError(f"environments/ holds no '{wanted}'; it holds: {known}")
        path = files[wanted]
    try:
        return load_environment(path)
    except InvalidEnvironment as error:
        refuse(error, EXIT_FAULTY)
    except UnreadableInput as error:
        refuse(error, EXIT_UNREADABLE)
    except OSError as error:
        refuse(f"{path}: {error.strerror or error}", EXIT_UNREADABLE)
