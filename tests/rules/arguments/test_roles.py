"""What both roles must share, and what each may have for itself."""

from __future__ import annotations

import json

import pytest
import yaml

from hyperpod_dpd.rules.rule import Severity
from tests.support.findings import findings_of, not_checked

PREFILL = "spec.pdSpec.prefillSpec.args"
DECODE = "spec.pdSpec.decodingSpec.args"


def args(*, worker=None, prefill=None, decode=None) -> str:
    roles = {k: {"args": v} for k, v in (("prefillSpec", prefill), ("decodingSpec", decode)) if v is not None}
    spec = {"pdSpec": roles} | ({"worker": {"args": worker}} if worker is not None else {})
    return yaml.safe_dump({"spec": spec})


@pytest.mark.parametrize(
    "spelling", [["-tp", "4"], ["--tensor-parallel-size=4"], ["--tensor_parallel_size", "4"]]
)
@pytest.mark.parametrize("role", ["prefill", "decode"])
def test_tensor_parallel_sizes_differ_in_any_spelling(spelling, role, tmp_path) -> None:
    (hit,) = findings_of("DPD501", args(**{role: spelling}), tmp_path)
    assert hit.path == f"{PREFILL if role == 'prefill' else DECODE}[0]"


def test_an_environment_names_the_role(tmp_path) -> None:
    fragment = "endpoints: {llama-70b: {decode: {arguments: {tensor-parallel-size: 4}}}}"
    (hit,) = findings_of("DPD501", fragment, tmp_path, of="environment")
    assert hit.path == "endpoints.llama-70b.decode.arguments.tensor-parallel-size"


@pytest.mark.parametrize(
    ("worker", "severity"),
    [
        ({"--tensor-parallel-size": 16}, Severity.ERROR),
        ({"--tensor-parallel-size": 8, "--pipeline-parallel-size": 2}, Severity.ERROR),
        ({"--tensor-parallel-size": 4}, Severity.WARNING),
        ({"--tensor-parallel-size": None}, Severity.WARNING),
        ({"--tensor-parallel-size": 4, "--pipeline-parallel-size": 2}, None),
        ({"--tensor-parallel-size": "eight"}, None),
    ],
)
def test_ranks_are_gpus(worker, severity, tmp_path) -> None:
    found = findings_of("DPD502", args(worker=worker), tmp_path)
    assert [f.severity for f in found] == ([severity] * 2 if severity else [])


def test_ranks_are_judged_for_each_role(tmp_path) -> None:
    amounts = "limits: {nvidia.com/gpu: 4}, requests: {nvidia.com/gpu: 4}"
    fragment = f"spec: {{pdSpec: {{decodingSpec: {{resources: {{{amounts}}}}}}}}}"
    (hit,) = findings_of("DPD502", fragment, tmp_path)
    assert "decode runs 8 ranks on 4 GPUs" in hit.message
    assert hit.fix == "set --tensor-parallel-size to 4"


def test_in_an_environment_ranks_are_the_engines_key(tmp_path) -> None:
    fragment = "endpoints: {llama-70b: {engine: {tensor_parallel_size: 4}}}"
    found = findings_of("DPD502", fragment, tmp_path, of="environment")
    assert {hit.path for hit in found} == {"endpoints.llama-70b.engine.tensor_parallel_size"}


@pytest.mark.parametrize(("size", "count"), [(8, 0), (16, 0), (1, 0), (6, 1), (3, 1)])
def test_heads_are_divided(size, count, tmp_path) -> None:
    found = findings_of("DPD503", args(worker={"--tensor-parallel-size": size}), tmp_path)
    assert len(found) == count
    if count:
        assert "64 attention heads" in found[0].message


def test_kv_heads_are_divided_too(tmp_path) -> None:
    fragment = """
endpoints:
  llama-70b:
    model:
      catalogue: null
      name: odd
      geometry: {layers: 4, attention_heads: 48, kv_heads: 8, head_dim: 64, parameters_billion: 70.0}
    engine: {tensor_parallel_size: 12}
"""
    (hit,) = findings_of("DPD503", fragment, tmp_path, of="environment")
    assert "8 KV heads" in hit.message


def test_heads_of_an_unknown_model_are_not_checked(tmp_path) -> None:
    fragment = """
metadata: {annotations: {dpd.check/model: null}}
spec: {modelName: ours, modelSourceConfig: {modelLocation: ours}}
"""
    assert "DPD503" in not_checked(fragment, tmp_path)["model"]


@pytest.mark.parametrize(
    ("flag", "value"),
    [
        ("--kv-cache-dtype", "fp8"),
        ("--dtype", "float16"),
        ("--quantization", "fp8"),
        ("--model", "/opt/ml/other"),
        ("--served-model-name", "llama"),
        ("--revision", "main"),
        ("--pipeline-parallel-size", "2"),
        ("--hf-overrides", '{"rope_scaling": null}'),
    ],
)
@pytest.mark.parametrize("role", ["prefill", "decode"])
def test_what_decides_a_page_must_be_the_same(flag, value, role, tmp_path) -> None:
    (hit,) = findings_of("DPD504", args(**{role: [flag, value]}), tmp_path)
    assert (hit.path, hit.severity) == (f"{PREFILL if role == 'prefill' else DECODE}[0]", Severity.ERROR)
    assert flag in hit.message


@pytest.mark.parametrize(
    ("flag", "value"),
    [
        ("--attention-backend", "FLASHINFER"),
        ("--attention-config", '{"backend": "FLASH_ATTN"}'),
    ],
)
def test_what_is_known_of_another_connector_only_is_a_warning(flag, value, tmp_path) -> None:
    (hit,) = findings_of("DPD504", args(decode=[flag, value]), tmp_path)
    assert hit.severity is Severity.WARNING
    assert "not confirmed" in hit.message


def test_speculative_decoding_in_one_role_only_is_an_error(tmp_path) -> None:
    ngram = ["--speculative-config", '{"method": "ngram", "num_speculative_tokens": 3}']
    suffix = ["--speculative-config", '{"method": "suffix", "num_speculative_tokens": 3}']
    for roles in ({"prefill": ngram}, {"decode": ngram}):
        (hit,) = findings_of("DPD504", args(**roles), tmp_path)
        assert hit.severity is Severity.ERROR
    (hit,) = findings_of("DPD504", args(prefill=ngram, decode=suffix), tmp_path)
    assert hit.severity is Severity.WARNING
    assert findings_of("DPD504", args(prefill=ngram, decode=ngram), tmp_path) == []


@pytest.mark.parametrize(
    "roles",
    [
        {"prefill": ["--enforce-eager"], "decode": ["--max-num-seqs", "32"]},
        {"prefill": ["--block-size", "64"], "decode": ["--block-size", "128"]},
        {"prefill": ["--gpu-memory-utilization", "0.7"]},
        {"prefill": ["--kv-cache-dtype", "auto"]},
        {"prefill": ["--kv-cache-dtype", "fp8"], "decode": ["--kv-cache-dtype=fp8"]},
        {"prefill": ["--hf-overrides", '{"a": 1, "b": 2}'], "decode": ["--hf-overrides", '{"b":2,"a":1}']},
        {"prefill": ["--dtype", "auto"], "decode": ["--pipeline-parallel-size", "1"]},
    ],
)
def test_the_same_setting_twice_and_free_settings_pass(roles, tmp_path) -> None:
    assert findings_of("DPD504", args(**roles), tmp_path) == []


def test_a_key_inside_an_override_counts(tmp_path) -> None:
    (hit,) = findings_of("DPD504", args(decode=["--hf-overrides.rope_theta", "1000"]), tmp_path)
    assert "--hf-overrides is unset on prefill" in hit.message and "rope_theta" in hit.message


def test_a_role_that_replaces_the_shared_value_differs(tmp_path) -> None:
    fragment = args(worker={"--kv-cache-dtype": "fp8"}, prefill=["--kv-cache-dtype", "auto"])
    (hit,) = findings_of("DPD504", fragment, tmp_path)
    assert hit.path == f"{PREFILL}[0]"


@pytest.mark.parametrize(
    ("roles", "severity", "path"),
    [
        ({"prefill": ["--max-model-len", "8192"]}, Severity.ERROR, f"{PREFILL}[0]"),
        ({"decode": ["--max-model-len", "8192"]}, Severity.WARNING, f"{DECODE}[0]"),
        ({"decode": ["--max-model-len", "32k"]}, Severity.ERROR, f"{DECODE}[0]"),
        ({"prefill": ["--max-model-len", "16384"]}, None, ""),
    ],
)
def test_lengths_of_the_roles(roles, severity, path, tmp_path) -> None:
    found = findings_of("DPD505", args(**roles), tmp_path)
    assert [(f.severity, f.path) for f in found] == ([(severity, path)] if severity else [])


def test_a_role_without_a_limit_accepts_more(tmp_path) -> None:
    fragment = args(worker={"--max-model-len": None}, prefill=["--max-model-len", "8192"])
    (hit,) = findings_of("DPD505", fragment, tmp_path)
    assert (hit.severity, hit.message) == (
        Severity.ERROR,
        "prefill accepts 8,192 tokens, decode what the model allows",
    )


@pytest.mark.parametrize("role", ["worker", "prefill", "decode"])
@pytest.mark.parametrize(
    "given",
    [
        ["--kv-transfer-config", json.dumps({"kv_connector": "LMCacheConnectorV1"})],
        ["--kv_transfer_config={}"],
        ["--kv-transfer-config.kv_role", "kv_both"],
    ],
)
def test_a_connector_by_hand(role, given, tmp_path) -> None:
    (hit,) = findings_of("DPD506", args(**{role: given}), tmp_path)
    assert hit.severity is Severity.ERROR


def test_a_colocated_endpoint_may_have_its_own_connector(tmp_path) -> None:
    fragment = 'spec: {pdSpec: null, worker: {args: ["--kv-transfer-config", "{}"]}}'
    assert findings_of("DPD506", fragment, tmp_path) == []


@pytest.mark.parametrize(
    ("given", "count"),
    [
        (["--enable-expert-parallel"], 1),
        (["-ep"], 1),
        (["--data-parallel-size", "2"], 1),
        (["-dp", "2", "--enable-expert-parallel"], 2),
        (["--data-parallel-size", "1"], 0),
        (["--no-enable-expert-parallel"], 0),
    ],
)
def test_other_kinds_of_parallelism(given, count, tmp_path) -> None:
    assert len(findings_of("DPD507", args(worker=given), tmp_path)) == count
    assert len(findings_of("DPD507", args(decode=given), tmp_path)) == count


@pytest.mark.parametrize(
    ("roles", "words"),
    [
        ({"decode": ["--enforce-eager"]}, "runs eagerly"),
        ({"worker": ["--enforce-eager"]}, "shared arguments"),
        ({"prefill": ["--enforce-eager"]}, None),
        ({"worker": ["--enforce-eager"], "decode": ["--no-enforce-eager"]}, None),
    ],
)
def test_the_decoder_uses_graphs(roles, words, tmp_path) -> None:
    found = findings_of("DPD515", args(**roles), tmp_path)
    assert len(found) == (words is not None)
    assert all(words in hit.message and hit.severity is Severity.WARNING for hit in found)


@pytest.mark.parametrize(
    ("given", "count"), [([], 1), (["--enforce-eager"], 0), (["--no-enforce-eager"], 1), (["-O0"], 0)]
)
def test_the_prefiller_runs_eagerly(given, count, tmp_path) -> None:
    found = findings_of("DPD516", args(prefill=given), tmp_path)
    assert [f.severity for f in found] == [Severity.INFO] * count


@pytest.mark.parametrize(
    ("roles", "count"),
    [
        ({"prefill": ["--no-enable-prefix-caching"]}, 1),
        ({"worker": ["--no-enable-prefix-caching"]}, 1),
        ({"prefill": ["--no_enable_prefix_caching"]}, 1),
        ({"decode": ["--no-enable-prefix-caching"]}, 0),
        ({"prefill": ["--enable-prefix-caching"]}, 0),
        ({"worker": ["--no-enable-prefix-caching"], "prefill": ["--enable-prefix-caching"]}, 0),
    ],
)
def test_prefix_caching_matters_on_prefill(roles, count, tmp_path) -> None:
    assert len(findings_of("DPD521", args(**roles), tmp_path)) == count


@pytest.mark.parametrize("given", [["--enable-lora"], ["--lora-modules", "sql=/opt/ml/adapters/sql"]])
@pytest.mark.parametrize("role", ["worker", "prefill", "decode"])
def test_adapters_are_a_warning(given, role, tmp_path) -> None:
    (hit,) = findings_of("DPD525", args(**{role: given}), tmp_path)
    assert hit.severity is Severity.WARNING and "not confirmed" in hit.message
