"""`dpd kv`: the figures of the contract, what it finds beside a config, and refusals that say what to give."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hyperpod_dpd.catalog import models
from tests.support import published_models
from tests.support.command import dpd

LLAMA_70B = {
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 8192, "intermediate_size": 28672,
    "max_position_embeddings": 131072, "num_attention_heads": 64, "num_hidden_layers": 80,
    "num_key_value_heads": 8, "tie_word_embeddings": False, "torch_dtype": "bfloat16", "vocab_size": 128256,
}  # fmt: skip
FP8_CACHE = {"quantization": {"quant_algo": "FP8", "kv_cache_quant_algo": "FP8"}}


def put(folder: Path, value: object, name: str = "config.json") -> str:
    file = folder / name
    file.write_text(json.dumps(value), encoding="utf-8")
    return str(file)


def figures(*arguments: str, status: int = 0) -> dict[str, Any]:
    outcome = dpd("kv", *arguments, "--format", "json")
    assert outcome.status == status, outcome.err
    found: dict[str, Any] = json.loads(outcome.out)
    return found


def test_the_contracts_keys_and_figures(tmp_path: Path) -> None:
    found = figures(put(tmp_path, LLAMA_70B), "--tensor-parallel-size", "8", "--prompt-tokens", "6000")
    assert (found["attention"], found["exact"]) == ("grouped-query", True)
    assert (found["bytes_per_token_per_rank"], found["page_tokens"], found["page_bytes"]) == (
        40_960,
        256,
        10_485_760,
    )
    # AWS's example buffer of 8 GiB is taken where none is given.
    assert (found["buffer"]["pages"], found["buffer"]["aligned_bytes"]) == (819, 8_587_837_440)
    assert found["buffer"]["in_flight_transfers"] == 34
    assert isinstance(found["notes"], list)
    assert set(found["assumed"]) == {"buffer_bytes"}


def test_options_reach_the_arithmetic(tmp_path: Path) -> None:
    found = figures(
        put(tmp_path, LLAMA_70B), "--tensor-parallel-size", "4", "--kv-cache-dtype", "fp8",
        "--buffer-bytes", "1073741824", "--max-model-len", "16384",
    )  # fmt: skip
    assert found["bytes_per_token_per_rank"] == 40_960
    assert (found["buffer"]["bytes"], found["buffer"]["longest_prompt_tokens"]) == (2**30, 16_384)
    assert found["assumed"] == {}


def test_a_catalogue_key_needs_no_file_and_defaults_to_the_nodes_gpus() -> None:
    found = figures("llama-3.3-70b-instruct")
    assert (found["tensor_parallel_size"], found["bytes_per_token_per_rank"]) == (8, 40_960)
    assert set(found["assumed"]) == {"buffer_bytes", "tensor_parallel_size"}
    one = figures("llama-3.1-8b-instruct", "--instance", "ml.p5.4xlarge")
    assert one["tensor_parallel_size"] == 1


def test_memory_of_both_roles_on_an_instance_type() -> None:
    found = figures("llama-3.3-70b-instruct", "--instance", "ml.p5.48xlarge", "--buffer-bytes", str(32 * 2**30),
                    "--gpu-memory-utilization", "0.75")  # fmt: skip
    for role in ("prefill", "decode"):
        assert found["memory"][role]["severity"] == "error"
        assert found["memory"][role]["largest_gpu_memory_utilization"] < 0.75


def test_weight_bytes_stand_in_where_the_config_is_not_enough(tmp_path: Path) -> None:
    config = put(
        tmp_path, {k: v for k, v in LLAMA_70B.items() if k not in {"intermediate_size", "vocab_size"}}
    )
    assert figures(config, "--instance", "ml.p5.48xlarge")["memory"] is None
    found = figures(config, "--instance", "ml.p5.48xlarge", "--weight-bytes", "141107412992")
    assert found["memory"]["decode"]["severity"] is None


@pytest.mark.parametrize(
    ("config", "quant"),
    [("config.json", "hf_quant_config.json"), ("a-model.config.json", "a-model.hf_quant_config.json"),
     ("a-model.json", "a-model.hf_quant_config.json")],
)  # fmt: skip
def test_the_quantisation_file_beside_is_found(tmp_path: Path, config: str, quant: str) -> None:
    file = put(tmp_path, LLAMA_70B, config)
    assert figures(file)["bytes_per_token_per_rank"] == 40_960
    put(tmp_path, FP8_CACHE, quant)
    assert figures(file)["bytes_per_token_per_rank"] == 20_480


def test_a_quantisation_file_of_unknown_owner_is_mentioned_and_not_used(tmp_path: Path) -> None:
    file = put(tmp_path, LLAMA_70B, "a-model.config.json")
    other = put(tmp_path, FP8_CACHE, "hf_quant_config.json")
    found = figures(file)
    assert found["bytes_per_token_per_rank"] == 40_960
    assert any("--quant-config" in note for note in found["notes"])
    assert figures(file, "--quant-config", other)["bytes_per_token_per_rank"] == 20_480


def test_a_folder_stands_for_the_config_in_it(tmp_path: Path) -> None:
    put(tmp_path, LLAMA_70B)
    assert figures(str(tmp_path))["name"] == tmp_path.name


@pytest.mark.parametrize("name", published_models.names())
def test_every_published_model_gives_figures_or_a_refusal_that_asks_for_something(
    name: str, tmp_path: Path
) -> None:
    file = put(tmp_path, published_models.config(name), f"{name}.config.json")
    if name in published_models.QUANT_FILES:
        put(tmp_path, published_models.QUANT_FILES[name], f"{name}.hf_quant_config.json")
    outcome = dpd("kv", file, "--format", "json", "--instance", "ml.p5en.48xlarge")
    found = json.loads(outcome.out)
    if outcome.status == 1:
        assert "ive " in found["refused"] and found["exact"] is False
        return
    assert outcome.status == 0
    assert found["bytes_per_token_per_rank"] > 0
    assert found["exact"] or (found["bound"] and found["notes"])


def test_what_is_refused_exits_1_and_says_what_to_give(tmp_path: Path) -> None:
    outcome = dpd("kv", put(tmp_path, {**LLAMA_70B, "num_hidden_layers": None}), "--format", "json")
    assert outcome.status == 1
    assert "num_hidden_layers" in json.loads(outcome.out)["refused"]
    uneven = dpd("kv", put(tmp_path, LLAMA_70B), "--tensor-parallel-size", "7")
    assert (uneven.status, uneven.out, uneven.err.count("\n")) == (1, "", 1)


BAD = {
    "missing": (("nothing.json",), "no such file"),
    "not-json": (("bad.json",), "is not JSON"),
    "a-list": (("list.json",), "no JSON object"),
    "binary": (("binary.json",), "not UTF-8"),
    "empty-folder": (("folder",), "config.json"),
    "unknown-key": (("llama-3.3-70b-instrukt",), "did you mean 'llama-3.3-70b-instruct'"),
    "quant-file": (("config.json", "--quant-config", "nothing.json"), "no such file"),
    "no-model": ((), "catalogue key"),
    "negative": (("config.json", "--buffer-bytes", "-1"), "--buffer-bytes"),
    "dtype": (("config.json", "--kv-cache-dtype", "fp9"), "fp9"),
    "instance": (("config.json", "--instance", "ml.p5.49xlarge"), "did you mean ml.p5."),
    "no-gpu": (("config.json", "--instance", "ml.m5.4xlarge"), "no GPU"),
}  # fmt: skip


@pytest.mark.parametrize(("arguments", "says"), BAD.values(), ids=BAD.keys())
def test_what_cannot_be_read_exits_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], says: str
) -> None:
    put(tmp_path, LLAMA_70B)
    put(tmp_path, [1], "list.json")
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    outcome = dpd("kv", *arguments)
    assert (outcome.status, outcome.out) == (2, "")
    assert says in outcome.err


def test_text_is_aligned_and_names_what_was_assumed() -> None:
    out = dpd("kv", "llama-3.3-70b-instruct", "--prompt-tokens", "6035", "--instance", "ml.p5.48xlarge").out
    rows = [line for line in out.splitlines() if "KV bytes per token" in line or "whole pages" in line]
    assert len(rows) == 2
    assert rows[0].index("40,960") + 6 == rows[1].index("819") + 3
    assert "assumed: the documented PD_BUFFER_SIZE" in out
    assert "0.23" in out and "\x1b" not in out


def test_list_names_every_model() -> None:
    out = dpd("kv", "--list").out
    assert all(each.key in out for each in models.all())
    listed = json.loads(dpd("kv", "--list", "--format", "json").out)["models"]
    assert [each["key"] for each in listed] == list(models.keys())
