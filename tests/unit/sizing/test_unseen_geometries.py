"""Configs in the styles of other families, written by hand; each figure derived where it stands."""

from typing import Any

import pytest

from hyperpod_dpd.sizing.geometry import read_geometry
from hyperpod_dpd.sizing.kv_cache import bytes_per_token_per_rank
from tests.support.model_configs import plain


def pattern(letters: str, **names: str) -> list[str]:
    return [names[letter] for letter in letters]


MINIMAX = plain(
    model_type="minimax",
    hidden_size=6144,
    num_attention_heads=64,
    num_hidden_layers=80,
    head_dim=128,
    attn_type_list=([0] * 7 + [1]) * 10,
)

# case: (config, tensor-parallel size, attention, bytes, exact)
CASES: dict[str, tuple[dict[str, Any], int, str, int, bool]] = {
    # 32 x 1 x 64 x 2 x 2: 4544 / 71 = 64, multi_query gives one head.
    "falcon-7b": (
        {
            "model_type": "falcon",
            "hidden_size": 4544,
            "num_attention_heads": 71,
            "num_hidden_layers": 32,
            "multi_query": True,
            "new_decoder_architecture": False,
            "torch_dtype": "bfloat16",
        },
        1,
        "multi-query",
        8_192,
        True,
    ),
    # The newer decoder ignores multi_query: 60 x (8 / 8) x 64 x 2 x 2.
    "falcon-40b": (
        {
            "model_type": "falcon",
            "hidden_size": 8192,
            "num_attention_heads": 128,
            "num_kv_heads": 8,
            "num_hidden_layers": 60,
            "multi_query": True,
            "new_decoder_architecture": True,
            "torch_dtype": "bfloat16",
        },
        8,
        "grouped-query",
        15_360,
        True,
    ),
    # Old names of the same family: 60 x (8 / 4) x 64 x 2 x 2.
    "falcon-40b, old names": (
        {
            "model_type": "RefinedWeb",
            "hidden_size": 8192,
            "n_head": 128,
            "n_head_kv": 8,
            "n_layer": 60,
            "torch_dtype": "bfloat16",
        },
        4,
        "grouped-query",
        30_720,
        True,
    ),
    # 12 x 12 x 64 x 2 x 2, no dtype in the file (16 bits).
    "gpt2": (
        {"model_type": "gpt2", "n_embd": 768, "n_head": 12, "n_layer": 12, "n_positions": 1024},
        1,
        "multi-head",
        36_864,
        True,
    ),
    # 40 x 1 x 128 x 2 x 2.
    "starcoder (gpt_bigcode)": (
        {
            "model_type": "gpt_bigcode",
            "n_embd": 6144,
            "n_head": 48,
            "n_layer": 40,
            "multi_query": True,
            "torch_dtype": "float16",
        },
        8,
        "multi-query",
        20_480,
        True,
    ),
    # 70 x (112 / 8) x 128 x 2 x 2, ALiBi and its own names.
    "bloom": (
        {
            "model_type": "bloom",
            "hidden_size": 14336,
            "n_head": 112,
            "n_layer": 70,
            "torch_dtype": "bfloat16",
        },
        8,
        "multi-head",
        501_760,
        True,
    ),
    # 32 x (8 kv_n_heads / 4) x 128 x 2 x 2.
    "mpt with grouped heads": (
        {
            "model_type": "mpt",
            "d_model": 4096,
            "n_heads": 32,
            "n_layers": 32,
            "attn_config": {"alibi": True, "kv_n_heads": 8},
            "torch_dtype": "bfloat16",
        },
        4,
        "grouped-query",
        32_768,
        True,
    ),
    # 28 x (2 groups / 2) x 128 x 2 x 2.
    "chatglm3": (
        {
            "model_type": "chatglm",
            "hidden_size": 4096,
            "num_attention_heads": 32,
            "num_layers": 28,
            "kv_channels": 128,
            "multi_query_attention": True,
            "multi_query_group_num": 2,
            "seq_length": 8192,
            "torch_dtype": "float16",
        },
        2,
        "grouped-query",
        14_336,
        True,
    ),
    # num_key_value_heads absent: one per attention head; 32 x (32 / 8) x 128 x 2 x 2.
    "llama before grouped heads": (plain(num_key_value_heads=...), 8, "multi-head", 65_536, True),
    # The window never binds below the longest position: 32 x (32 / 4) x 96 x 2 x 2.
    "phi3-mini-128k": (
        plain(model_type="phi3", hidden_size=3072, num_key_value_heads=32, sliding_window=262144),
        4,
        "multi-head",
        98_304,
        True,
    ),
    # 40 x (10 / 10) x 128 x 2 x 2.
    "phi3-medium": (
        plain(
            model_type="phi3",
            hidden_size=5120,
            num_attention_heads=40,
            num_key_value_heads=10,
            num_hidden_layers=40,
            sliding_window=131072,
        ),
        10,
        "grouped-query",
        20_480,
        True,
    ),
    # Explicit head_dim wins over 5120 / 64 = 80: 64 x 2 x 128 x 2 x 2.
    "qwen3-32b": (
        plain(
            model_type="qwen3",
            hidden_size=5120,
            num_attention_heads=64,
            num_hidden_layers=64,
            head_dim=128,
            use_sliding_window=False,
            sliding_window=4096,
        ),
        4,
        "grouped-query",
        65_536,
        True,
    ),
    # 60 x 576 x 2; the heads in the file play no part.
    "deepseek-v2": (
        plain(
            model_type="deepseek_v2",
            hidden_size=5120,
            num_attention_heads=128,
            num_key_value_heads=128,
            num_hidden_layers=60,
            kv_lora_rank=512,
            qk_rope_head_dim=64,
            qk_nope_head_dim=128,
            v_head_dim=128,
        ),
        4,
        "multi-head-latent",
        69_120,
        True,
    ),
    # Two attentions in each of 28 layers: 56 x 576 x 2.
    "longcat-flash": (
        {
            "model_type": "longcat_flash",
            "hidden_size": 6144,
            "num_attention_heads": 64,
            "num_layers": 28,
            "kv_lora_rank": 512,
            "qk_rope_head_dim": 64,
            "torch_dtype": "bfloat16",
        },
        8,
        "multi-head-latent",
        64_512,
        True,
    ),
    # All flags 1 means no linear layer: 62 x (8 / 8) x 128 x 2 x 2.
    "minimax-m2": (
        plain(
            model_type="minimax_m2",
            num_attention_heads=48,
            hidden_size=3072,
            num_hidden_layers=62,
            head_dim=128,
            attn_type_list=[1] * 62,
        ),
        8,
        "grouped-query",
        31_744,
        True,
    ),
    # Three blocks with 64/8 = 8 KV heads, one with none, one linear: 3 x (8 / 8) x 128 x 2 x 2.
    "nemotron-nas": (
        plain(
            model_type="nemotron-nas",
            hidden_size=8192,
            num_attention_heads=64,
            num_key_value_heads=...,
            num_hidden_layers=5,
            block_configs=[
                {"attention": {"n_heads_in_group": 8, "no_op": False}, "ffn": {}},
                {"attention": {"n_heads_in_group": None, "no_op": True}, "ffn": {}},
                {"attention": {"n_heads_in_group": 8, "no_op": False}, "ffn": {}},
                {"attention": {"n_heads_in_group": None, "no_op": False, "replace_with_linear": True}},
                {"attention": {"n_heads_in_group": 8, "no_op": False}, "ffn": {}},
            ],
        ),
        8,
        "grouped-query",
        1_536,
        True,
    ),
    # Heads differ between blocks: (8 / 2 + 4 / 2) x 128 x 2 x 2, but a page has one shape only.
    "nemotron-nas, uneven": (
        plain(
            model_type="nemotron-nas",
            num_hidden_layers=2,
            block_configs=[{"attention": {"n_heads_in_group": 4}}, {"attention": {"n_heads_in_group": 8}}],
        ),
        2,
        "grouped-query",
        3_072,
        False,
    ),
    # 21 sliding and 21 full layers, all counted: 42 x (8 / 4) x 256 x 2 x 2.
    "gemma2-9b": (
        plain(
            model_type="gemma2",
            hidden_size=3584,
            num_attention_heads=16,
            num_hidden_layers=42,
            head_dim=256,
            sliding_window=4096,
        ),
        4,
        "sliding-window",
        86_016,
        False,
    ),
    # 62 layers, all counted: 62 x (16 / 8) x 128 x 2 x 2.
    "gemma3-27b": (
        {
            "architectures": ["Gemma3ForConditionalGeneration"],
            "model_type": "gemma3",
            "torch_dtype": "bfloat16",
            "text_config": {
                "model_type": "gemma3_text",
                "head_dim": 128,
                "hidden_size": 5376,
                "num_attention_heads": 32,
                "num_key_value_heads": 16,
                "num_hidden_layers": 62,
                "sliding_window": 1024,
            },
            "vision_config": {"hidden_size": 1152, "num_attention_heads": 16, "num_hidden_layers": 27},
        },
        8,
        "sliding-window",
        63_488,
        False,
    ),
    # 36 x (8 / 8) x 64 x 2 x 2.
    "gpt-oss-120b": (
        plain(
            model_type="gpt_oss",
            hidden_size=2880,
            num_attention_heads=64,
            num_hidden_layers=36,
            head_dim=64,
            sliding_window=128,
            layer_types=pattern("SF" * 18, S="sliding_attention", F="full_attention"),
        ),
        8,
        "sliding-window",
        9_216,
        False,
    ),
    # 40 x (8 / 8) x 128 x 2 x 2.
    "command-r-plus (no window)": (
        plain(model_type="cohere", hidden_size=8192, num_attention_heads=64, num_hidden_layers=40),
        8,
        "grouped-query",
        20_480,
        True,
    ),
    # Ten full layers of 80: 10 x (8 / 8) x 128 x 2 x 2.
    "minimax-text-01": (MINIMAX, 8, "hybrid", 5_120, False),
    # Every fourth layer of 48: 12 x 1 x 256 x 2 x 2.
    "qwen3-next": (
        plain(
            model_type="qwen3_next",
            hidden_size=2048,
            num_attention_heads=16,
            num_key_value_heads=2,
            num_hidden_layers=48,
            head_dim=256,
            full_attention_interval=4,
            linear_num_key_heads=16,
            linear_num_value_heads=32,
            linear_key_head_dim=128,
            linear_value_head_dim=128,
            linear_conv_kernel_dim=4,
        ),
        2,
        "hybrid",
        12_288,
        False,
    ),
    # Four attention layers of forty: 4 x (8 / 4) x 128 x 2 x 2.
    "granite-4 hybrid": (
        plain(
            model_type="granitemoehybrid",
            hidden_size=4096,
            num_hidden_layers=40,
            layer_types=pattern(("MMMMM" + "A" + "MMMM") * 4, M="mamba", A="attention"),
        ),
        4,
        "hybrid",
        4_096,
        False,
    ),
    # Attention and state side by side in all 44 layers: 44 x (4 / 4) x 128 x 2 x 2.
    "falcon-h1": (
        plain(
            model_type="falcon_h1",
            hidden_size=3072,
            num_attention_heads=12,
            num_key_value_heads=4,
            num_hidden_layers=44,
            head_dim=128,
            mamba_d_ssm=3072,
        ),
        4,
        "hybrid",
        22_528,
        False,
    ),
    # Latent attention in the listed layers (counted from 1): 2 x 576 x 2.
    "kimi-linear": (
        plain(
            model_type="kimi_linear",
            num_hidden_layers=8,
            kv_lora_rank=512,
            qk_rope_head_dim=64,
            linear_attn_config={"full_attn_layers": [4, 8], "kda_layers": [1, 2, 3, 5, 6, 7]},
        ),
        8,
        "hybrid",
        2_304,
        False,
    ),
    # A family nobody has looked at: its fields are taken at their word, and not called exact.
    "unknown family": (plain(model_type="brand_new"), 8, "grouped-query", 16_384, False),
    # KV heads not stated and not the family's habit: the most there can be.
    "mistral without KV heads": (
        plain(model_type="mistral", num_key_value_heads=...),
        8,
        "multi-head",
        65_536,
        False,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_figure(case):
    config, size, attention, expected, exact = CASES[case]
    geometry = read_geometry(config)
    kv = bytes_per_token_per_rank(geometry, tensor_parallel_size=size)
    assert (geometry.attention, kv.bytes, kv.exact) == (attention, expected, exact)
    assert exact or kv.notes


def test_windows_give_the_lower_end():
    """gpt-oss: 18 full layers grow with the prompt, 18 x 1 x 64 x 2 x 2 = 4,608; all 36 are the upper end."""
    kv = bytes_per_token_per_rank(read_geometry(CASES["gpt-oss-120b"][0]), tensor_parallel_size=8)
    assert (kv.least, kv.most, kv.bound) == (4_608, 9_216, "upper")


def test_default_period_of_gemma3():
    """One global layer in six: layers 6, 12, ..., 60 of 62, so 10 x 2 x 128 x 2 x 2 grow with the prompt."""
    geometry = read_geometry(CASES["gemma3-27b"][0])
    kv = bytes_per_token_per_rank(geometry, tensor_parallel_size=8)
    assert kv.least == 10_240
    assert any("default of gemma3_text" in note for note in kv.notes)


def test_exaone_letters():
    """LLLG over 8 layers: layers 4 and 8 are global, 2 x 1 x 128 x 2 x 2 = 1,024 of 4,096."""
    config = plain(
        model_type="exaone4", num_hidden_layers=8, sliding_window=4096, sliding_window_pattern="LLLG"
    )
    kv = bytes_per_token_per_rank(read_geometry(config), tensor_parallel_size=8)
    assert (kv.least, kv.most) == (1_024, 4_096)


def test_qwen2_sliding_from_a_layer_on():
    """use_sliding_window with max_window_layers 28 of 32: four layers slide."""
    config = plain(model_type="qwen2", use_sliding_window=True, sliding_window=4096, max_window_layers=28)
    kv = bytes_per_token_per_rank(read_geometry(config), tensor_parallel_size=8)
    assert (kv.least, kv.most) == (28 * 512, 32 * 512)


def test_layer_types_may_trail_into_draft_layers():
    config = plain(num_hidden_layers=4, num_nextn_predict_layers=2, layer_types=["full_attention"] * 6)
    geometry = read_geometry(config)
    assert bytes_per_token_per_rank(geometry, tensor_parallel_size=8).bytes == 4 * 512
    assert geometry.draft_layers == 2
    assert any("draft layer" in note for note in geometry.notes)


def test_recurrent_state_of_qwen3_next():
    """36 layers x ((2x16x128 + 32x128) x 3 x 2 bytes + 32x128x128 x 2 bytes) / 2 ranks."""
    geometry = read_geometry(CASES["qwen3-next"][0])
    expected = 36 * ((8192 * 3 + 32 * 128 * 128) * 2 // 2)
    assert geometry.recurrent.bytes_per_sequence_per_rank(tensor_parallel_size=2) == expected


def test_chunked_attention_counts_every_layer():
    config = plain(model_type="llama4_text", attention_chunk_size=8192, head_dim=128)
    kv = bytes_per_token_per_rank(read_geometry(config), tensor_parallel_size=8)
    assert kv.bytes == 32 * 512
    assert any("chunk" in note for note in kv.notes)


def test_model_type_from_the_architecture():
    config = plain(model_type=..., architectures=["Qwen3MoeForCausalLM"])
    geometry = read_geometry(config)
    assert (geometry.model_type, geometry.exact) == ("qwen3_moe", True)


@pytest.mark.parametrize(
    ("fields", "layers", "attention_layers"),
    [
        # Positions 4, 12, ... counted from 0: one among the first twelve.
        ({"attn_layer_period": 8, "attn_layer_offset": 4}, 12, 1),
        # The fourth, eighth, ... layer: twelve of fifty.
        ({"full_attention_interval": 4}, 50, 12),
        ({"layer_group_size": 6}, 32, 5),
        ({"full_attn_idxs": [2, 5, 8]}, 10, 3),
        ({"hybrid_layer_pattern": [0, 1, 1], "sliding_window": 128}, 3, 3),
    ],
)
def test_rules_for_which_layers_have_attention(fields, layers, attention_layers):
    geometry = read_geometry(plain(num_hidden_layers=layers, **fields))
    assert sum(group.count for group in geometry.groups) == attention_layers
