"""The collected conditions and what judges each: a rule that covers it, or a written decision against one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from hyperpod_dpd.rules import registry

ROOT = Path(__file__).resolve().parent.parent
IDS = ROOT / "tests" / "rules" / "source_ids.yaml"
ALIASES = ROOT / "tests" / "rules" / "source_aliases.yaml"
DECISIONS = ROOT / "docs" / "decisions" / "rules-not-made.md"

_ROW = re.compile(r"^\|([^|]+)\|(.+)\|\s*$")
_ID = re.compile(r"[A-Z][A-Za-z0-9.]*(?:-[A-Za-z0-9.]+)*")


@dataclass(frozen=True, slots=True)
class Condition:
    """One entry of the list; ``demanded`` ones need a rule or a decision."""

    id: str
    text: str
    group: str
    demanded: bool


@cache
def conditions() -> Mapping[str, Condition]:
    """All conditions in the order of the list. Raises ValueError for an id that stands twice."""
    found: dict[str, Condition] = {}
    for group in _yaml(IDS):
        for key, demanded in (("ids", True), ("open", False)):
            for name, text in group.get(key, {}).items():
                if name in found:
                    raise ValueError(f"{name} stands twice in {IDS.name}")
                found[name] = Condition(name, text, group["from"], demanded)
    return found


@cache
def aliases() -> Mapping[str, tuple[str, ...]]:
    """Condition to those that it restates, or to the rules that judge it without naming it."""
    return {name: tuple(others) for name, others in _yaml(ALIASES).items()}


@cache
def covered() -> Mapping[str, tuple[str, ...]]:
    """Condition to the ids of the rules that name it."""
    found: dict[str, list[str]] = {}
    for loaded in registry.rules():
        for name in loaded.rule.covers:
            found.setdefault(name, []).append(loaded.rule.id)
    return {name: tuple(rules) for name, rules in found.items()}


@cache
def decided() -> Mapping[str, str]:
    """Condition to the reason why no rule judges it (of several tables the last one counts)."""
    if not DECISIONS.exists():
        return {}
    return {name: reason for names, reason in _rows(DECISIONS.read_text("utf-8")) for name in names}


def rules_for(name: str, *, above: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Ids of the rules that judge a condition, by itself or by what it restates, sorted by number."""
    if name in above:
        return ()
    if registry.find(name):
        return (name,)
    found = set(covered().get(name, ()))
    for other in aliases().get(name, ()):
        found.update(rules_for(other, above=(*above, name)))
    return tuple(sorted(found, key=lambda rule: int(rule[3:])))


def missing(name: str) -> tuple[str, ...]:
    """What is neither ruled nor decided of a condition: itself, or the part of what it restates."""
    if name in covered() or name in decided() or registry.find(name):
        return ()
    if name not in aliases():
        return (name,)
    return tuple(dict.fromkeys(lacking for other in aliases()[name] for lacking in missing(other)))


def _rows(text: str) -> Iterator[tuple[list[str], str]]:
    for line in text.splitlines():
        row = _ROW.match(line)
        names = _ID.findall(row[1]) if row else []
        if row and any(any(c.isdigit() or c == "-" for c in name) for name in names):
            yield names, row[2].strip()


def _yaml(path: Path) -> Any:
    return yaml.safe_load(path.read_text("utf-8"))
