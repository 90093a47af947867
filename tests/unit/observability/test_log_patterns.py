"""Filter patterns: what CloudWatch Logs would refuse, and what they match on real lines."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from hyperpod_dpd.blueprint.model import Blueprint
from hyperpod_dpd.observability.log_matching import extract, group_faults, matches_record, pattern_faults
from hyperpod_dpd.observability.log_patterns import GROK, NUMBERS, at_least, contains, matches, metric_filters
from tests.support.observed import blueprint_of

LINES = Path(__file__).with_name("lines")


def test_patterns_keep_to_the_limits(blueprint: Blueprint) -> None:
    filters = metric_filters(blueprint)
    assert filters
    for each in filters:
        assert not list(pattern_faults(each.pattern)), each.name
    assert not list(group_faults([each.pattern for each in filters]))
    assert len({each.name for each in filters}) == len(filters)


@pytest.mark.parametrize(
    ("pattern", "part"),
    [
        (matches(r"a(b|c)"), "parentheses"),
        (matches("hit tokens"), "not allowed"),
        (matches("tokens:"), "not allowed"),
        ("{ $.log = %a% || $.log = %b% || $.log = %c% }", "3 regular expressions"),
        ("{ $.log = %a }", "not closed"),
        (matches("[a"), "no regular expression"),
        ("{ $.log = %% }", "empty"),
        (matches(r"a\b"), "not allowed"),
        (matches("(?i)a"), "parentheses"),
        (matches("é"), "not allowed"),
        ("{ }", "no comparison"),
        ("[first, second]", "no JSON pattern"),
        ("ERROR", "no JSON pattern"),
        ("{ log = 1 }", "no comparison"),
        (contains("a*b"), "in the middle"),
        (contains("a" * 1100), "longer than"),
    ],
)
def test_what_would_be_refused(pattern: str, part: str) -> None:
    assert any(part in fault for fault in pattern_faults(pattern)), list(pattern_faults(pattern))


def test_six_regular_expressions_are_one_too_many() -> None:
    assert not list(group_faults([matches("a")] * 5 + [contains("b")] * 90))
    assert "6 filters" in next(group_faults([matches("a")] * 6))
    assert "101 filters" in next(group_faults([contains("b")] * 101))


@pytest.mark.parametrize("number", [1, 9, 10, 99, 100, 1999, 2048, 4096, 8190, 9999, 12345])
def test_at_least_is_exact(number: int) -> None:
    whole = re.compile("|".join(f"(?:{part})" for part in at_least(number)))
    for value in [*range(1, 600), *range(max(1, number - 120), number + 120), 99_999, 100_000, 1_234_567]:
        assert bool(whole.fullmatch(str(value))) == (value >= number), value


def counted(line: str, container: str = "decode-llama-70b") -> set[str]:
    found = {
        each.name
        for each in metric_filters(blueprint_of("dev"))
        if not each.transformed
        and matches_record(each.pattern, {"log": line, "kubernetes": {"container_name": container}})
    }
    assert {"LinesRead", "ContainersNamed"} <= found
    return found - {"LinesRead", "ContainersNamed"}


def test_a_prefiller_misses_every_new_prompt_and_that_is_its_work() -> None:
    line = "Reqid: a, Total tokens 6000, Inference Engine computed tokens: 0, LMCache hit tokens: 0, need to load: 0"
    assert counted(line, "prefill-llama-70b") == set()
    assert counted(line) == {"LookupMisses"}


def test_another_field_is_one_word_in_the_document() -> None:
    base = blueprint_of("dev")
    assert base.observability is not None
    other = replace(base, observability=replace(base.observability, pod_log_field="message"))
    for each in metric_filters(other):
        if not each.transformed:
            assert not list(pattern_faults(each.pattern)) and (
                "$.message" in each.pattern or each.name == "ContainersNamed"
            )
            assert not matches_record(each.pattern, {"log": "disaggregate=True PYTHONHASHSEED not set"})


@pytest.mark.parametrize(
    ("line", "names"),
    [
        (
            "Reqid: a, Total tokens 4096, Inference Engine computed tokens: 0, LMCache hit tokens: 0, need",
            {"LookupMisses"},
        ),
        (
            "Reqid: a, Total tokens 6000, Inference Engine computed tokens: 512, LMCache hit tokens: 0, need",
            {"LookupMisses"},
        ),
        (
            "Reqid: a, Total tokens 6000, Inference Engine computed tokens: 5888, LMCache hit tokens: 0, need",
            set(),
        ),
        ("Reqid: a, Total tokens 11095, LMCache hit tokens: 0, need to load: 0", {"LookupMisses"}),
        ("Retrieved 0 out of 0 required tokens (from 4096 total tokens).", set()),
        ("Retrieved 10 out of 2048 required tokens (from 4096 total tokens).", set()),
        ("Failed to allocate memory for tensor because no free blocks is available", set()),
        ("LMCache: PYTHONHASHSEED is not set", {"HashSeedMissing"}),
        ("PYTHONHASHSEED is set to 123", set()),
        ("LMCache is unhealthy", {"Degraded"}),
        (
            "Reqid: a, Total tokens 4095, Inference Engine computed tokens: 0, LMCache hit tokens: 0, need",
            set(),
        ),
        (
            "Reqid: a, Total tokens 14096, Inference Engine computed tokens: 0, LMCache hit tokens: 512, need",
            set(),
        ),
        ("Retrieved 0 out of 0 required tokens", set()),
        ("Retrieved 0 out of 2048 required tokens (from 4096 total tokens)", {"RetrievedNothing"}),
        ("Retrieved 2048 out of 2048 required tokens", set()),
        ("P/D Disaggregation detected but PYTHONHASHSEED not set. For consistent", {"HashSeedMissing"}),
        ("System will operate in degraded mode (recompute).", {"Degraded"}),
        ("Conditional routing: estimated_tokens=1, threshold=2, disaggregate=False", {"RoutedLocal"}),
        ("GET /health 200", set()),
    ],
)
def test_own_lines(line: str, names: set[str]) -> None:
    assert counted(line) == names


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("router-long", {"RoutedDisaggregated": 1}),
        ("router-short", {"RoutedLocal": 1}),
        ("retrieved-all", {}),
        ("retrieved-all-on-two-lines", {}),
        ("retrieved-nothing", {"RetrievedNothing": 1}),
        ("allocation-retry", {"AllocationRetries": 1}),
        ("allocation-retries-of-an-older-release", {"AllocationRetries": 3}),
        ("storing", {}),
        ("offload", {}),
    ],
)
def test_lines_of_a_log(file: str, expected: dict[str, int]) -> None:
    found: dict[str, int] = {}
    for line in (LINES / f"{file}.txt").read_text(encoding="utf-8").splitlines():
        for name in counted(line):
            found[name] = found.get(name, 0) + 1
    assert found == expected


def test_the_transformer_takes_a_stored_line_apart() -> None:
    line = (
        "[t] LMCache INFO: [req_id=a] Stored 6035 out of total 6035 tokens. size: 0.2344 GB, cost 400.0000 ms, "
        "throughput: 0.5860 GB/s; offload_time: 1.0000 ms, put_time: 390.0000 ms (cache_engine.py:552:lmcache)"
    )
    fields = extract(GROK, line)
    assert fields is not None
    assert {name: float(fields[name]) for name in NUMBERS} == {"size_gib": 0.2344, "put_milliseconds": 390.0}
    assert extract(GROK, "Retrieved 6035 out of 6035 required tokens. size: 0.2344 gb, cost 1.3 ms") is None
    record = {"put_milliseconds": 390.0}
    (put,) = (f for f in metric_filters(blueprint_of("dev")) if f.name == "PutMilliseconds")
    assert put.transformed and put.value == "$.put_milliseconds"
    assert matches_record(put.pattern, record) and not matches_record(put.pattern, {"put_milliseconds": 0.0})


def test_the_transformer_on_a_line_of_a_log() -> None:
    stored, retrieved = (LINES / "offload.txt").read_text(encoding="utf-8").splitlines()
    fields = extract(GROK, stored)
    assert fields is not None and fields["put_milliseconds"] == "0.0250"
    assert extract(GROK, retrieved) is None
