"""`dpd rules`: the catalogue, and one rule explained with an example before and after."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

import click

from hyperpod_dpd.cli.examples import examples
from hyperpod_dpd.rules.rule import LoadedRule


@click.command(
    "rules",
    epilog=examples("dpd rules", "dpd rules DPD401", "dpd rules hash-seed", "dpd rules --format json"),
)
@click.argument("wanted", required=False, metavar="[ID|NAME]")
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("-q", "--quiet", is_flag=True, help="Ids and titles, without topics and counts.")
def command(wanted: str | None, style: str, quiet: bool) -> None:
    """List every rule by topic, with the date of the facts behind them, or explain one.

    One is meant by its id (DPD401), its number (401) or its name (hash-seed); a part of a name lists what has it.
    """
    from hyperpod_dpd.catalog import catalog_date
    from hyperpod_dpd.rules import registry

    chosen = registry.rules() if wanted is None else registry.named(wanted)
    if wanted is not None and not chosen:
        raise click.BadParameter(
            f"no rule '{wanted}'{_near(wanted)}; `dpd rules` lists them", param_hint="ID"
        )
    if wanted is not None and len(chosen) == 1:
        click.echo(json.dumps(record(chosen[0]), indent=2) if style == "json" else explanation(chosen[0]))
        return
    if style == "json":
        rules = [record(loaded) for loaded in chosen]
        click.echo(json.dumps({"date": catalog_date(), "rules": rules}, indent=2))
        return
    for line in listing(chosen, quiet=quiet):
        click.echo(line)
    if not quiet:
        click.echo(f"\n{len(chosen)} rules; facts of {catalog_date()}; `dpd rules ID` explains one")


def _near(wanted: str) -> str:
    """The rule whose name or id was probably meant."""
    from difflib import get_close_matches

    from hyperpod_dpd.rules import registry

    known = {key: loaded for loaded in registry.rules() for key in (loaded.rule.name, loaded.rule.id.lower())}
    close = get_close_matches(wanted.lower(), known, n=1)
    return f"; did you mean {known[close[0]].rule.id} {known[close[0]].rule.name}?" if close else ""


def listing(rules: Sequence[LoadedRule], *, quiet: bool) -> Iterator[str]:
    """One line a rule, in aligned columns, below the title of its topic."""
    from hyperpod_dpd.cli.tables import aligned
    from hyperpod_dpd.rules.topics import topic_of

    rows = [(r.rule.id, r.rule.severity.value, "" if r.waivable else "!", r.rule.title) for r in rules]
    topic = ""
    for loaded, line in zip(rules, aligned(rows), strict=True):
        if not quiet and topic_of(loaded.rule.id) != topic:
            before = "\n" if topic else "Severity; '!' cannot be acknowledged\n\n"
            topic = topic_of(loaded.rule.id)
            yield f"{before}{topic}"
        yield line if quiet else f"  {line}"


def record(loaded: LoadedRule) -> dict[str, Any]:
    """One rule as the stable record of ``--format json``."""
    from hyperpod_dpd.rules.topics import topic_of

    rule = loaded.rule
    return {
        "id": rule.id,
        "name": rule.name,
        "topic": topic_of(rule.id),
        "severity": rule.severity.value,
        "title": rule.title,
        "what": rule.what,
        "why": rule.why,
        "when_fine": rule.fine,
        "fix": rule.fix,
        "sources": list(rule.sources),
        "applies_to": rule.applies_to.value,
        "waivable": loaded.waivable,
        "tags": list(rule.tags),
        "example": {"of": rule.example.of, "before": rule.example.before, "after": rule.example.after}
        if rule.example
        else None,
    }


def explanation(loaded: LoadedRule) -> str:
    """One rule as text: what, why, when it is fine, how to mend it, before and after."""
    from hyperpod_dpd.rules.page import explained, waiver

    rule = loaded.rule
    parts = [
        f"{rule.id} {rule.name} ({rule.severity.value}, {waiver(loaded)})",
        rule.title,
        *(f"{title}\n{'-' * len(title)}\n{textwrap.fill(text, 110)}" for title, text in explained(loaded)),
        f"Fix\n---\n{rule.fix}",
    ]
    if rule.example:
        parts.append(f"Before ({rule.example.of})\n------\n{rule.example.before}")
        parts.append(f"After\n-----\n{rule.example.after}")
    parts.append("Sources\n-------\n" + "\n".join(rule.sources))
    return "\n\n".join(parts)
