"""Who decides how wide the cache is, and what an argument changes."""

from typing import Any

import pytest

from hyperpod_dpd.sizing.errors import SizingError, UnknownKvDtype
from hyperpod_dpd.sizing.geometry import read_geometry
from hyperpod_dpd.sizing.kv_cache import bytes_per_token_per_rank

FULL = 40_960


def figure(config: dict[str, Any], *, argument: str | None = None, quant: dict[str, Any] | None = None):
    geometry = read_geometry(config, quant_config=quant)
    return bytes_per_token_per_rank(geometry, tensor_parallel_size=8, kv_cache_dtype=argument)


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        (None, FULL),
        ("auto", FULL),
        ("bfloat16", FULL),
        ("float16", FULL),
        ("fp8", FULL // 2),
        ("fp8_e4m3", FULL // 2),
        ("FP8_E5M2", FULL // 2),
        ("float32", 2 * FULL),
    ],
)
def test_argument(llama_70b, argument, expected):
    kv = figure(llama_70b, argument=argument)
    assert (kv.bytes, kv.exact) == (expected, True)


@pytest.mark.parametrize("argument", ["", "fp7", "turboquant", "8"])
def test_unknown_argument(llama_70b, argument):
    with pytest.raises(UnknownKvDtype, match="allowed: auto"):
        figure(llama_70b, argument=argument)


@pytest.mark.parametrize(
    "quantization",
    [
        {"quant_method": "modelopt", "kv_cache_quant_algo": "FP8"},
        {"quant_method": "compressed-tensors", "kv_cache_scheme": {"num_bits": 8, "type": "float"}},
        {
            "producer": {"name": "modelopt"},
            "quantization": {"quant_algo": "FP8", "kv_cache_quant_algo": "fp8"},
        },
    ],
)
def test_declared_in_the_config(llama_70b, quantization):
    kv = figure({**llama_70b, "quantization_config": quantization})
    assert (kv.bytes, kv.dtype.source.startswith("quantization_config")) == (FULL // 2, True)


@pytest.mark.parametrize(
    "quantization",
    [
        {"quant_method": "fp8", "fmt": "e4m3"},
        {"quant_method": "fbgemm_fp8"},
        {"quant_method": "awq", "bits": 4},
        {"quant_method": "compressed-tensors", "kv_cache_scheme": None},
        {"quant_method": "modelopt", "kv_cache_quant_algo": None},
    ],
)
def test_quantised_weights_alone_leave_the_cache(llama_70b, quantization):
    kv = figure({**llama_70b, "quantization_config": quantization})
    assert (kv.bytes, kv.exact) == (FULL, True)


def test_the_second_file_goes_before_the_config_and_the_argument_before_both(llama_70b):
    config = {**llama_70b, "quantization_config": {"quant_method": "fp8"}}
    second = {"quantization": {"quant_algo": "FP8", "kv_cache_quant_algo": "FP8"}}
    assert figure(config, quant=second).bytes == FULL // 2
    assert figure(config, quant=second, argument="bfloat16").bytes == FULL


def test_both_values_are_named_when_a_file_sets_the_dtype(llama_70b):
    kv = figure(llama_70b, quant={"kv_cache_quant_algo": "FP8"})
    assert any("20480" in note and "40960" in note for note in kv.notes)
    assert not any("20480" in note for note in figure(llama_70b, argument="fp8").notes)


def test_an_unknown_algorithm_is_an_upper_bound(llama_70b):
    kv = figure(llama_70b, quant={"kv_cache_quant_algo": "INT2"})
    assert (kv.bytes, kv.exact, kv.bound) == (FULL, False, "upper")


def test_no_dtype_means_16_bits_and_says_so(llama_70b):
    del llama_70b["torch_dtype"]
    kv = figure(llama_70b)
    assert kv.bytes == FULL
    assert any("16-bit cache is assumed" in note for note in kv.notes)


def test_32_bit_models_are_served_in_16(llama_70b):
    kv = figure({**llama_70b, "torch_dtype": "float32"})
    assert (kv.bytes, kv.exact, kv.most) == (FULL, False, 2 * FULL)


def test_sparse_latent_in_8_bits_is_packed_with_its_scales():
    """512 elements of 1 byte, 4 scales of 4, 64 rotary elements of 2: 656 bytes in each of 61 layers."""
    config = {
        "model_type": "deepseek_v32",
        "num_attention_heads": 128,
        "num_hidden_layers": 61,
        "kv_lora_rank": 512,
        "qk_rope_head_dim": 64,
        "index_head_dim": 128,
        "index_topk": 2048,
    }
    for argument in ("fp8", "fp8_ds_mla"):
        assert figure(config, argument=argument).bytes == 61 * 656
    dense = {key: value for key, value in config.items() if not key.startswith("index_")}
    assert figure({**dense, "model_type": "deepseek_v3"}, argument="fp8").bytes == 61 * 576


def test_the_packed_latent_is_refused_elsewhere(llama_70b):
    with pytest.raises(SizingError, match="sparse latent attention"):
        figure(llama_70b, argument="fp8_ds_mla")
