"""The table of changes: every fact of a lock has a row, causes stand before what follows from them."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest

from hyperpod_dpd.blueprint.changes import TABLE, Effect, compared, consequences
from hyperpod_dpd.blueprint.resolve import resolve
from hyperpod_dpd.config import load_environment
from tests.support.documents import ENVIRONMENTS

PATHS = sorted(ENVIRONMENTS.glob("*.yaml"))


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_every_fact_has_a_row(path) -> None:
    for fact in compared(resolve(load_environment(path))):
        assert any(fnmatchcase(fact, row.fact) for row in TABLE), fact


def test_every_row_says_what_it_does_and_who_says_so() -> None:
    assert len({row.fact for row in TABLE}) == len(TABLE)
    for row in TABLE:
        assert row.consequence and row.way and row.source and row.place, row.fact


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_each_fact_alone_gives_its_own_consequence(path) -> None:
    known = compared(resolve(load_environment(path)))
    for fact in known:
        other = {**known, fact: "9.9" if fact.endswith(("version", "release")) else "another"}
        if fact == "operator release":
            other[fact] = "1.0"
        (found,) = consequences(known, other)
        assert found.fact == fact and found.effect is not Effect.IN_PLACE and "*" not in found.place


def test_what_follows_is_told_with_its_cause() -> None:
    before = {"vpc": "a", "subnet x": "b", "security group": "c", "bucket models": "d"}
    after = {"vpc": "A", "subnet x": "B", "security group": "C", "bucket models": "D"}
    first, second = consequences(before, after)
    assert (first.fact, first.with_it) == ("vpc", ("subnet x", "security group"))
    assert second.fact == "bucket models"
