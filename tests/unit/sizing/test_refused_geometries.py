"""Configs whose cache cannot be counted: each is refused with what is missing."""

import pytest

from hyperpod_dpd.sizing.errors import UnevenSplit, UnknownGeometry
from hyperpod_dpd.sizing.geometry import read_geometry
from hyperpod_dpd.sizing.kv_cache import bytes_per_token_per_rank
from tests.support.model_configs import plain


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        ({"model_type": "mamba", "hidden_size": 768, "num_hidden_layers": 24}, "no attention layers"),
        (plain(model_type="t5", is_encoder_decoder=True), "cross-attention"),
        (plain(model_type="mllama_text_model", cross_attention_layers=[3, 8]), "cross-attention"),
        (plain(model_type="bert"), "encoder without a KV cache"),
        (plain(model_type="zamba", mamba_d_state=16), "nothing says which"),
        (plain(layer_types=["mamba"] * 32), "no layer .* has attention"),
        (plain(layer_types=["full_attention"] * 31), "describes 31 layers but the model has 32"),
        (plain(layer_types=["windmill_attention"] * 32), "windmill_attention"),
        (plain(hybrid_override_pattern="M*" * 15), "describes 30 layers"),
        (plain(hybrid_override_pattern="MX" * 16), "'X'"),
        (plain(attn_layer_period=8), "attn_layer_offset"),
        (plain(attn_type_list=[0, 2] * 16), "0 \\(linear\\) or 1"),
        (plain(num_key_value_heads=7), "must divide"),
        (plain(num_key_value_heads=64), "must divide"),
        (plain(hidden_size=4000, num_attention_heads=30, num_key_value_heads=10), "not a multiple"),
        (plain(hidden_size=...), "give head_dim"),
        (plain(kv_lora_rank=512), "qk_rope_head_dim is missing"),
        (
            plain(
                kv_lora_rank=512,
                qk_rope_head_dim=64,
                sliding_window=1,
                layer_types=["sliding_attention"] * 32,
            ),
            "mix",
        ),
        (plain(num_hidden_layers=1, block_configs=[{"attention": {"window_length": 8192}}]), "window_length"),
        (plain(num_hidden_layers=1, block_configs=[{"attention": {"n_heads_in_group": 5}}]), "must divide"),
        (plain(num_hidden_layers=1, block_configs=[{"ffn": {}}]), "no attention object"),
        (
            {"model_type": "llava", "text_config": {"model_type": "llama"}},
            "text_config.num_hidden_layers is missing",
        ),
    ],
)
def test_refusals_say_what_is_wrong(config, reason):
    with pytest.raises(UnknownGeometry, match=reason):
        read_geometry(config)


@pytest.mark.parametrize(
    ("fields", "size", "reason"),
    [
        ({"num_attention_heads": 40, "num_key_value_heads": 10, "head_dim": 128}, 4, "10 KV heads"),
        ({"num_attention_heads": 71, "num_key_value_heads": 1, "head_dim": 64}, 2, "71 attention heads"),
    ],
)
def test_heads_that_cannot_be_divided(fields, size, reason):
    with pytest.raises(UnevenSplit, match=reason):
        bytes_per_token_per_rank(read_geometry(plain(**fields)), tensor_parallel_size=size)
