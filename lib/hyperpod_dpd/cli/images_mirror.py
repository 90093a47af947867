"""`dpd images mirror`: the images of a closed network into the environment's own repositories."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING, NoReturn

import click

from hyperpod_dpd.cli.environment import environment_argument, find_environment
from hyperpod_dpd.cli.examples import examples
from hyperpod_dpd.cli.main import EXIT_FAULTY, EXIT_INTERRUPTED, EXIT_UNREADABLE, refuse, tell

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.mirroring import Copy
    from hyperpod_dpd.config import LoadedEnvironment
    from hyperpod_dpd.live.mirror import Row

_NOT_IN_ORDER = frozenset({"unknown", "missing", "conflict", "failed", "not reached"})


def _host(_: click.Context, option: click.Parameter, value: str | None) -> str | None:
    """A registry as image names begin with it; anything else would end up in names, or in a script."""
    from hyperpod_dpd.catalog.worker_images import HOST_PATTERN

    if value is not None and re.fullmatch(HOST_PATTERN, value) is None:
        raise click.BadParameter(f"'{value}' is not HOST or HOST:PORT, such as carry.example.com:5000")
    return value


@click.command(
    "mirror",
    short_help="Copy what a closed network pulls, or plan or check it.",
    epilog=examples("dpd images mirror closed-network --run"),
)
@environment_argument
@click.option("--run", "mode", flag_value="run", help="Copy what is missing, with a tool on PATH.")
@click.option("--check", "mode", flag_value="check", help="Copy nothing; fail when an image is missing.")
@click.option("--script", "mode", flag_value="script", help="Print a shell script that does it elsewhere.")
@click.option(
    "--tool", type=click.Choice(["skopeo", "crane", "oras"]), help="Default: the first one on PATH."
)
@click.option(
    "--to",
    "target",
    metavar="HOST",
    callback=_host,
    help="A registry to carry the images in, instead of ECR.",
)
@click.option("--from", "source", metavar="HOST", callback=_host, help="Take them from such a registry.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("-q", "--quiet", is_flag=True, help="Only what is not in order.")
def mirror(
    environment: str,
    mode: str | None,
    tool: str | None,
    target: str | None,
    source: str | None,
    form: str,
    quiet: bool,
) -> None:
    """Plan, check or make the copies that ENVIRONMENT's nodes pull: every architecture, under the same digest.

    Without an option it lists source, digest and target. --run skips what is there already, so it may be interrupted
    and started again. The way into ECR is a token of your AWS credentials, handed over on standard input; sources are
    read with what `docker login` left, or without. Where no machine reaches both sides, carry them: --to a registry
    of yours, then --from it.
    """
    from hyperpod_dpd.blueprint.mirroring import NoMirror, copies
    from hyperpod_dpd.live import registry_credentials
    from hyperpod_dpd.live.mirror import compared, planned
    from hyperpod_dpd.live.registry import Registry

    loaded = find_environment(environment)
    try:
        wanted = copies(loaded, source=source, target=target)
    except NoMirror as error:
        refuse(error, EXIT_FAULTY)
    if mode == "run":
        _run(loaded, wanted, tool_name=tool, form=form, quiet=quiet)
    registry = Registry(credentials=registry_credentials.find, tries=2)
    rows = planned(wanted, registry)
    if mode == "check":
        rows = [compared(row, registry) for row in rows]
    if mode == "script" and all(row.digest for row in rows):
        _print_script(loaded, rows, tool)
        return
    _tell(loaded, rows, mode=mode, form=form, quiet=quiet)
    if any(row.state in _NOT_IN_ORDER for row in rows):
        sys.exit(EXIT_FAULTY)


def _run(
    loaded: LoadedEnvironment, wanted: tuple[Copy, ...], *, tool_name: str | None, form: str, quiet: bool
) -> NoReturn:
    from hyperpod_dpd.live import registry_credentials
    from hyperpod_dpd.live.aws import NoAccess
    from hyperpod_dpd.live.copy_tools import LoginRefused, credentials_folder, installed, log_in
    from hyperpod_dpd.live.mirror import GOOD, copy_all, planned, source_hosts, target_hosts
    from hyperpod_dpd.live.registry import Registry

    tool = installed(tool_name)
    if tool is None:
        refuse(
            f"no {tool_name or 'skopeo, crane or oras'} is on PATH: install one, or print a script for another machine "
            "with --script",
            EXIT_UNREADABLE,
        )
    try:
        known = _target_credentials(loaded, [copy.target.registry for copy in wanted])
    except NoAccess as error:
        refuse(str(error), EXIT_UNREADABLE)
    registry = Registry(credentials=lambda host: known.get(host) or registry_credentials.find(host))
    rows = planned(wanted, registry)
    with credentials_folder(source_hosts(rows)) as folder:
        try:
            for host in target_hosts(rows):
                if host in known:
                    log_in(tool, host, *known[host], folder)
        except LoginRefused as error:
            refuse(str(error), EXIT_UNREADABLE)
        done, interrupted = copy_all(
            rows,
            tool,
            registry,
            folder,
            tell=lambda line: None if quiet else click.echo(line, err=True),
            show_output=sys.stderr.isatty() and not quiet,
        )
    _tell(loaded, done, mode="run", form=form, quiet=quiet)
    if interrupted:
        click.echo("interrupted; the same command goes on with what is missing", err=True)
        sys.exit(EXIT_INTERRUPTED)
    sys.exit(0 if all(row.state in GOOD for row in done) else EXIT_FAULTY)


def _target_credentials(loaded: LoadedEnvironment, hosts: list[str]) -> dict[str, tuple[str, str]]:
    """User and password by host: for ECR a token of the environment's own account, else what docker knows.

    Raises NoAccess without AWS credentials of that account.
    """
    import base64

    from hyperpod_dpd.catalog.worker_images import is_private_ecr
    from hyperpod_dpd.live import registry_credentials
    from hyperpod_dpd.live.aws import Aws, NoAccess

    found: dict[str, tuple[str, str]] = {}
    for host in dict.fromkeys(hosts):
        if not is_private_ecr(host):
            if known := registry_credentials.find(host):
                found[host] = known
            continue
        try:
            answer = Aws(loaded).call("ecr", "get_authorization_token")
        except KeyError as error:
            raise NoAccess(str(error.args[0])) from None
        token = base64.b64decode(answer["authorizationData"][0]["authorizationToken"]).decode()
        user, _, password = token.partition(":")
        found[host] = (user, password)
    return found


def _print_script(loaded: LoadedEnvironment, rows: list[Row], tool_name: str | None) -> None:
    from hyperpod_dpd.live.copy_tools import TOOLS, installed
    from hyperpod_dpd.live.mirror import shell_script

    tool = TOOLS[tool_name] if tool_name else installed() or TOOLS["skopeo"]
    click.echo(shell_script(rows, tool, region=loaded.environment.region), nl=False)


def _tell(loaded: LoadedEnvironment, rows: list[Row], *, mode: str | None, form: str, quiet: bool) -> None:
    from hyperpod_dpd.catalog.worker_images import is_private_ecr

    if form == "json":
        images = [
            {
                "source": str(row.copy.source),
                "digest": row.digest,
                "target": str(row.copy.target),
                "state": row.state,
                "why": row.why,
            }
            for row in rows
        ]
        click.echo(json.dumps({"environment": loaded.name, "images": images}, indent=2))
        return
    for row in rows:
        in_order = row.state not in _NOT_IN_ORDER
        if in_order and (mode == "run" or (quiet and mode is not None)):
            continue
        click.echo(str(row.copy.source))
        click.echo(f"  {row.digest or 'digest not known'}")
        click.echo(f"  -> {row.copy.target}{'' if row.state == 'unchecked' else f' ({row.state})'}")
        if row.why:
            tell(row.why)
    if mode == "run":
        states = [row.state for row in rows]
        counts = {state: states.count(state) for state in dict.fromkeys(states)}
        click.echo(", ".join(f"{count} {state}" for state, count in counts.items()) or "nothing to copy")
        if any(row.state == "failed" and is_private_ecr(row.copy.target.registry) for row in rows):
            click.echo(
                f"the repositories are those of the stack: npx cdk deploy '{loaded.name}/images' makes them",
                err=True,
            )
    elif mode is None and not quiet:
        click.echo(
            f"nothing is copied; on a machine that reaches both sides: dpd images mirror {loaded.name} --run"
        )
