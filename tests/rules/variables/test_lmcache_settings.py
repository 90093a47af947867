"""Rules on LMCache's variables by allow-list: what empties the transfer, stops the cache, or is not known."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperpod_dpd.catalog import lmcache_settings
from tests.support.hits import hits, variable

RULES = ("DPD427", "DPD428", "DPD429")

EMPTIES = [
    ("FORCE_SKIP_SAVE", "false"),
    ("MIN_RETRIEVE_TOKENS", "1"),
    ("HIT_MISS_RATIO", "0.3"),
    ("TRANSFER_CHANNEL", "mock_memory"),
    ("RETRIEVE_LOCATIONS", "LocalCPUBackend"),
    ("STORE_LOCATION", "LocalCPUBackend"),
    ("ENABLE_ASYNC_LOADING", "'1'"),
    ("EXTERNAL_LOOKUP_CLIENT", ""),
    ("REMOTE_CONFIG_URL", "http://config.example.com"),
    ("LOOKUP_TIMEOUT_MS", "0"),
    ("PRIORITY_LIMIT", "-1"),
]
STOPS = [
    ("TRANSFER_CHANNEL", "NIXL"),
    ("STORE_LOCATION", "PDBackend"),
    ("ENABLE_BLENDING", "true"),
    ("ENABLE_SCHEDULER_BYPASS_LOOKUP", "True"),
    ("EXTRA_CONFIG", '{"enable_nixl_storage": true}'),
    ("EXTRA_CONFIG", "[1]"),
    ("CACHE_POLICY", "ARC"),
    ("NUMA_MODE", ""),
    ("MAX_LOCAL_CPU_SIZE", "5GiB"),
    ("MIN_RETRIEVE_TOKENS", "-5"),
    ("MIN_RETRIEVE_TOKENS", "many"),
]
UNCONFIRMED = [
    ("CHUNKSIZE", "256"),
    ("RETRIEVE_LOCATIONS", '["PDBackend"]'),
    ("EXTRA_CONFIG", '{"lmcache_rpc_port": 7000}'),
    ("EXTRA_CONFIG", "{not json"),
    ("LOCAL_DISK", "file:///tmp/cache/"),
    ("ENABLE_CONTROLLER", "true"),
    ("BLOCKING_TIMEOUT_SECS", "ten"),
    ("PRIORITY_LIMIT", "0"),
]
HARMLESS = [
    ("MIN_RETRIEVE_TOKENS", " 0 "),
    ("HIT_MISS_RATIO", "0"),
    ("HIT_MISS_RATIO", "7"),  # LMCache takes shares only, and ignores others
    ("FORCE_SKIP_SAVE", ""),
    ("ENABLE_ASYNC_LOADING", "yes"),  # read as off
    ("TRANSFER_CHANNEL", "'nixl'"),
    ("CACHE_POLICY", "lfu"),
    ("EXTRA_CONFIG", "{}"),
    ("LOG_LEVEL", "DEBUG"),
    ("TRACK_USAGE", "false"),
    ("ENABLE_BLENDING", "$BLEND"),  # a placeholder has a rule of its own
    ("BLEND_THRESHOLDS", "0.1, 0.2"),
]


def _fired(name: str, value: str, tmp_path: Path) -> list[tuple[str, str]]:
    return [
        (rule, found.severity)
        for rule in RULES
        for found in hits(rule, variable(f"LMCACHE_{name}", value), tmp_path)
    ]


@pytest.mark.parametrize(("name", "value"), EMPTIES)
def test_empties(name: str, value: str, tmp_path: Path) -> None:
    assert _fired(name, value, tmp_path) == [("DPD427", "error")]


@pytest.mark.parametrize(("name", "value"), STOPS)
def test_stops(name: str, value: str, tmp_path: Path) -> None:
    assert _fired(name, value, tmp_path) == [("DPD428", "error")]


@pytest.mark.parametrize(("name", "value"), UNCONFIRMED)
def test_unconfirmed(name: str, value: str, tmp_path: Path) -> None:
    assert _fired(name, value, tmp_path) == [("DPD429", "warning")]


@pytest.mark.parametrize(("name", "value"), HARMLESS)
def test_harmless(name: str, value: str, tmp_path: Path) -> None:
    assert not _fired(name, value, tmp_path)


def test_value_from_a_secret_is_not_judged_but_said(tmp_path: Path) -> None:
    for name, rule in (("MIN_RETRIEVE_TOKENS", "DPD429"), ("EXTERNAL_LOOKUP_CLIENT", "DPD427")):
        entry = f"{{name: LMCACHE_{name}, valueFrom: {{secretKeyRef: {{name: cache, key: k}}}}}}"
        fragment = f"spec: {{worker: {{environmentVariables: [{entry}]}}}}"
        assert [found.id for other in RULES for found in hits(other, fragment, tmp_path)] == [rule]


def test_another_release_gives_warnings(tmp_path: Path) -> None:
    entry = "{name: LMCACHE_MIN_RETRIEVE_TOKENS, value: '512'}"
    image = "lmcache/vllm-openai:v0.4.9"
    fragment = f"spec: {{worker: {{image: '{image}', environmentVariables: [{entry}]}}}}"
    (found,) = hits("DPD427", fragment, tmp_path)
    assert (found.severity, "0.4.9" in found.message) == ("warning", True)


def test_every_case_of_the_catalogue_has_a_reason() -> None:
    for release in lmcache_settings.releases():
        for setting in release.settings.values():
            assert not (setting.by and setting.cases), setting.name
            assert all(case.because and case.does for case in setting.cases), setting.name
