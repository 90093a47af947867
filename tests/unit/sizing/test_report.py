"""The report behind `dpd kv`: its keys are a contract, its figures are those of the parts."""

import json

import pytest

from hyperpod_dpd.sizing.errors import UnknownGeometry
from hyperpod_dpd.sizing.gpu_memory import InstanceFacts, gib_to_bytes
from hyperpod_dpd.sizing.report import kv_report

EIGHT_GIB = 8 * 2**30
H100 = InstanceFacts(
    name="an 80 GiB node",
    gpus=8,
    gpu_memory_bytes=gib_to_bytes("79.6"),
    transfer_bytes_per_second=50 * 10**9,
)


def report(config, **arguments):
    merged = {"tensor_parallel_size": 8, "chunk_tokens": 256, **arguments}
    return kv_report(config, **merged)


def test_keys_of_the_contract(llama_70b):
    found = report(llama_70b, buffer_bytes=EIGHT_GIB, prompt_tokens=6000)
    assert (found["attention"], found["exact"], found["notes"]) == ("grouped-query", True, [])
    assert (found["bytes_per_token_per_rank"], found["page_tokens"], found["page_bytes"]) == (
        40_960,
        256,
        10_485_760,
    )
    buffer = found["buffer"]
    assert (buffer["pages"], buffer["aligned_bytes"], buffer["in_flight_transfers"]) == (
        819,
        8_587_837_440,
        34,
    )
    assert (buffer["lost_bytes"], buffer["capacity_tokens"]) == (2_097_152, 209_664)


def test_it_is_plain_json_and_stable(llama_70b):
    arguments = {"buffer_bytes": EIGHT_GIB, "prompt_tokens": 6035, "instance": H100}
    first = json.dumps(report(llama_70b, **arguments), allow_nan=False)
    assert first == json.dumps(report(dict(reversed(llama_70b.items())), **arguments), allow_nan=False)


def test_parts_without_input_are_null(llama_70b):
    found = report(llama_70b)
    assert (found["buffer"], found["prompt"], found["memory"]) == (None, None, None)
    assert report(llama_70b, buffer_bytes=EIGHT_GIB)["buffer"]["in_flight_transfers"] is None


def test_the_longest_prompt_is_checked_against_the_buffer(llama_70b):
    fine = report(llama_70b, buffer_bytes=EIGHT_GIB)
    assert (fine["buffer"]["holds_longest_prompt"], fine["warnings"]) == (True, [])
    halved = report(llama_70b, buffer_bytes=EIGHT_GIB, tensor_parallel_size=4)
    assert halved["buffer"]["holds_longest_prompt"] is False
    # 512 pages of 20 MiB.
    assert any("104,704" in text and str(10 * 2**30) in text for text in halved["warnings"])
    short = report(llama_70b, buffer_bytes=EIGHT_GIB, tensor_parallel_size=4, max_model_len=32_768)
    assert (short["buffer"]["holds_longest_prompt"], short["warnings"]) == (True, [])


def test_a_buffer_below_one_page(llama_70b):
    found = report(llama_70b, buffer_bytes=10_485_759)
    assert found["buffer"]["pages"] == 0
    assert any("smaller than one page" in text for text in found["warnings"])


def test_prompt_on_the_wire(llama_70b):
    prompt = report(llama_70b, prompt_tokens=8000, instance=H100, buffer_bytes=EIGHT_GIB)["prompt"]
    assert (prompt["pages"], prompt["bytes"]) == (32, 335_544_320)
    assert prompt["least_wire_seconds"] == pytest.approx(0.0067, abs=5e-5)


def test_memory_of_both_roles(llama_70b):
    memory = report(llama_70b, buffer_bytes=EIGHT_GIB, prompt_tokens=16_384, instance=H100)["memory"]
    for role in ("prefill", "decode"):
        assert memory[role]["largest_gpu_memory_utilization"] == 0.87
        assert memory[role]["calm_gpu_memory_utilization"] == 0.84
        assert memory[role]["severity"] is None
        assert memory[role]["largest_max_model_len"] == 131_072
        assert memory[role]["concurrency_at_prompt"] == memory[role]["kv_bytes"] // (16_384 * 40_960)
    assert "unconfirmed" in memory["assumptions"]


def test_memory_judges_a_given_utilization(llama_70b):
    found = report(llama_70b, buffer_bytes=4 * EIGHT_GIB, instance=H100, utilization_hundredths=75)
    assert found["memory"]["decode"]["severity"] == "error"


def test_memory_needs_the_weights(llama_70b):
    del llama_70b["vocab_size"]
    assert report(llama_70b, instance=H100)["memory"] is None
    assert any("weight bytes" in text for text in report(llama_70b, instance=H100)["warnings"])
    given = report(llama_70b, instance=H100, weight_bytes=141_107_412_992)
    assert given["memory"]["decode"]["kv_tokens"] > 1_000_000


def test_an_indexer_counts_in_the_memory_but_not_in_the_page():
    config = {
        "model_type": "deepseek_v32",
        "num_attention_heads": 128,
        "num_hidden_layers": 61,
        "kv_lora_rank": 512,
        "qk_rope_head_dim": 64,
        "index_head_dim": 128,
        "torch_dtype": "bfloat16",
    }
    found = report(config, instance=H100, weight_bytes=300 * 10**9)
    assert found["page_bytes"] == 256 * 70_272
    decode = found["memory"]["decode"]
    assert decode["kv_tokens"] == decode["kv_bytes"] // 78_324


def test_doubts_are_warnings(llama_70b):
    found = report({**llama_70b, "model_type": "brand_new"})
    assert (found["exact"], found["bound"]) == (False, "approximate")
    assert any("not exact" in text for text in found["warnings"])
    declared = report(llama_70b, quant_config={"kv_cache_quant_algo": "FP8"})
    assert declared["kv_cache_dtype"]["bits"] == 8
    assert any("20480" in text and "40960" in text for text in declared["warnings"])


def test_refusals_pass_through():
    with pytest.raises(UnknownGeometry, match="compress_ratios"):
        report({"model_type": "deepseek_v4", "compress_ratios": [0, 4]})


def test_an_unknown_weight_format_is_a_warning(llama_70b):
    config = {**llama_70b, "quantization_config": {"quant_method": "brand_new_packing"}}
    found = report(config, instance=H100)
    assert found["weight_bytes"] == 141_107_412_992
    assert any("brand_new_packing" in text for text in found["warnings"])


@pytest.mark.parametrize(
    ("quantization", "gigabytes"),
    [
        # 2.1 billion embedding weights stay at 16 bits (4.2 GB); 68.45 billion are quantised.
        ({"quant_method": "fp8"}, 72.7),
        # AWQ adds a 16-bit scale and a 4-bit zero point per 128 weights: 1.3 GB.
        ({"quant_method": "awq", "bits": 4}, 39.8),
        ({"quant_method": "modelopt_fp4"}, 42.7),
        ({"quant_method": "compressed-tensors", "config_groups": {"g": {"weights": {"num_bits": 8}}}}, 72.7),
        ({"quant_method": " "}, 141.1),
    ],
)
def test_quantised_weights(llama_70b, quantization, gigabytes):
    found = report({**llama_70b, "quantization_config": quantization})
    assert found["weight_bytes"] / 1e9 == pytest.approx(gigabytes, abs=0.1)
