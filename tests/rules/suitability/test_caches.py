"""Rules on the KV caches beside the transfer."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperpod_dpd.catalog.versions import OperatorRelease
from hyperpod_dpd.rules.check import Options, check
from hyperpod_dpd.rules.finding import Finding
from hyperpod_dpd.view.inputs import gather
from tests.support.documents import check_value, spoiled

L2 = "spec.kvCacheSpec.l2CacheSpec"


def fired(
    rule: str, fragment: str, folder: Path, *, of: str = "manifest", options: Options | None = None
) -> list[Finding]:
    report = check_value(spoiled(fragment, of=of), folder, options=options)
    assert not [f for f in report.findings if f.id == "DPD001"]
    return [f for f in report.findings if f.id == rule]


def kv(text: str, rest: str = "") -> str:
    return f"spec: {{kvCacheSpec: {{{text}}}{rest}}}"


def test_a_second_level_with_disaggregation_is_refused_and_may_be_acknowledged(tmp_path: Path) -> None:
    fragment = kv("enableL2Cache: true, l2CacheSpec: {l2CacheBackend: tieredstorage}")
    (found,) = fired("DPD820", fragment, tmp_path)
    assert (found.severity.value, found.path) == ("error", "spec.kvCacheSpec.enableL2Cache")
    assert "LMCache 0.4.3" in found.message
    accepted = "metadata: {annotations: {dpd.check/acknowledge: 'DPD820: tried with our image'}}\n"
    (found,) = fired("DPD820", accepted + fragment, tmp_path)
    assert found.acknowledged == "tried with our image"


def test_a_second_level_in_an_environment(tmp_path: Path) -> None:
    fragment = "endpoints: {llama-70b: {cache: {l2: {backend: tieredstorage}}}}"
    (found,) = fired("DPD820", fragment, tmp_path, of="environment")
    assert found.path == "endpoints.llama-70b.cache.l2"


@pytest.mark.parametrize(
    "fragment",
    [
        kv("enableL2Cache: false"),
        kv("enableL1Cache: true"),
        kv("enableL2Cache: true, l2CacheSpec: {l2CacheBackend: tieredstorage}", ", pdSpec: null"),
    ],
)
def test_no_second_level_or_no_disaggregation(fragment: str, tmp_path: Path) -> None:
    assert not fired("DPD820", fragment, tmp_path)


@pytest.mark.parametrize(
    ("spec", "path", "word"),
    [
        ("l2CacheBackend: redis", f"{L2}", "names no server"),
        ("l2CacheBackend: REDIS, l2CacheLocalUrl: ''", f"{L2}.l2CacheLocalUrl", "names no server"),
        (
            "l2CacheBackend: redis/sagemaker, l2CacheLocalUrl: 'redis://r:1'",
            f"{L2}.l2CacheBackend",
            "neither",
        ),
        ("l2CacheBackend: notredis, l2CacheLocalUrl: 'redis://r:1'", f"{L2}.l2CacheBackend", "neither"),
        ("l2CacheBackend: tieredstorage2", f"{L2}.l2CacheBackend", "neither"),
    ],
)
def test_a_backend_that_cannot_work(spec: str, path: str, word: str, tmp_path: Path) -> None:
    fragment = kv(f"enableL2Cache: true, l2CacheSpec: {{{spec}}}", ", pdSpec: null")
    (found,) = fired("DPD821", fragment, tmp_path)
    assert found.path.startswith(path)
    assert word in found.message
    assert found.severity.value == "error"


@pytest.mark.parametrize(
    "spec",
    [
        "l2CacheBackend: redis, l2CacheLocalUrl: 'redis://r:6379'",
        "l2CacheBackend: Redis, l2CacheLocalUrl: 'redis://r:6379'",
        "l2CacheBackend: tieredstorage",
        "l2CacheBackend: memcached",  # refused by the shape, not by this rule
    ],
)
def test_a_backend_that_works_or_that_another_rule_refuses(spec: str, tmp_path: Path) -> None:
    assert not fired("DPD821", kv(f"enableL2Cache: true, l2CacheSpec: {{{spec}}}"), tmp_path)


def test_the_backend_of_an_environment_is_found_at_its_key(tmp_path: Path) -> None:
    fragment = "endpoints: {llama-70b: {cache: {l2: {backend: redis}}}}"
    (found,) = fired("DPD821", fragment, tmp_path, of="environment")
    assert found.path == "endpoints.llama-70b.cache.l2.url"


@pytest.mark.parametrize(
    ("release", "switch", "fires"),
    [
        ("3.2", "enableL1Cache", True),
        ("3.2", "enableL2Cache", True),
        ("3.3", "enableL1Cache", False),
        ("3.4", "enableL2Cache", False),
    ],
)
def test_switches_that_a_release_ignores(release: str, switch: str, fires: bool, tmp_path: Path) -> None:
    options = Options(operator=OperatorRelease.parse(release))
    found = fired("DPD824", kv(f"{switch}: false"), tmp_path, options=options)
    assert bool(found) is fires
    if fires:
        assert found[0].path == f"spec.kvCacheSpec.{switch}"
        assert "3.3" in found[0].fix


def test_a_switch_under_an_unknown_operator_is_not_checked_and_without_a_switch_nobody_asks(
    tmp_path: Path,
) -> None:
    for text, asked in (("enableL1Cache: false", True), ("enableL1Cache: true", False)):
        report = check_value(spoiled(kv(text)), tmp_path)
        notes = [f.message for f in report.findings if f.id == "DPD003" and "operator" in f.message]
        assert any("DPD824" in note for note in notes) is asked


def test_prefillers_without_a_cache(tmp_path: Path) -> None:
    (found,) = fired("DPD825", kv("enableL1Cache: false"), tmp_path)
    assert found.severity.value == "warning"
    (found,) = fired("DPD825", "endpoints: {llama-70b: {cache: {l1: false}}}", tmp_path, of="environment")
    assert found.path == "endpoints.llama-70b.cache.l1"
    assert not fired("DPD825", kv("enableL1Cache: false", ", pdSpec: null"), tmp_path)
    assert not fired("DPD825", "spec: {kvCacheSpec: null}", tmp_path)


@pytest.mark.parametrize(
    ("second", "fires"),
    [
        ("namespace: other, backend: tieredstorage", True),
        ("namespace: inference, backend: tieredstorage", False),
        ("namespace: other, backend: redis", False),
    ],
)
def test_tenants_that_share_the_tiered_store(second: str, fires: bool, tmp_path: Path) -> None:
    import json

    import yaml

    facts = yaml.safe_load(f"{{{second}}}")
    files = []
    for name, namespace, backend in (
        ("one", "inference", "TieredStorage"),
        ("two", facts["namespace"], facts["backend"]),
    ):
        fragment = kv(f"enableL2Cache: true, l2CacheSpec: {{l2CacheBackend: {backend}}}", ", pdSpec: null")
        value = spoiled(fragment)
        value["metadata"] = {"name": name, "namespace": namespace}
        files.append(tmp_path / f"{name}.json")
        files[-1].write_text(json.dumps(value), encoding="utf-8")
    report = check(gather([str(f) for f in files]))
    found = [f for f in report.findings if f.id == "DPD823"]
    assert len(found) == (2 if fires else 0)
    if fires:
        assert "namespace other" in found[0].message + found[1].message
        assert {f.path for f in found} == {f"{L2}.l2CacheBackend"}
