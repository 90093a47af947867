"""Every condition that was collected is a rule or a written decision; no rule claims one that does not exist."""

from __future__ import annotations

import pytest

from hyperpod_dpd.rules.rule import ID_PATTERN
from tools import conditions

KNOWN = conditions.conditions()
GROUPS = sorted({entry.group for entry in KNOWN.values()})


@pytest.mark.parametrize("group", GROUPS)
def test_every_condition_is_ruled_or_decided(group: str) -> None:
    lines = []
    for entry in KNOWN.values():
        lacking = conditions.missing(entry.id) if entry.group == group and entry.demanded else ()
        if lacking:
            what = "" if lacking == (entry.id,) else f" (restates {', '.join(lacking)})"
            lines.append(f"{entry.id}: {entry.text}{what}")
    if lines:
        count = f"{len(lines)} without a rule that covers them or a row in docs/decisions/rules-not-made.md:"
        pytest.fail("\n".join([count, *lines]), pytrace=False)


def test_no_rule_covers_what_nobody_stated() -> None:
    unknown = {name: rules for name, rules in conditions.covered().items() if name not in KNOWN}
    assert unknown == {}


def test_no_decision_is_about_what_nobody_stated() -> None:
    assert [name for name in conditions.decided() if name not in KNOWN] == []


def test_every_decision_gives_a_reason() -> None:
    assert [name for name, reason in conditions.decided().items() if len(reason) < 20] == []


def test_aliases_are_about_known_conditions_and_end_somewhere() -> None:
    for name, others in conditions.aliases().items():
        assert name in KNOWN, name
        assert others, name
        assert [o for o in others if o not in KNOWN and not ID_PATTERN.match(o)] == [], name
        seen, pending = set(), list(others)
        while pending:
            other = pending.pop()
            assert other != name, f"{name} restates itself"
            if other not in seen:
                seen.add(other)
                pending += conditions.aliases().get(other, ())
