"""The `dpd` command: one module per verb, imported only when that verb is called."""

from __future__ import annotations

import os
import sys
from importlib import import_module

import click

VERBS: dict[str, tuple[str, str]] = {
    "check": ("lib.cli.check", "Judge environments and manifests; what goes wrong, why, and what to change."),
    "rules": ("lib.cli.rules", "The catalogue of rules, or one rule explained."),
    "schema": ("lib.cli.schema", "JSON Schema of the environment file, for editors."),
    "cost": ("lib.cli.cost", "What an environment holds, in nodes and GPUs."),
    "lock": ("lib.cli.lock", "Write down what a deployed environment cannot change."),
    "preflight": ("lib.cli.preflight", "The account before a deployment, read only."),
    "outputs": ("lib.cli.outputs", "Late-bound facts of a deployment into environments/outputs."),
    "teardown": ("lib.cli.teardown", "The ordered commands that remove an endpoint or an environment."),
    "kv": ("lib.cli.kv", "KV cache, pages, buffer and GPU memory of one model, exactly."),
    "init": ("lib.cli.init", "Write a commented environment file to start from."),
    "dashboards": ("lib.cli.dashboards", "Dashboards of an environment as JSON, or a page that shows them."),
    "import": ("lib.cli.import_", "Existing manifests as a fragment of an environment."),
    "images": ("lib.cli.images", "Pin images: what each tag means now, into the lock."),
    "runbook": ("lib.cli.runbook", "A runbook with an environment's real names filled in."),
}
"""Verb to its module, which holds a click command named ``command``, and its line in the list of verbs."""

EXIT_FAULTY = 1
EXIT_UNREADABLE = 2


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
    epilog="Example: dpd check environments/dev.yaml",
)
@click.version_option(package_name="hyperpod-dpd", prog_name="dpd")
def dpd() -> None:
    """Check, size and explain disaggregated prefill and decode on SageMaker HyperPod.

    Exit status: 0 no error, 1 errors found, 2 wrong usage or input that cannot be read.
    """


def main() -> None:
    """Entry point: no traceback reaches a user unless DPD_DEBUG is set."""
    try:
        dpd.main(prog_name="dpd", standalone_mode=False)
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except Exception as error:
        from lib.config import InvalidEnvironment

        if isinstance(error, InvalidEnvironment):  # told only once the parts of a document are put together
            click.echo(str(error), err=True)
            sys.exit(EXIT_FAULTY)
        if os.environ.get("DPD_DEBUG"):
            raise
        click.echo(
            f"dpd: internal error: {type(error).__name__}: {error}\n"
            "This is a bug. Set DPD_DEBUG=1 for details and report it with the input.",
            err=True,
        )
        sys.exit(EXIT_UNREADABLE)
