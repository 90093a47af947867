"""Bytes of the weights against a second count from tensor shapes, and each format's scales, zero points and gaps."""

import pytest

from hyperpod_dpd.sizing.errors import UnknownGeometry
from hyperpod_dpd.sizing.geometry import read_geometry
from hyperpod_dpd.sizing.kv_cache import bytes_per_token_per_rank
from hyperpod_dpd.sizing.module_names import NamePatterns
from tests.support.published_models import QUANT_FILES, config, names
from tests.support.tensor_shapes import stored_bytes

# Families whose weights are not counted: recurrent layers of other kinds, or a cache that is refused.
UNCOUNTED = {
    "AI21-Jamba-1.5-Mini",
    "DeepSeek-V4-Flash",
    "NVIDIA-Nemotron-3-Nano-30B-A3B-BF16",
    "NVIDIA-Nemotron-3-Super-120B-A12B-FP8",
    "Nemotron-H-56B-Base-8K",
}
# The second count reads the family from the text part, which this file leaves unnamed.
UNNAMED = {"Mistral-Medium-3.5-128B"}


@pytest.mark.parametrize("name", sorted(set(names()) - UNCOUNTED - UNNAMED))
def test_weights_agree_with_a_count_from_tensor_shapes(name):
    parameters = read_geometry(config(name), quant_config=QUANT_FILES.get(name)).parameters
    assert parameters is not None
    assert parameters.stored_bytes == pytest.approx(
        stored_bytes(config(name), QUANT_FILES.get(name)), rel=2e-3
    )


@pytest.mark.parametrize("name", sorted(UNCOUNTED - {"DeepSeek-V4-Flash"}))
def test_weights_that_cannot_be_counted_are_not_guessed(name):
    assert read_geometry(config(name)).parameters is None


def stored(llama_70b, quantisation, **fields):
    given = read_geometry({**llama_70b, **fields, "quantization_config": quantisation})
    assert given.parameters is not None and given.weights.certain
    return given.parameters.stored_bytes


# Llama 3.x 70B: 80 x (2 x 8192 x 8192 + 2 x 8192 x 1024 + 3 x 8192 x 28672) linear weights, 2 x 128256 x 8192 others.
LINEAR, OTHERS, NORMS = 68_451_041_280, 2_101_346_304, 161 * 8192


@pytest.mark.parametrize(
    ("quantisation", "bits"),
    [
        ({"quant_method": "awq", "bits": 4, "group_size": 128}, 4 + (16 + 4) / 128),
        ({"quant_method": "awq", "bits": 4, "group_size": 64}, 4 + (16 + 4) / 64),
        ({"quant_method": "gptq", "bits": 8, "group_size": 32}, 8 + (16 + 8) / 32),
        ({"quant_method": "modelopt", "quant_algo": "NVFP4"}, 4.5),
        ({"quant_method": "fp8", "weight_block_size": [128, 128]}, 8 + 32 / 128**2),
        (
            {
                "quant_method": "compressed-tensors",
                "config_groups": {"g": {"targets": ["Linear"], "weights": {"num_bits": 4, "group_size": 32}}},
            },
            4.5,
        ),
        (
            {
                "quant_method": "compressed-tensors",
                "config_groups": {
                    "g": {
                        "targets": ["Linear"],
                        "weights": {"num_bits": 4, "group_size": 32, "symmetric": False},
                    }
                },
            },
            4 + (16 + 4) / 32,
        ),
    ],
)
def test_scales_and_zero_points_are_counted(llama_70b, quantisation, bits):
    expected = (LINEAR * bits + 16 * (OTHERS + NORMS)) / 8
    assert stored(llama_70b, quantisation) == pytest.approx(expected, rel=5e-4)


@pytest.mark.parametrize("key", ["ignore", "exclude_modules", "modules_to_not_convert"])
@pytest.mark.parametrize(
    "pattern",
    [
        "re:.*self_attn.*",
        "model.layers.*.self_attn",
        "*.self_attn.*",
        "language_model.model.layers.*.self_attn*",
    ],
)
def test_modules_left_out_stay_wide(llama_70b, key, pattern):
    attention = 80 * (2 * 8192 * 8192 + 2 * 8192 * 1024)
    whole = stored(llama_70b, {"quant_method": "modelopt", "quant_algo": "FP8"})
    gaps = stored(llama_70b, {"quant_method": "modelopt", "quant_algo": "FP8", key: ["lm_head", pattern]})
    assert gaps - whole == pytest.approx(attention, rel=1e-5)


def test_layers_of_drafts_and_of_vision_are_not_those_of_the_model():
    patterns = NamePatterns(
        ["mtp.layers.0*", "model.visual.blocks*", "vision_tower.encoder.layers.0*", "model.layers.3*"]
    )
    assert not patterns.match("layers.0.mlp.up_proj")
    assert patterns.match("layers.3.mlp.up_proj")


def test_layers_named_one_by_one_have_their_own_format(llama_70b):
    layers = {f"model.layers.{index}.mlp.up_proj": {"quant_algo": "FP8"} for index in range(80)}
    layers |= {f"model.layers.{index}.mlp.down_proj": {"quant_algo": "W4A16_NVFP4"} for index in range(80)}
    found = stored(
        llama_70b, {"quant_method": "modelopt", "quant_algo": "MIXED_PRECISION", "quantized_layers": layers}
    )
    part = 80 * 8192 * 28672
    assert found == pytest.approx(2 * (LINEAR + OTHERS + NORMS - 2 * part) + part + part * 4.5 / 8, rel=1e-5)


def test_experts_that_begin_late_leave_dense_layers_before():
    given = {
        "model_type": "ernie4_5_moe", "hidden_size": 1024, "intermediate_size": 4096, "num_hidden_layers": 10,
        "num_attention_heads": 8, "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 1000, "moe_num_experts": 64,
        "moe_intermediate_size": 512, "moe_num_shared_experts": 2, "moe_layer_start_index": 3,
        "moe_layer_end_index": 9, "moe_layer_interval": 1, "tie_word_embeddings": True,
    }  # fmt: skip
    parameters = read_geometry(given).parameters
    assert parameters is not None
    assert parameters.experts == 7 * 64 * 3 * 1024 * 512
    assert parameters.linear == 10 * 4 * 1024 * 1024 + 3 * 3 * 1024 * 4096 + 7 * 3 * 1024 * 1024


def test_two_attention_blocks_per_layer():
    given = {
        "model_type": "longcat_flash", "hidden_size": 6144, "ffn_hidden_size": 12288, "num_layers": 28,
        "num_attention_heads": 64, "kv_lora_rank": 512, "q_lora_rank": 1536, "qk_rope_head_dim": 64,
        "qk_nope_head_dim": 128, "v_head_dim": 128, "vocab_size": 131072, "n_routed_experts": 512,
        "zero_expert_num": 256, "expert_ffn_hidden_size": 2048,
    }  # fmt: skip
    parameters = read_geometry(given).parameters
    assert parameters is not None
    assert parameters.experts == 28 * 512 * 3 * 6144 * 2048
    # Published as a model of 560 billion.
    assert parameters.total / 1e9 == pytest.approx(560, rel=0.01)


MISTRAL = {
    "dim": 7168, "n_layers": 61, "head_dim": 128, "hidden_dim": 16384, "n_heads": 128, "n_kv_heads": 128,
    "q_lora_rank": 1536, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "kv_lora_rank": 512, "v_head_dim": 128,
    "norm_eps": 1e-06, "vocab_size": 131072,
    "moe": {"num_experts": 128, "num_experts_per_tok": 4, "expert_hidden_dim": 4096},
}  # fmt: skip


def test_mistrals_own_format_is_read_with_its_experts():
    geometry = read_geometry(MISTRAL)
    assert geometry.is_moe and geometry.parameters is not None
    assert geometry.parameters.experts == 61 * 128 * 3 * 7168 * 4096
    assert bytes_per_token_per_rank(geometry, tensor_parallel_size=8).bytes == 61 * 576 * 2
    late = read_geometry(
        {**MISTRAL, "moe": {**MISTRAL["moe"], "first_k_dense_replace": 3, "num_shared_experts": 1}}
    )
    assert late.parameters is not None and late.parameters.total / 1e9 == pytest.approx(674, abs=1)


@pytest.mark.parametrize(
    "change",
    [
        {"quantization": {"qformat_weight": "fp8_e4m3"}},
        {"moe": {**MISTRAL["moe"], "experts_in_pairs": 2}},
        {"moe": {"num_experts": 128}},
        {"moe": [128]},
    ],
)
def test_mistrals_own_format_is_refused_where_a_key_is_not_read(change):
    with pytest.raises(UnknownGeometry, match=r"config\.json"):
        read_geometry({**MISTRAL, **change})


@pytest.mark.parametrize(
    ("scheme", "bits"),
    [
        ("FP8", 8),
        ("fp8_e4m3", 8),
        ("auto", 16),
        (None, 16),
        ({"num_bits": 8, "type": "float"}, 8),
        ({"dynamic": False, "num_bits": 8, "type": "float"}, 8),
        ({"num_bits": 4, "type": "float"}, 16),
        ("NVFP4", 16),
    ],
)
def test_kv_cache_scheme_in_every_published_form(llama_70b, scheme, bits):
    section = {"quant_method": "modelopt", "quant_algo": "FP8", "kv_cache_scheme": scheme}
    assert read_geometry({**llama_70b, "quantization_config": section}).kv_dtype.bits == bits
