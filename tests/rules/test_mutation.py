"""Single faults in the example environments' rendered endpoints are caught; other spellings of them raise no error.

`make mutation` tries all and prints the table; the usual run tries some of each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from hyperpod_dpd.catalog.versions import OperatorRelease
from hyperpod_dpd.rules import registry
from hyperpod_dpd.rules.check import Options, check
from hyperpod_dpd.rules.finding import Report
from hyperpod_dpd.rules.rule import Severity
from hyperpod_dpd.view.inputs import gather
from tests.support.documents import check_value, manifest, spoiled
from tests.support.variations import WRITERS, variation

TABLE = Path(__file__).with_name("spoilings.yaml")
ENVIRONMENTS = ("dev", "prod", "staging")
VARIATIONS = 300
LEAST_SPOILINGS = 150


@dataclass(frozen=True, slots=True)
class Spoiling:
    """One fault in one environment's endpoint, and the rules of which one must say so."""

    environment: str
    fragment: str
    expected: str
    release: str | None = None

    @property
    def rules(self) -> set[str]:
        if self.expected.startswith("DPD"):
            return {self.expected}
        return {each.rule.id for each in registry.rules() if self.expected in each.rule.covers}

    def findings(self, folder: Path) -> set[Said]:
        """What is said of the endpoint with the fault in it."""
        return said(check_value(spoiled(self.fragment, name=self.environment), folder, options=self.options))

    @property
    def options(self) -> Options | None:
        return Options(operator=OperatorRelease.parse(self.release)) if self.release else None

    def caught(self, folder: Path) -> bool:
        """Whether an expected rule says something that it does not say of the healthy endpoint."""
        new = self.findings(folder) - healthy(self.environment, self.release, folder)
        return bool({rule for rule, *_ in new} & self.rules)


Said = tuple[str, str, str, str]


def said(report: Report) -> set[Said]:
    """Rule, severity, place and message of every finding; a rule that crashes catches nothing."""
    assert not [each.message for each in report.findings if each.id == "DPD001"]
    return {(each.id, each.severity.value, each.path, each.message) for each in report.findings}


_HEALTHY: dict[tuple[str, str | None], set[Said]] = {}


def healthy(environment: str, release: str | None, folder: Path) -> set[Said]:
    key = (environment, release)
    if key not in _HEALTHY:
        options = Options(operator=OperatorRelease.parse(release)) if release else None
        _HEALTHY[key] = said(check_value(manifest(environment), folder, options=options))
    return _HEALTHY[key]


@cache
def spoilings() -> tuple[Spoiling, ...]:
    """Every rule's own example and every entry of the table, on each environment that it fits."""
    return (*_of_rules(), *_of_table())


def table() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(TABLE.read_text(encoding="utf-8"))
    return found


def _of_rules() -> Iterator[Spoiling]:
    unless = table()["unless"]
    for loaded in registry.rules():
        example = loaded.rule.example
        if example is None or example.of != "manifest":
            continue
        release = "3.4" if "operator" in loaded.rule.tags else None
        for environment in ENVIRONMENTS:
            if environment not in unless.get(loaded.rule.id, {}):
                yield Spoiling(environment, example.before, loaded.rule.id, release)


def _of_table() -> Iterator[Spoiling]:
    for entry in table()["spoilings"]:
        for environment in entry.get("on", ENVIRONMENTS):
            yield Spoiling(environment, entry["fragment"], entry["expect"])


def test_the_table_names_rules_and_conditions_that_exist() -> None:
    assert not [each.expected for each in spoilings() if not each.rules]
    assert not [rule for rule in table()["unless"] if registry.find(rule) is None]
    for environment in ENVIRONMENTS:
        fragments = {
            (each.fragment, each.expected) for each in spoilings() if each.environment == environment
        }
        assert len(fragments) >= LEAST_SPOILINGS, environment


def test_some_faults_are_caught(tmp_path: Path) -> None:
    some = [each for each in spoilings() if each.environment == "dev"][::7]
    assert not [(each.expected, each.fragment) for each in some if not each.caught(tmp_path)]


def errors_of(environment: str, seed: int, folder: Path) -> tuple[str, list[str]]:
    """What was varied, and errors that the healthy endpoint, written in another way, would give."""
    text, what = variation(manifest(environment), seed)
    file = folder / "varied.yaml"
    file.write_bytes(text.encode("utf-8"))
    inputs = gather([str(file)])
    report = check(inputs)
    found = [
        f"{each.id} {each.path}: {each.message}"
        for each in report.findings
        if each.severity is Severity.ERROR
    ]
    if not any(item.value.get("kind") == "InferenceEndpointConfig" for item in inputs.objects):
        found.append("the endpoint was not recognised")
    return what, [*inputs.unreadable, *found]


def variations() -> list[tuple[str, int]]:
    return [(ENVIRONMENTS[seed % len(ENVIRONMENTS)], seed) for seed in range(VARIATIONS)]


def test_some_variations_raise_no_error(tmp_path: Path) -> None:
    faulty = {}
    for environment, seed in variations()[::10]:
        what, errors = errors_of(environment, seed, tmp_path)
        if errors:
            faulty[f"{environment} {seed}: {what}"] = errors
    assert faulty == {}


def test_a_fault_survives_every_way_of_writing(tmp_path: Path) -> None:
    """The variations are no hiding place: the same fault is found in each of them."""
    import random

    value = spoiled("spec: {pdSpec: {decodingSpec: {replicas: 2}}}")
    for name, write in WRITERS.items():
        file = tmp_path / "varied.yaml"
        file.write_bytes(write(value, random.Random(1)).encode("utf-8"))
        assert "DPD702" in {rule for rule, *_ in said(check(gather([str(file)])))}, name


@pytest.mark.mutation
def test_every_fault_is_caught(tmp_path: Path) -> None:
    rows: list[tuple[str, str, str, bool]] = [
        (each.expected, each.environment, " ".join(each.fragment.split()), each.caught(tmp_path))
        for each in spoilings()
    ]
    print()
    for expected, environment, fragment, caught in rows:
        print(f"{'caught' if caught else 'MISSED'}  {expected:8} {environment:8} {fragment[:110]}")
    missed = [row for row in rows if not row[3]]
    print(
        f"{len(rows)} faults ({len(rows) - len(missed)} caught, {len(missed)} missed) by {_breadth()} rules"
    )
    assert not missed


def _breadth() -> int:
    return len({rule for each in spoilings() for rule in each.rules})


@pytest.mark.mutation
def test_no_variation_raises_an_error(tmp_path: Path) -> None:
    kinds: Counter[str] = Counter()
    faulty = {}
    for environment, seed in variations():
        what, errors = errors_of(environment, seed, tmp_path)
        kinds.update(what.split(" + "))
        if errors:
            faulty[f"{environment} {seed}: {what}"] = errors
    print()
    for kind, count in sorted(kinds.items()):
        print(f"{count:5}  {kind}")
    print(f"{VARIATIONS} variations, {len(faulty)} with an error")
    assert faulty == {}
