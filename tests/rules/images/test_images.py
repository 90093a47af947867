"""Rules on the worker image: which it is, what is inside, and whether it can move."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.hits import hits

DIGEST = "sha256:9f2c4f0c2f1a6f5d0a1c6f5be0c3a6f0b8f6f2f7f8f1c2d3e4f5a6b7c8d9e0f1"
DLC = "public.ecr.aws/deep-learning-containers/vllm:server-hyperpod-cuda"
COLOCATED = "pdSpec: null, "


def image(reference: str, rest: str = "") -> str:
    return f"spec: {{{rest}worker: {{image: '{reference}'}}}}"


FIRING = [
    ("DPD301", f"{DLC}-v1.2", "warning", "dropped the LMCache pin"),
    ("DPD301", f"{DLC}-v1.0", "warning", "not on AWS's list"),
    ("DPD301", "lmcache/vllm-openai:v0.4.3-cu130", "warning", "not on AWS's list"),
    ("DPD301", f"lmcache/vllm-openai@{DIGEST}", "warning", "not on AWS's list"),
    ("DPD302", "docker.io/vllm/vllm-openai:v0.19.0", "error", "brings no LMCache"),
    ("DPD302", "public.ecr.aws/deep-learning-containers/vllm:0.19-gpu-py312", "error", "brings no LMCache"),
    ("DPD303", "lmcache/vllm-openai", "warning", "no tag"),
    ("DPD303", f"{DLC}-latest", "warning", "latest"),
    ("DPD303", "registry.example.com/engine:7", "warning", "can move"),
    ("DPD303", f"{DLC}-v1.1", "info", "supported tag"),
    ("DPD304", "mirror.example.com/lmcache/vllm-openai:v0.3.7", "error", "LMCache 0.3.7"),
    ("DPD304", "lmcache/vllm-openai:v0.4.2", "error", "LMCache 0.4.2 (by its tag)"),
    ("DPD304", "lmcache/vllm-openai:v0.3.9post2", "error", "by its tag"),
    ("DPD305", "lmcache/vllm-openai:v0.4.9", "warning", "by its tag"),
    ("DPD305", f"{DLC}-v1.2", "warning", "build history"),
    ("DPD305", "lmcache/vllm-openai:v0.4.5", "warning", "regression"),
    ("DPD306", "lmcache/vllm-openai:v0.4.3", "info", "not confirmed"),
    ("DPD308", "lmcache/vllm-openai:v0.4.3", "info", "Docker Hub"),
    ("DPD310", f"{DLC}-v1.1", "info", "0.20.0.dev361"),
    ("DPD311", "Registry.example.com/Team/Engine:1", "error", "cannot be read"),
    ("DPD311", "lmcache/vllm-openai:v0.4.3 ", "error", "cannot be read"),
    ("DPD311", "", "error", "cannot be read"),
]


@pytest.mark.parametrize(("rule", "reference", "severity", "message"), FIRING)
def test_fires(rule: str, reference: str, severity: str, message: str, tmp_path: Path) -> None:
    (found,) = hits(rule, image(reference), tmp_path)
    assert found.path == "spec.worker.image"
    assert found.severity == severity
    assert message in found.message


SILENT = [
    ("DPD301", "lmcache/vllm-openai:v0.4.3"),
    ("DPD301", f"123456789012.dkr.ecr.us-west-2.amazonaws.com/lmcache/vllm-openai:v0.4.3@{DIGEST}"),
    ("DPD301", "vllm/vllm-openai:v0.19.0"),  # the rule on images without LMCache speaks
    ("DPD302", f"{DLC}-v1.1"),
    ("DPD302", "registry.example.com/engine:7"),
    ("DPD303", f"{DLC}-v1.1@{DIGEST}"),
    ("DPD304", "lmcache/vllm-openai:v0.4.3"),
    ("DPD305", "lmcache/vllm-openai:v0.4.3"),
    ("DPD306", f"{DLC}-v1.1"),  # built from a NIXL with the plugin
    ("DPD308", f"{DLC}-v1.1"),
    ("DPD310", "lmcache/vllm-openai:v0.4.3"),
    ("DPD311", "<YOUR_IMAGE>"),
    ("DPD311", "${REGISTRY}/engine:1"),
]


@pytest.mark.parametrize(("rule", "reference"), SILENT)
def test_silent(rule: str, reference: str, tmp_path: Path) -> None:
    assert not hits(rule, image(reference), tmp_path)


@pytest.mark.parametrize("rule", ["DPD301", "DPD302", "DPD304", "DPD305", "DPD306", "DPD308"])
def test_colocated_endpoints_are_free_in_their_image(rule: str, tmp_path: Path) -> None:
    for reference in ("vllm/vllm-openai:v0.19.0", "lmcache/vllm-openai:v0.3.7", "lmcache/vllm-openai:v0.4.4"):
        assert not hits(rule, image(reference, COLOCATED), tmp_path)


def test_latest_is_a_warning_on_colocated_endpoints_too(tmp_path: Path) -> None:
    (found,) = hits("DPD303", image("lmcache/vllm-openai:latest", COLOCATED), tmp_path)
    assert found.severity == "warning"
    assert not hits("DPD303", image("vllm/vllm-openai:v0.19.0", COLOCATED), tmp_path)


def worker(fields: str) -> str:
    return f"images: {{worker: {{{fields}}}}}"


@pytest.mark.parametrize(
    ("rule", "fields", "severity"),
    [
        ("DPD301", "repository: registry.example.com/engine, tag: v7", "warning"),
        ("DPD304", 'versions: {lmcache: "0.4.2"}', "error"),
        ("DPD305", 'versions: {lmcache: "0.4.4"}', "warning"),
        ("DPD306", 'versions: {nixl: "0.9.0"}', "warning"),
        ("DPD306", 'versions: {nixl: "1.0.0"}', "info"),
        ("DPD307", 'versions: {libfabric: "1.20.9"}', "error"),
        ("DPD309", 'versions: {vllm: "0.26.0"}', "warning"),
    ],
)
def test_environments_fire_at_the_image(rule: str, fields: str, severity: str, tmp_path: Path) -> None:
    (found,) = hits(rule, worker(fields), tmp_path, of="environment")
    assert found.severity == severity
    assert found.path == "endpoints.llama-70b.image"


@pytest.mark.parametrize(
    ("rule", "fields"),
    [
        (
            "DPD301",
            f"repository: registry.example.com/engine, digest: '{DIGEST}', versions: {{lmcache: 0.4.3}}",
        ),
        ("DPD304", 'versions: {lmcache: "0.4.3"}'),
        ("DPD305", 'versions: {lmcache: "0.4.3"}'),
        ("DPD306", 'versions: {nixl: "1.0.1"}'),
        ("DPD307", 'versions: {libfabric: "1.21.0"}'),
        ("DPD309", 'versions: {vllm: "0.26.1"}'),
        ("DPD310", 'versions: {vllm: "0.20.0.dev361"}'),
    ],
)
def test_declared_versions_satisfy(rule: str, fields: str, tmp_path: Path) -> None:
    assert not hits(rule, worker(fields), tmp_path, of="environment")


def test_docker_hub_is_a_warning_in_production(tmp_path: Path) -> None:
    fragment = "production: true\n" + worker("repository: lmcache/vllm-openai, tag: v0.4.3")
    (found,) = hits("DPD308", fragment, tmp_path, of="environment")
    assert found.severity == "warning"


def test_a_version_that_is_none_is_a_fault_of_the_document(tmp_path: Path) -> None:
    from tests.support.documents import check_value, ids, spoiled

    report = check_value(spoiled(worker("versions: {vllm: newest}"), of="environment"), tmp_path)
    assert ids(report) == {"DPD011"}
