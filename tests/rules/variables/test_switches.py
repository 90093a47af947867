"""Rules on LMCache's, EFA's and other variables, which both roles share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import found
from tests.support.hits import hits, variable

FIRING = [
    ("DPD411", "LMCACHE_SAVE_DECODE_CACHE", "True", "error", "does not support in PD mode"),
    ("DPD411", "LMCACHE_SAVE_DECODE_CACHE", " 1 ", "error", "LMCache 0.4.3"),
    ("DPD411", "LMCACHE_SAVE_DECODE_CACHE", "yes", "warning", "neither on nor off"),
    ("DPD411", "LMCACHE_SAVE_DECODE_CACHE", "", "warning", "neither on nor off"),
    ("DPD412", "LMCACHE_REMOTE_URL", "lm://cache:65432", "error", "no remote store"),
    ("DPD412", "LMCACHE_ENABLE_P2P", "true", "error", "peer-to-peer"),
    ("DPD413", "LMCACHE_CONFIG_FILE", "/etc/lmcache.yaml", "error", "both roles"),
    ("DPD413", "LMCACHE_PD_ROLE", "receiver", "error", "both roles"),
    ("DPD413", "LMCACHE_PD_PEER_HOST", "10.0.0.1", "error", "both roles"),
    ("DPD413", "LMCACHE_NIXL_ROLE", "sender", "error", "both roles"),
    ("DPD413", "LMCACHE_ENABLE_PD", "true", "error", "both roles"),
    ("DPD413", "LMCACHE_PD_ALLOCATION_TIMEOUT_SEC", "30", "warning", "not confirmed"),
    ("DPD415", "LMCACHE_USE_LAYERWISE", "TRUE", "error", "no page is sent"),
    ("DPD416", "LMCACHE_NIXL_BACKENDS", "UCX", "error", "LIBFABRIC"),
    ("DPD416", "LMCACHE_NIXL_BACKENDS", "LIBFABRIC,UCX", "error", "LIBFABRIC"),
    ("DPD416", "LMCACHE_NIXL_BACKENDS", "", "error", "LIBFABRIC"),
    ("DPD416", "LMCACHE_NIXL_BACKENDS", "GDS", "error", "LIBFABRIC"),
    ("DPD416", "LMCACHE_NIXL_BACKENDS", '["LIBFABRIC"]', "error", "split at commas"),
    ("DPD416", "LMCACHE_NIXL_BACKENDS", "libfabric", "error", "split at commas"),
    ("DPD411", "LMCACHE_SAVE_DECODE_CACHE", '"True"', "error", "LMCache 0.4.3"),
    ("DPD416", "UCX_TLS", "tcp", "warning", "steers UCX"),
    ("DPD417", "FI_PROVIDER", "sockets", "error", "only with efa"),
    ("DPD417", "FI_EFA_USE_DEVICE_RDMA", "0", "error", "GPU-direct"),
    ("DPD418", "LMCACHE_CHUNK_SIZE", "128", "warning", "128"),
    ("DPD418", "LMCACHE_CHUNK_SIZE", "many", "error", "cannot start"),
    ("DPD418", "LMCACHE_CHUNK_SIZE", "0", "error", "cannot start"),
    ("DPD419", "PROMETHEUS_MULTIPROC_DIR", "metrics", "warning", "no absolute path"),
    ("DPD419", "PROMETHEUS_MULTIPROC_DIR", "", "warning", "no absolute path"),
    ("DPD419", "PROMETHEUS_MULTIPROC_DIR", "/opt/ml/model/metrics/", "warning", "model volume"),
    ("DPD419", "PROMETHEUS_MULTIPROC_DIR", "/tmp/lmcache_prometheus", "warning", "must exist"),
    ("DPD421", "LMCACHE_SAVE_UNFULL_CHUNK", "False", "error", "computed twice"),
    ("DPD422", "LMCACHE_MAX_LOCAL_CPU_SIZE", "129", "error", "1032.0 GiB"),
    ("DPD422", "LMCACHE_MAX_LOCAL_CPU_SIZE", "640.0", "error", "128 GiB per rank"),
    ("DPD422", "LMCACHE_MAX_LOCAL_DISK_SIZE", "4000", "error", "local disk"),
]


@pytest.mark.parametrize(("rule", "name", "value", "severity", "message"), FIRING)
def test_fires(rule: str, name: str, value: str, severity: str, message: str, tmp_path: Path) -> None:
    (found,) = hits(rule, variable(name, value), tmp_path)
    assert found.severity == severity
    assert found.path.startswith("spec.worker.environmentVariables[")
    assert message in f"{found.message} {found.fix}"


SILENT = [
    ("DPD411", "LMCACHE_SAVE_DECODE_CACHE", "false"),
    ("DPD411", "LMCACHE_SAVE_DECODE_CACHE", "0"),
    ("DPD412", "LMCACHE_REMOTE_URL", ""),
    ("DPD412", "LMCACHE_ENABLE_P2P", "False"),
    ("DPD413", "LMCACHE_PD_BUFFER_SIZE", "8587837440"),
    ("DPD413", "LMCACHE_NIXL_BACKENDS", "LIBFABRIC"),
    ("DPD415", "LMCACHE_USE_LAYERWISE", "0"),
    ("DPD416", "LMCACHE_NIXL_BACKENDS", "LIBFABRIC"),
    ("DPD416", "LMCACHE_NIXL_BACKENDS", " LIBFABRIC, "),
    ("DPD417", "FI_PROVIDER", "EFA"),
    ("DPD417", "FI_EFA_USE_DEVICE_RDMA", "1"),
    ("DPD418", "LMCACHE_CHUNK_SIZE", "256"),
    ("DPD419", "PROMETHEUS_MULTIPROC_DIR", "/tmp/"),
    ("DPD419", "PROMETHEUS_MULTIPROC_DIR", "/dev/shm"),
    ("DPD421", "LMCACHE_SAVE_UNFULL_CHUNK", "true"),
    ("DPD422", "LMCACHE_MAX_LOCAL_CPU_SIZE", "128"),
    ("DPD422", "LMCACHE_MAX_LOCAL_CPU_SIZE", "much"),
    ("DPD422", "LMCACHE_MAX_LOCAL_DISK_SIZE", "3000"),
]


@pytest.mark.parametrize(("rule", "name", "value"), SILENT)
def test_silent(rule: str, name: str, value: str, tmp_path: Path) -> None:
    assert not hits(rule, variable(name, value), tmp_path)


DISAGGREGATED = sorted({rule for rule, *_ in FIRING} - {"DPD422"})


@pytest.mark.parametrize("rule", DISAGGREGATED)
def test_colocated_endpoints_are_not_judged(rule: str, tmp_path: Path) -> None:
    for _, name, value, _, _ in (case for case in FIRING if case[0] == rule):
        fragment = variable(name, value).replace("spec: {", "spec: {pdSpec: null, ", 1)
        assert not hits(rule, fragment, tmp_path)


@pytest.mark.parametrize(
    ("rule", "name", "value"),
    [
        ("DPD415", "LMCACHE_USE_LAYERWISE", "true"),
        ("DPD417", "FI_PROVIDER", "tcp"),
        ("DPD413", "LMCACHE_PD_ROLE", "x"),
    ],
)
def test_environments_fire_at_the_variable(rule: str, name: str, value: str, tmp_path: Path) -> None:
    fragment = f"endpoints: {{llama-70b: {{environment_variables: {{{name}: '{value}'}}}}}}"
    (found,) = hits(rule, fragment, tmp_path, of="environment")
    assert found.path == f"endpoints.llama-70b.environment_variables.{name}"


def test_save_decode_cache_that_is_missing_is_a_warning(tmp_path: Path) -> None:
    fragment = "spec: {worker: {environmentVariables: [{name: -LMCACHE_SAVE_DECODE_CACHE}]}}"
    (found,) = hits("DPD411", fragment, tmp_path)
    assert found.severity == "warning"


def test_a_later_lmcache_lifts_the_restriction(tmp_path: Path) -> None:
    fragment = (
        'images: {worker: {versions: {lmcache: "0.5.0"}}}\n'
        "endpoints: {llama-70b: {environment_variables: {LMCACHE_SAVE_DECODE_CACHE: 'True'}}}"
    )
    (found,) = hits("DPD411", fragment, tmp_path, of="environment")
    assert found.severity == "warning"
    assert "not confirmed" in found.message


def test_a_configuration_file_of_the_cache(tmp_path: Path) -> None:
    (found,) = hits("DPD413", "spec: {kvCacheSpec: {cacheConfigFile: /etc/lmcache.yaml}}", tmp_path)
    assert (found.path, found.severity) == ("spec.kvCacheSpec.cacheConfigFile", "error")


def test_discarded_partial_chunks_among_the_arguments(tmp_path: Path) -> None:
    config = '{"kv_connector_extra_config": {"discard_partial_chunks": true}}'
    fragment = f"spec: {{worker: {{args: {{--kv-transfer-config: '{config}'}}}}}}"
    found = hits("DPD421", fragment, tmp_path)
    assert {f.severity for f in found} == {"warning"}
    assert not hits("DPD421", fragment.replace("true", "false"), tmp_path)


def test_an_unset_metrics_directory_is_a_note_only_where_metrics_are_on(tmp_path: Path) -> None:
    unset = "worker: {environmentVariables: [{name: -PROMETHEUS_MULTIPROC_DIR}]}"
    (found,) = hits("DPD419", f"spec: {{{unset}}}", tmp_path)
    assert found.severity == "info"
    assert not hits("DPD419", f"spec: {{{unset}, metrics: {{enabled: false}}}}", tmp_path)


@pytest.mark.parametrize(
    ("name", "value", "fires"),
    [
        ("HF_TOKEN", "hf_" + "a" * 34, True),
        ("SOME_SETTING", "hf_" + "a" * 34, True),
        ("OPENAI_API_KEY", "sk-" + "b" * 30, True),
        ("AWS_ACCESS_KEY_ID", "AKIA" + "C" * 16, True),
        ("AWS_SECRET_ACCESS_KEY", "d" * 40, True),
        ("DB_PASSWORD", "correct-horse", True),
        ("DB_PASSWORD", "hunter2", True),
        ("HF_TOKEN", "abc", True),
        ("VLLM_API_KEY", "key-1", True),
        ("EOS_TOKEN", "</s>", False),
        ("VLLM_API_KEY", "none", False),
        ("HF_TOKEN", "<YOUR_TOKEN>", False),
        ("HF_TOKEN", "$HF_TOKEN", False),
        ("HF_TOKEN", "", False),
        ("HF_TOKEN_PATH", "/etc/hf/token", False),
        ("HF_HUB_DISABLE_IMPLICIT_TOKEN", "True", False),
        ("MAX_TOTAL_TOKENS", "1234567890", False),
        ("TOKENIZERS_PARALLELISM", "false", False),
        ("EOS_TOKEN", "end-of-text", False),
        ("HF_HOME", "/tmp/hf_home_of_some_length", False),
    ],
)
def test_secrets(name: str, value: str, fires: bool, tmp_path: Path) -> None:
    found = hits("DPD420", variable(name, value), tmp_path)
    assert bool(found) is fires
    for finding in found:
        assert finding.severity == "error"
        assert value not in finding.message + finding.fix


@pytest.mark.parametrize(
    ("args", "fires"),
    [
        ("{--api-key: sk-1}", True),
        ("[--hf-token=hf_x]", True),
        ("{--hf-token: true}", False),
        ("{--api-key: $KEY}", False),
    ],
)
def test_secrets_in_arguments(args: str, fires: bool, tmp_path: Path) -> None:
    found = hits("DPD420", f"spec: {{pdSpec: {{prefillSpec: {{args: {args}}}}}}}", tmp_path)
    assert [f.path.startswith("spec.pdSpec.prefillSpec.args[") for f in found] == [True] * fires
    assert not any("sk-1" in f.message + f.fix or "hf_x" in f.message + f.fix for f in found)


@pytest.mark.parametrize(
    ("flag", "value", "fires"),
    [
        ("--hf-token", "short", True),
        ("--api-key", "anything", True),
        ("--hf-token", "$HF_TOKEN", False),
        ("--served-model-name", "hf_" + "a" * 34, True),
        ("--served-model-name", "llama", False),
    ],
)
def test_secrets_in_worker_arguments(flag: str, value: str, fires: bool, tmp_path: Path) -> None:
    found = hits("DPD420", f"spec: {{worker: {{args: {{{flag}: '{value}'}}}}}}", tmp_path)
    assert len(found) == fires
    for finding in found:
        assert finding.severity == "error"
        assert value not in finding.message + finding.fix


def test_secrets_of_colocated_endpoints_too(tmp_path: Path) -> None:
    fragment = variable("HF_TOKEN", "hf_" + "a" * 34).replace("spec: {", "spec: {pdSpec: null, ", 1)
    assert hits("DPD420", fragment, tmp_path)


def test_without_memory_in_the_role_the_node_counts(tmp_path: Path) -> None:
    empty = "{requests: {memory: null}, limits: {memory: null}}"
    roles = f"pdSpec: {{prefillSpec: {{resources: {empty}}}, decodingSpec: {{resources: {empty}}}}}"
    for size, fires in ((257, True), (256, False)):
        fragment = variable("LMCACHE_MAX_LOCAL_CPU_SIZE", str(size)).replace(
            "spec: {", f"spec: {{{roles}, ", 1
        )
        found = hits("DPD422", fragment, tmp_path)
        assert bool(found) is fires
        assert not fires or "the node's memory" in found[0].message


@pytest.mark.parametrize(
    "name", ["djl-one-gpu", "tgi-eight-gpus", "colocated-routing-latest", "hugging-face-source"]
)
def test_samples_of_other_teams_have_no_error(name: str) -> None:
    from hyperpod_dpd.rules.check import check
    from hyperpod_dpd.view.inputs import gather

    report = check(gather([str(found.file_of(name))]))
    assert not [f for f in report.findings if f.severity == "error"]
