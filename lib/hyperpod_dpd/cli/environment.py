"""The environment a user names on the command line: by its name, or by the path of its file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hyperpod_dpd.cli.main import EXIT_FAULTY, EXIT_UNREADABLE, refuse

if TYPE_CHECKING:
    from hyperpod_dpd.config import LoadedEnvironment

    Command = TypeVar("Command", bound=Callable[..., Any])

_FOLDER = "hyperpod_dpd.environments"


def _keep(context: click.Context, _: click.Parameter, folder: str | None) -> None:
    context.meta[_FOLDER] = folder


environments_option = click.option(
    "--environments",
    metavar="DIR",
    expose_value=False,
    callback=_keep,
    help="The folder of environments.  [default: $DPD_ENVIRONMENTS, else environments/]",
)
"""Read by ``find_environment``."""


def environment_argument(command: Command) -> Command:
    """ENVIRONMENT and ``--environments``, the same for every verb that is about one environment."""
    return click.argument("environment")(environments_option(command))


def find_environment(wanted: str) -> LoadedEnvironment:
    """Loads it; ends the program with every fault on stderr when it is not a valid environment."""
    from hyperpod_dpd.config import (
        InvalidEnvironment,
        environment_files,
        environments_folder,
        load_environment,
    )
    from hyperpod_dpd.config.closeness import closest
    from hyperpod_dpd.document import UnreadableInput

    path = Path(wanted)
    if not wanted.endswith((".yaml", ".yml")):
        folder = environments_folder(click.get_current_context().meta.get(_FOLDER))
        files = {file.stem: file for file in environment_files(folder)}
        if wanted not in files:
            close = closest(wanted, files)
            known = f"{', '.join(files) or 'none'}" + (f"; did you mean '{close}'?" if close else "")
            raise click.UsageError(f"{folder}/ holds no '{wanted}'; it holds: {known}")
        path = files[wanted]
    try:
        return load_environment(path)
    except InvalidEnvironment as error:
        refuse(error, EXIT_FAULTY)
    except UnreadableInput as error:
        refuse(error, EXIT_UNREADABLE)
    except OSError as error:
        refuse(f"{path}: {error.strerror or error}", EXIT_UNREADABLE)
