"""The catalogue of series against recorded /metrics texts: a name in source code is not a series."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from hyperpod_dpd.catalog import metrics
from hyperpod_dpd.observability.rules import EndpointRules
from tests.support.promql import references

SAMPLES = Path(__file__).parent / "samples"
MODES = ("colocated", "lmcache-prefill", "lmcache-decode", "nixl-prefill", "nixl-decode")
_SAMPLE = re.compile(r"([\w:]+)(?:\{(.*)\})? \S+")
_LABEL = re.compile(r'(\w+)="')
_PROCESSES = [series for series in metrics.all() if series.component in {"vllm", "lmcache"}]


@cache
def _lines(mode: str) -> tuple[str, ...]:
    return tuple((SAMPLES / f"{mode}.txt").read_text(encoding="utf-8").splitlines())


@cache
def seen(mode: str) -> Mapping[str, frozenset[str]]:
    """Labels of each name that has a sample."""
    found: dict[str, frozenset[str]] = {}
    for line in _lines(mode):
        if sample := _SAMPLE.fullmatch(line):
            labels = frozenset(_LABEL.findall(sample[2] or ""))
            found[sample[1]] = found.get(sample[1], labels) & labels
    return found


@pytest.mark.parametrize("series", _PROCESSES, ids=lambda series: series.name)
def test_a_series_is_seen_where_the_catalogue_says(series: metrics.Series) -> None:
    expected = set(metrics.modes(series)) if metrics.evidence(series) == "sampled" else set()
    for name in series.exposed:
        assert {mode for mode in MODES if name in seen(mode)} == expected
        for mode in expected:
            missing = metrics.own_labels(series) - seen(mode)[name]
            assert not missing, f"{name} in {mode}"


@pytest.mark.parametrize("mode", ["lmcache-prefill", "lmcache-decode"])
def test_announced_series_without_a_sample(mode: str) -> None:
    """HELP and TYPE are written for gauges with a callback, and no sample ever."""
    announced = {line.split()[2] for line in _lines(mode) if line.startswith("# TYPE lmcache:")}
    sampled = {name.removesuffix(end) for name in seen(mode) for end in ("", "_total", "_count", "_sum")}
    assert len(announced - sampled - {name + "_total" for name in announced}) >= 39
    assert "lmcache:lmcache_is_healthy" in announced - sampled


@pytest.mark.parametrize("mode", MODES)
def test_bucket_bounds_are_those_of_the_catalogue(mode: str) -> None:
    for series in _PROCESSES:
        if series.kind != "histogram" or mode not in metrics.modes(series):
            continue
        text = "\n".join(_lines(mode))
        found = re.findall(rf'^{re.escape(series.name)}_bucket\{{.*?le="([^"]+)"', text, re.MULTILINE)
        bounds = sorted({float(bound) for bound in found if bound != "+Inf"})
        expected = metrics.bounds(series.name, longest_tokens=int(max(bounds)))
        assert bounds == pytest.approx(list(expected)), series.name


def test_what_landed_is_told_by_source() -> None:
    """Three sources from the start, also before anything landed."""
    for mode in MODES:
        found = [line for line in _lines(mode) if line.startswith("vllm:prompt_tokens_by_source_total")]
        assert {re.search(r'source="(\w+)"', line)[1] for line in found} == {  # type: ignore[index]
            "local_compute",
            "local_cache_hit",
            "external_kv_transfer",
        }


def test_no_query_rests_on_a_name_of_source_code(rules: tuple[EndpointRules, ...]) -> None:
    unseen = {
        name for series in metrics.all() if metrics.evidence(series) == "source" for name in series.exposed
    }
    assert unseen
    for each in rules:
        for group in each.groups:
            expressions = [item.expr for item in group.recordings] + [item.expr for item in group.alerts]
            for expression in expressions:
                assert not unseen & {name for name, _ in references(expression)}, expression


def test_every_component_says_how_it_is_known() -> None:
    """What was not recorded here is kept and marked."""
    known = {name: part.evidence for name, part in metrics.components().items()}
    assert {name for name, evidence in known.items() if evidence == "sampled"} == {
        "vllm",
        "lmcache",
        "log-exporter",
        "canary",
    }
    assert {name for name, part in metrics.components().items() if part.modes} == {
        "vllm",
        "lmcache",
        "log-exporter",
        "canary",
    }
