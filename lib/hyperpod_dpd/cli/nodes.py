"""`dpd nodes`: which nodes have joined, or a wait until all have."""

from __future__ import annotations

import dataclasses
import json
import sys
from typing import TYPE_CHECKING

import click

from hyperpod_dpd.cli.environment import environment_argument, find_environment
from hyperpod_dpd.cli.examples import examples
from hyperpod_dpd.cli.main import EXIT_FAULTY, EXIT_UNREADABLE, refuse

if TYPE_CHECKING:
    from hyperpod_dpd.live.nodes import ClusterNodes

MINUTE_SECONDS = 60


@click.command(
    "nodes", epilog=examples("dpd nodes prod --wait", "dpd nodes prod --wait --timeout-minutes 180")
)
@environment_argument
@click.option("--wait", "waits", is_flag=True, help="Until every group has its nodes, or the deadline.")
@click.option(
    "--timeout-minutes",
    type=click.IntRange(min=1),
    default=60,
    show_default=True,
    help="Deadline of --wait. Deep health checks take an hour or more: give them time.",
)
@click.option("--interval-seconds", type=click.IntRange(min=1), default=20, show_default=True)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("-q", "--quiet", is_flag=True, help="No progress, and only groups that lack nodes.")
def command(
    environment: str, waits: bool, timeout_minutes: int, interval_seconds: int, form: str, quiet: bool
) -> None:
    """Show the nodes of ENVIRONMENT's HyperPod cluster, and why one has not joined.

    The cluster is in service before its first node is, and add-ons fail without nodes: wait here between the two
    deployments. Status 1: nodes are missing.
    """
    loaded = find_environment(environment)
    from hyperpod_dpd.blueprint.resolve import resolve
    from hyperpod_dpd.live.aws import Aws, NoAccess
    from hyperpod_dpd.live.nodes import wait

    last: list[str] = []

    def tell(found: ClusterNodes) -> None:
        line = f"{found.status}: " + ", ".join(f"{g.group} {g.running}/{g.wanted}" for g in found.groups)
        if waits and not quiet and last != [line]:
            click.echo(line, err=True)
            last[:] = [line]

    try:
        found = wait(
            Aws(loaded),
            resolve(loaded),
            timeout_seconds=timeout_minutes * MINUTE_SECONDS if waits else 0,
            interval_seconds=interval_seconds,
            told=tell,
        )
    except NoAccess as error:
        refuse(error, EXIT_UNREADABLE)
    except KeyError as error:
        refuse(f"{str(error).strip(chr(39))}; deploy '{loaded.name}/hyperpod' first", EXIT_UNREADABLE)
    if form == "json":
        groups = [{**dataclasses.asdict(g), "complete": g.complete} for g in found.groups]
        document = {
            "status": found.status,
            "failure": found.failure,
            "groups": groups,
            "complete": found.complete,
        }
        click.echo(json.dumps(document))
    else:
        _print(found, quiet=quiet)
    sys.exit(0 if found.complete else EXIT_FAULTY)


def _print(found: ClusterNodes, *, quiet: bool) -> None:
    for group in found.groups:
        if quiet and group.complete:
            continue
        others = "".join(f", {count} {state}" for state, count in group.others.items())
        click.echo(f"{group.group}: {group.running} of {group.wanted} running{others}")
        for reason in group.reasons:
            click.echo(f"  {reason}")
    if found.failure:
        click.echo(f"cluster {found.status}: {found.failure}")
    if not quiet:
        click.echo(
            f"cluster {found.status}, {'all nodes have joined' if found.complete else 'nodes are missing'}"
        )
