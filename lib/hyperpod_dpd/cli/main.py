"""The `dpd` command: one module per verb, imported only when that verb is called."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib import import_module
from typing import NoReturn, TextIO

import click

from hyperpod_dpd.cli.examples import examples

VERBS: dict[str, tuple[str, str]] = {
    "check": (
        "hyperpod_dpd.cli.check",
        "Judge environments and manifests; what goes wrong, why, and what to change.",
    ),
    "rules": ("hyperpod_dpd.cli.rules", "The catalogue of rules, or one rule explained."),
    "schema": ("hyperpod_dpd.cli.schema", "JSON Schema of the environment file, for editors."),
    "cost": ("hyperpod_dpd.cli.cost", "What an environment holds, in nodes and GPUs."),
    "lock": ("hyperpod_dpd.cli.lock", "Write down what a deployed environment cannot change."),
    "preflight": ("hyperpod_dpd.cli.preflight", "The account before a deployment, read only."),
    "nodes": ("hyperpod_dpd.cli.nodes", "Which nodes have joined, or a wait until all have."),
    "outputs": ("hyperpod_dpd.cli.outputs", "Late-bound facts of a deployment into environments/outputs."),
    "teardown": (
        "hyperpod_dpd.cli.teardown",
        "The ordered commands that remove an endpoint or an environment.",
    ),
    "kv": ("hyperpod_dpd.cli.kv", "KV cache, pages, buffer and GPU memory of one model, exactly."),
    "init": ("hyperpod_dpd.cli.init", "Write a commented environment file to start from."),
    "new": (
        "hyperpod_dpd.cli.new",
        "A repository of your own: settings, locked tools, a first environment, CI.",
    ),
    "dashboards": (
        "hyperpod_dpd.cli.dashboards",
        "Dashboards of an environment as JSON, or a page that shows them.",
    ),
    "import": (
        "hyperpod_dpd.cli.import_",
        "Existing manifests, or an official template's parameters, as an environment.",
    ),
    "images": (
        "hyperpod_dpd.cli.images",
        "Pin images by digest into the lock; copy them into a closed network's mirror.",
    ),
    "runbook": ("hyperpod_dpd.cli.runbook", "A runbook with an environment's real names filled in."),
}
"""Verb to its module, which holds a click command named ``command``, and its line in the list of verbs."""

EXIT_FAULTY = 1
EXIT_UNREADABLE = 2
EXIT_INTERRUPTED = 130
"""What shells expect of a program that Ctrl-C ended."""


def tell(error: object) -> None:
    """What went wrong, on stderr, each line marked as an error."""
    from hyperpod_dpd.cli.text import printable

    for line in str(error).split("\n"):
        click.echo(f"error: {printable(line)}", err=True)


def refuse(error: object, status: int) -> NoReturn:
    """Tells it and ends the program."""
    tell(error)
    sys.exit(status)


class Verbs(click.Group):
    """Lists verbs without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in VERBS:
            return None
        command = import_module(VERBS[name][0]).command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in VERBS and not args[0].startswith("-"):
            from difflib import get_close_matches

            close = get_close_matches(args[0], VERBS, n=1)
            hint = f"did you mean '{close[0]}'?" if close else f"verbs are {', '.join(VERBS)}"
            ctx.fail(f"there is no verb '{args[0]}'; {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl([(name, line) for name, (_, line) in VERBS.items()])


@click.group(
    cls=Verbs,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=examples("dpd check environments/dev.yaml"),
)
@click.version_option(package_name="hyperpod-dpd", prog_name="dpd")
def dpd() -> None:
    """Check, size and explain disaggregated prefill and decode on SageMaker HyperPod.

    Exit status: 0 no error, 1 errors found, 2 wrong usage or input that cannot be read.
    """


def main() -> None:
    """Entry point: every end is an exit status, and no traceback reaches a user unless DPD_DEBUG is set."""
    sys.exit(_finish(_run()))


def _run() -> int:
    """Runs the verb; says what went wrong. A reader that leaves early, as `head` does, is no failure."""
    stream = sys.stdout
    try:
        result = dpd.main(prog_name="dpd", standalone_mode=False, color=False if _plain() else None)
        return result if isinstance(result, int) else 0
    except SystemExit as done:
        if sys.stdout is not stream:  # click met a closed pipe and put a stream in place that keeps quiet
            sys.stdout = stream
            return 0
        return done.code if isinstance(done.code, int) else EXIT_FAULTY
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        return 0
    except OSError as error:
        if os.environ.get("DPD_DEBUG"):
            raise
        place = error.filename if isinstance(error.filename, str) else "output"
        tell(f"{place}: cannot be read or written: {error.strerror or error}")
        return EXIT_UNREADABLE
    except Exception as error:
        return _explain(error)


def _explain(error: Exception) -> int:
    from hyperpod_dpd.config import InvalidEnvironment

    if isinstance(error, InvalidEnvironment):  # told only once the parts of a document are put together
        tell(error)
        return EXIT_FAULTY
    if os.environ.get("DPD_DEBUG"):
        raise error
    if isinstance(error, ImportError):
        from hyperpod_dpd.extras import advice

        if told := advice(error):
            tell(told)
            return EXIT_UNREADABLE
    tell(f"internal error: {type(error).__name__}: {error}")
    click.echo("This is a bug. Set DPD_DEBUG=1 for details and report it with the input.", err=True)
    return EXIT_UNREADABLE


def _plain() -> bool:
    """Whether the user asks every program for text without colours."""
    return bool(os.environ.get("NO_COLOR"))


def _finish(status: int) -> int:
    """Writes out what is still held back, which may fail as late as that; returns the status to leave with."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError as error:
            if not isinstance(error, BrokenPipeError):
                status = EXIT_UNREADABLE
            _forget(stream)
    return status


def _forget(stream: TextIO) -> None:
    """Sends the rest nowhere, or Python complains of it on leaving."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
