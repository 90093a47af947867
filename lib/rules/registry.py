"""The rules of the catalogue, loaded when first asked for, and found by id."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from lib.rules.catalogue import RULES
from lib.rules.rule import LoadedRule, load


@cache
def rules() -> tuple[LoadedRule, ...]:
    """Every rule, sorted by number. Imports each rule's module on the first call."""
    found = [
        load(import_module(f"lib.rules.{topic}.{module}"))
        for topic, modules in RULES.items()
        for module in modules
    ]
    return tuple(sorted(found, key=lambda r: int(r.rule.id[3:])))


@cache
def _by_id() -> dict[str, LoadedRule]:
    return {loaded.rule.id: loaded for loaded in rules()}


def find(rule_id: str) -> LoadedRule | None:
    """The rule of that id, or None."""
    return _by_id().get(rule_id)


def get(rule_id: str) -> LoadedRule:
    """Raises KeyError for an id that is not in the catalogue."""
    return _by_id()[rule_id]
