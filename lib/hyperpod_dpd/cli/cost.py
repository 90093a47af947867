"""`dpd cost`: nodes and GPUs of an environment, and money with the user's own prices: they differ by contract."""

from __future__ import annotations

import dataclasses
import json
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hyperpod_dpd.cli.environment import environment_argument, find_environment
from hyperpod_dpd.cli.examples import examples
from hyperpod_dpd.cli.main import EXIT_FAULTY, EXIT_UNREADABLE, refuse

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.footprint import GroupCost, GroupFootprint
    from hyperpod_dpd.config.prices import Prices

HEADINGS = ("GROUP", "ROLE", "TYPE", "CAPACITY", "NODES", "MAX", "GPUS", "MAX GPUS")
MONEY = ("{} AN HOUR", "MAX")
PRICES = "prices.yaml"
HOURS = 730
"""Hours of a month as AWS counts them."""


@click.command("cost", epilog=examples("dpd cost prod", "dpd cost prod --prices prices.yaml --format json"))
@environment_argument
@click.option(
    "--prices", "prices_file", metavar="FILE", help=f"Your price list.  [default: {PRICES}, if it is here]"
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("-q", "--quiet", is_flag=True, help="The sum only.")
def command(environment: str, prices_file: str | None, form: str, quiet: bool) -> None:
    """Show what ENVIRONMENT holds while it runs, and at most (a name, or the path of its file).

    With a price list (docs/cost.md) it says what the nodes cost. Volumes, NAT gateways, endpoints, file systems,
    the control plane and traffic come on top.
    """
    loaded = find_environment(environment)
    prices = _prices(prices_file)
    from hyperpod_dpd.blueprint.footprint import cost, footprint
    from hyperpod_dpd.blueprint.resolve import resolve

    rows = footprint(resolve(loaded))
    costs = None if prices is None else [cost(row, prices) for row in rows]
    if form == "json":
        click.echo(json.dumps(_as_json(rows, costs, prices)))
        return
    if not quiet:
        _table(rows, costs, prices)
    total = _total(rows)
    click.echo(
        f"{total['nodes']} nodes with {total['gpus']} GPUs now, at most {total['max_nodes']} with "
        f"{total['max_gpus']}; each hour of a node is paid whether it serves or waits"
    )
    if prices is not None and costs is not None:
        _say_money(rows, costs, prices)


def _prices(given: str | None) -> Prices | None:
    """The price list that was named, else the one that lies here; ends the program where it is none."""
    if given is None and not Path(PRICES).is_file():
        return None
    from hyperpod_dpd.config import InvalidEnvironment
    from hyperpod_dpd.config.prices import load_prices
    from hyperpod_dpd.document import UnreadableInput

    try:
        return load_prices(Path(given or PRICES))
    except InvalidEnvironment as error:
        refuse(error, EXIT_FAULTY)
    except UnreadableInput as error:
        refuse(error, EXIT_UNREADABLE)


def _total(rows: list[GroupFootprint]) -> dict[str, int]:
    return {
        key: sum(getattr(row, key) or 0 for row in rows) for key in ("nodes", "max_nodes", "gpus", "max_gpus")
    }


def _sums(costs: list[GroupCost]) -> tuple[Decimal, Decimal]:
    """Of an hour now and at most, of the groups that have a price."""
    return (
        sum((each.per_hour or Decimal(0) for each in costs), Decimal(0)),
        sum((each.max_per_hour or Decimal(0) for each in costs), Decimal(0)),
    )


def _unpriced(rows: list[GroupFootprint], costs: list[GroupCost]) -> list[str]:
    """Types and ways of buying that the price list lacks."""
    pairs = zip(rows, costs, strict=True)
    return list(
        dict.fromkeys(f"{row.instance_type} {row.capacity}" for row, each in pairs if each.per_hour is None)
    )


def _as_json(
    rows: list[GroupFootprint], costs: list[GroupCost] | None, prices: Prices | None
) -> dict[str, object]:
    groups = [dataclasses.asdict(row) for row in rows]
    total: dict[str, object] = {**_total(rows)}
    if prices is None or costs is None:
        return {"groups": groups, "total": total}
    for group, each in zip(groups, costs, strict=True):
        group |= {
            key: None if value is None else float(value) for key, value in dataclasses.asdict(each).items()
        }
    now, most = _sums(costs)
    total |= {"per_hour": float(now), "max_per_hour": float(most)}
    about = {"currency": prices.currency, "date": prices.date, "source": prices.source}
    return {"groups": groups, "total": total, "prices": {**about, "missing": _unpriced(rows, costs)}}


def _table(rows: list[GroupFootprint], costs: list[GroupCost] | None, prices: Prices | None) -> None:
    table = [HEADINGS, *(tuple(_cell(value) for value in dataclasses.astuple(row)) for row in rows)]
    if costs is not None and prices is not None:
        money = [tuple(each.format(prices.currency) for each in MONEY)]
        money += [tuple(_cell(value) for value in dataclasses.astuple(each)) for each in costs]
        table = [(*left, *right) for left, right in zip(table, money, strict=True)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for line in table:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def _cell(value: object) -> str:
    if value is None:
        return "?"
    return f"{value:,.2f}" if isinstance(value, Decimal) else str(value)


def _say_money(rows: list[GroupFootprint], costs: list[GroupCost], prices: Prices) -> None:
    now, most = _sums(costs)
    click.echo(
        f"{now:,.2f} {prices.currency} an hour for the nodes now, at most {most:,.2f}; {now * HOURS:,.2f} to "
        f"{most * HOURS:,.2f} in a month of {HOURS} hours"
    )
    origin = f", {prices.source}" if prices.source else ""
    click.echo(
        f"by prices of {prices.date}{origin}; volumes, NAT gateways, endpoints, file systems, the control plane and "
        "traffic come on top"
    )
    if missing := _unpriced(rows, costs):
        click.echo(f"no price, so not in the sum: {', '.join(missing)}")
