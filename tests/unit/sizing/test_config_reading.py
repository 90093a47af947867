"""Malformed configs: a clear refusal of one class, whatever is in the file."""

import copy
import math
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hyperpod_dpd.sizing.errors import SizingError, UnknownGeometry
from hyperpod_dpd.sizing.geometry import read_geometry
from hyperpod_dpd.sizing.kv_cache import bytes_per_token_per_rank
from hyperpod_dpd.sizing.report import kv_report

SEEDS: list[dict[str, Any]] = [
    {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "hidden_size": 4096,
        "intermediate_size": 14336,
        "num_attention_heads": 32,
        "num_hidden_layers": 32,
        "num_key_value_heads": 8,
        "max_position_embeddings": 131072,
        "sliding_window": None,
        "tie_word_embeddings": False,
        "torch_dtype": "bfloat16",
        "vocab_size": 128256,
        "quantization_config": {"quant_method": "compressed-tensors", "kv_cache_scheme": {"num_bits": 8}},
    },
    {
        "model_type": "deepseek_v32",
        "hidden_size": 7168,
        "kv_lora_rank": 512,
        "qk_rope_head_dim": 64,
        "qk_nope_head_dim": 128,
        "q_lora_rank": 1536,
        "v_head_dim": 128,
        "index_head_dim": 128,
        "index_topk": 2048,
        "num_attention_heads": 128,
        "num_hidden_layers": 61,
        "n_routed_experts": 256,
        "moe_intermediate_size": 2048,
        "first_k_dense_replace": 3,
        "num_nextn_predict_layers": 1,
        "vocab_size": 129280,
        "torch_dtype": "bfloat16",
        "quantization_config": {"quant_method": "fp8", "fmt": "e4m3"},
    },
    {
        "model_type": "qwen3_5_moe",
        "text_config": {
            "model_type": "qwen3_5_moe_text",
            "dtype": "bfloat16",
            "head_dim": 256,
            "hidden_size": 4096,
            "layer_types": ["linear_attention", "full_attention"] * 2,
            "linear_conv_kernel_dim": 4,
            "linear_key_head_dim": 128,
            "linear_num_key_heads": 16,
            "linear_num_value_heads": 64,
            "linear_value_head_dim": 128,
            "num_attention_heads": 32,
            "num_experts": 512,
            "num_hidden_layers": 4,
            "num_key_value_heads": 2,
        },
        "vision_config": {"depth": 27},
    },
    {
        "model_type": "nemotron-nas",
        "hidden_size": 8192,
        "num_attention_heads": 64,
        "num_hidden_layers": 2,
        "block_configs": [{"attention": {"n_heads_in_group": 8}}, {"attention": {"no_op": True}}],
    },
    {
        "model_type": "jamba",
        "attn_layer_offset": 4,
        "attn_layer_period": 8,
        "hidden_size": 4096,
        "mamba_d_conv": 4,
        "mamba_d_state": 16,
        "mamba_expand": 2,
        "num_attention_heads": 32,
        "num_hidden_layers": 32,
        "num_key_value_heads": 8,
        "num_experts": 16,
    },
    {
        "model_type": "gemma4",
        "text_config": {
            "global_head_dim": 512,
            "head_dim": 256,
            "layer_types": ["sliding_attention", "full_attention"],
            "num_attention_heads": 16,
            "num_global_key_value_heads": 2,
            "num_hidden_layers": 2,
            "num_key_value_heads": 8,
            "num_kv_shared_layers": 0,
            "sliding_window": 1024,
        },
    },
]

spoiled_values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(min_value=10**12, max_value=10**40),
    st.floats(),
    st.text(max_size=8),
    st.lists(st.one_of(st.integers(-2, 9), st.text(max_size=4), st.none()), max_size=5),
    st.dictionaries(st.text(max_size=6), st.integers(), max_size=3),
    st.sampled_from(
        ["8", "auto", "float32", "torch.bfloat16", "fp8", -1, 0, 1.0, math.inf, [], {}, "full_attention"]
    ),
)


def places(config: dict[str, Any]) -> list[tuple[str, ...]]:
    """Paths of all keys of a config, nested ones too."""
    found: list[tuple[str, ...]] = []
    for key, value in config.items():
        found.append((key,))
        if isinstance(value, dict):
            found.extend((key, *rest) for rest in places(value))
    return found


@st.composite
def spoiled_configs(draw: st.DrawFn) -> dict[str, Any]:
    """A real config with one to three fields replaced, removed or added."""
    config = copy.deepcopy(draw(st.sampled_from(SEEDS)))
    for _ in range(draw(st.integers(1, 3))):
        paths = places(config)
        if not paths:
            break
        path = draw(st.sampled_from(paths))
        holder: Any = config
        for key in path[:-1]:
            holder = holder[key]
        if not isinstance(holder, dict) or path[-1] not in holder:
            continue
        action = draw(st.sampled_from(["replace", "remove", "add"]))
        if action == "replace":
            holder[path[-1]] = draw(spoiled_values)
        elif action == "remove":
            del holder[path[-1]]
        else:
            other = draw(st.sampled_from(places(draw(st.sampled_from(SEEDS)))))[-1]
            holder[other] = draw(spoiled_values)
    return config


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(spoiled_configs())
def test_a_spoiled_config_gives_a_figure_or_a_refusal(config):
    try:
        geometry = read_geometry(config)
    except UnknownGeometry as error:
        assert len(str(error)) > 20
        return
    try:
        kv = bytes_per_token_per_rank(geometry, tensor_parallel_size=1)
    except SizingError:
        return
    assert isinstance(kv.bytes, int)
    assert kv.bytes > 0
    assert kv.exact or kv.notes
    assert kv.least is None or kv.least <= kv.bytes
    assert kv.most is None or kv.most >= kv.bytes
    assert geometry.parameters is None or geometry.parameters.stored_bytes > 0


json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=10)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=12), inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None)
@given(json_values)
def test_any_json_is_refused_in_words(value):
    with pytest.raises(UnknownGeometry):
        read_geometry(value)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(json_values, st.sampled_from(SEEDS))
def test_any_second_file_is_read_or_refused(value, config):
    try:
        geometry = read_geometry(config, quant_config=value)
    except UnknownGeometry:
        return
    assert geometry.kv_dtype.bits in (8, 16)


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("num_key_value_heads", "8", "must be a whole number, found str '8'"),
        ("num_key_value_heads", True, "found bool True"),
        ("num_key_value_heads", 8.0, "found float 8.0"),
        ("num_key_value_heads", [8], "found list"),
        ("num_key_value_heads", 0, "is 0; allowed is 1 to"),
        ("num_hidden_layers", -80, "is -80; allowed is 1 to"),
        ("num_hidden_layers", 10**30, "allowed is 1 to"),
        ("num_hidden_layers", None, "num_hidden_layers is missing"),
        ("n_layer", 31, "disagree"),
        ("layer_types", "full_attention", "must be a list"),
        ("layer_types", [1] * 32, "must list names"),
        ("text_config", "llama", "must be a JSON object"),
        ("quantization_config", [], "must be a JSON object"),
        ("is_encoder_decoder", "no", "must be true or false"),
        ("torch_dtype", "float99", "float99"),
        ("architectures", "LlamaForCausalLM", "must be a list"),
    ],
)
def test_malformed_fields_are_named(field, value, reason):
    config = {**SEEDS[0], field: value}
    if field == "architectures":
        del config["model_type"]
    with pytest.raises(UnknownGeometry, match=reason):
        read_geometry(config)


@pytest.mark.parametrize("value", [None, [], "x", 7, b"{}"])
def test_not_an_object(value):
    with pytest.raises(UnknownGeometry, match="must be a JSON object"):
        read_geometry(value)


def test_a_malformed_decoration_does_not_stop_the_figure():
    """The vocabulary and the longest position decorate the report; the cache does not depend on them."""
    config = {**SEEDS[0], "vocab_size": "many", "max_position_embeddings": -1}
    geometry = read_geometry(config)
    assert (geometry.vocabulary_size, geometry.max_position_tokens, geometry.parameters) == (None, None, None)
    assert geometry.exact


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    spoiled_configs(),
    st.integers(-1, 20),
    st.one_of(st.none(), st.text(max_size=6), st.sampled_from(["auto", "fp8", "bf16"])),
    st.one_of(st.none(), st.integers(-1, 2**40)),
    st.one_of(st.none(), st.integers(-1, 10**6)),
)
def test_the_report_refuses_in_words(config, size, dtype, buffer_bytes, prompt_tokens):
    try:
        report = kv_report(
            config,
            tensor_parallel_size=size,
            chunk_tokens=256,
            kv_cache_dtype=dtype,
            buffer_bytes=buffer_bytes,
            prompt_tokens=prompt_tokens,
        )
    except SizingError as error:
        assert str(error)
        return
    assert report["page_bytes"] == 256 * report["bytes_per_token_per_rank"]
