"""The rules of the catalogue, loaded when first asked for, and found by id."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module

from hyperpod_dpd.rules.catalogue import OF_ONE_KIND, RULES
from hyperpod_dpd.rules.rule import AppliesTo, LoadedRule, load


@cache
def rules() -> tuple[LoadedRule, ...]:
    """Every rule, sorted by number. Imports each rule's module on the first call."""
    return _sorted(loaded for topic in RULES for loaded in _topic(topic))


@cache
def rules_for(kinds: tuple[AppliesTo, ...]) -> tuple[LoadedRule, ...]:
    """Rules that judge views of these kinds, sorted by number; folders of other kinds are not imported."""
    topics = [topic for topic in RULES if OF_ONE_KIND.get(topic) in (None, *kinds)]
    if kinds and set(kinds) <= set(OF_ONE_KIND.values()):
        topics = [topic for topic in topics if topic in OF_ONE_KIND]
    return _sorted(r for topic in topics for r in _topic(topic) if r.rule.applies_to in kinds)


@cache
def _topic(topic: str) -> tuple[LoadedRule, ...]:
    return tuple(load(import_module(f"hyperpod_dpd.rules.{topic}.{module}")) for module in RULES[topic])


def _sorted(found: Iterable[LoadedRule]) -> tuple[LoadedRule, ...]:
    return tuple(sorted(found, key=lambda r: int(r.rule.id[3:])))


@cache
def _topic_of() -> dict[str, str]:
    """Rule id to its folder, from the module names alone."""
    return {
        "DPD" + module.partition("_")[0].removeprefix("dpd"): topic
        for topic, modules in RULES.items()
        for module in modules
    }


@cache
def find(rule_id: str) -> LoadedRule | None:
    """The rule of that id, or None."""
    topic = _topic_of().get(rule_id)
    if topic is None:
        return None
    return next((loaded for loaded in _topic(topic) if loaded.rule.id == rule_id), None)


def meant(text: str) -> str | None:
    """The id of the rule that somebody calls by its name, or by its number alone; None where neither fits."""
    spelled = text.strip().lower().replace("_", "-")
    number = spelled.removeprefix("dpd").strip("-")
    for loaded in rules():
        if spelled == loaded.rule.name or f"DPD{number.zfill(3)}" == loaded.rule.id:
            return loaded.rule.id
    return None


def named(text: str) -> tuple[LoadedRule, ...]:
    """The rules that a person asks for: the one that is meant, else all that have ``text`` in their name."""
    rule_id = meant(text)
    if rule_id is not None:
        return (get(rule_id),)
    words = "-".join(text.strip().lower().replace("_", " ").split())
    return tuple(loaded for loaded in rules() if words and words in loaded.rule.name)


def get(rule_id: str) -> LoadedRule:
    """Raises KeyError for an id that is not in the catalogue."""
    found = find(rule_id)
    if found is None:
        raise KeyError(rule_id)
    return found
