"""Weights counted a second way, for the tests alone: every tensor of a checkpoint by its shape, family by family.

Shares no code with hyperpod_dpd, so that a slip there is not repeated here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from math import ceil, prod
from typing import Any

Tensor = tuple[str, tuple[int, ...]]
LATENT = {"deepseek_v3", "deepseek_v32", "kimi_k2", "glm_moe_dsa"}
HEADS = {
    "llama",
    "qwen2",
    "qwen3",
    "qwen3_moe",
    "qwen3_vl_text",
    "qwen3_vl_moe_text",
    "mixtral",
    "minimax_m2",
    "mimo",
}
HEADS |= {"gpt_oss", "llama4_text", "gemma4_text", "qwen3_5_text", "qwen3_5_moe_text", "mimo_v2_flash"}


def tensors(config: dict[str, Any]) -> Iterator[Tensor]:
    """Name and shape of every tensor of the language model. Raises KeyError for a family that is not known here."""
    text = config.get("text_config", config)
    family = text["model_type"]
    if family not in LATENT | HEADS:
        raise KeyError(family)
    width = text["hidden_size"]
    yield "model.embed_tokens", (text["vocab_size"], width)
    if not text.get("tie_word_embeddings", config.get("tie_word_embeddings", False)):
        yield "lm_head", (text["vocab_size"], width)
    for layer in range(text["num_hidden_layers"]):
        place = f"model.layers.{layer}"
        if family in LATENT:
            yield from _latent(text, place, layer)
        elif text.get("layer_types", ["full"] * 1000)[layer] == "linear_attention":
            yield from _delta(text, place)
        else:
            yield from _heads(text, place, layer)
        yield from _feed_forward(text, place, layer)


def _latent(text: dict[str, Any], place: str, layer: int) -> Iterator[Tensor]:
    width, heads, rank = text["hidden_size"], text["num_attention_heads"], text["q_lora_rank"]
    nope, rope, value, latent = (
        text[key] for key in ("qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim", "kv_lora_rank")
    )
    yield f"{place}.self_attn.q_a_proj", (rank, width)
    yield f"{place}.self_attn.q_b_proj", (heads * (nope + rope), rank)
    yield f"{place}.self_attn.kv_a_proj_with_mqa", (latent + rope, width)
    yield f"{place}.self_attn.kv_b_proj", (heads * (nope + value), latent)
    yield f"{place}.self_attn.o_proj", (width, heads * value)
    if "index_head_dim" in text and text.get("indexer_types", ["full"] * 1000)[layer] == "full":
        yield f"{place}.self_attn.indexer.wq_b", (text["index_n_heads"] * text["index_head_dim"], rank)
        yield f"{place}.self_attn.indexer.wk", (text["index_head_dim"], width)
        yield f"{place}.self_attn.indexer.weights_proj.gate", (text["index_n_heads"], width)


def _delta(text: dict[str, Any], place: str) -> Iterator[Tensor]:
    width = text["hidden_size"]
    keys = text["linear_num_key_heads"] * text["linear_key_head_dim"]
    values = text["linear_num_value_heads"] * text["linear_value_head_dim"]
    yield f"{place}.linear_attn.in_proj_qkv", (keys + keys + values, width)
    yield f"{place}.linear_attn.in_proj_z", (values, width)
    yield f"{place}.linear_attn.out_proj", (width, values)


def _heads(text: dict[str, Any], place: str, layer: int) -> Iterator[Tensor]:
    width, heads, kv_heads = text["hidden_size"], text["num_attention_heads"], text["num_key_value_heads"]
    size = text.get("head_dim") or width // heads
    value = text.get("v_head_dim") or size
    twice = 1
    shared = False
    if text["model_type"] == "mimo_v2_flash" and text["hybrid_layer_pattern"][layer]:
        kv_heads = text["swa_num_key_value_heads"]
    if text["model_type"] == "gemma4_text" and text["layer_types"][layer] == "full_attention":
        size = value = text["global_head_dim"]
        kv_heads, shared = text["num_global_key_value_heads"], text["attention_k_eq_v"]
    if text["model_type"].startswith("qwen3_5"):
        twice = 2  # a gate as wide as the query
    yield f"{place}.self_attn.q_proj", (heads * size * twice, width)
    yield f"{place}.self_attn.k_proj", (kv_heads * size, width)
    if not shared:
        yield f"{place}.self_attn.v_proj", (kv_heads * value, width)
    yield f"{place}.self_attn.o_proj", (width, heads * value)


def _feed_forward(text: dict[str, Any], place: str, layer: int) -> Iterator[Tensor]:
    width, dense = text["hidden_size"], text.get("intermediate_size") or 0
    experts = text.get("num_experts") or text.get("num_local_experts") or text.get("n_routed_experts") or 0
    each = text.get("moe_intermediate_size") or dense
    family = text["model_type"]
    inside = "block_sparse_moe" if family in ("mixtral", "minimax_m2") else "mlp"
    if family == "llama4_text":
        sparse = layer % text["interleave_moe_layer_step"] == text["interleave_moe_layer_step"] - 1
        dense = text["intermediate_size_mlp"]
    elif family == "mimo_v2_flash":
        sparse = text["moe_layer_freq"][layer] == 1
    else:
        sparse = bool(experts) and layer >= text.get("first_k_dense_replace", 0)
    if not sparse or family == "gemma4_text":
        yield from _three(f"{place}.mlp", width, dense)
    if not sparse:
        return
    yield f"{place}.{inside}.gate", (experts, width)
    at = f"{place}.experts" if family == "gemma4_text" else f"{place}.{inside}.experts"
    for name, (rows, columns) in _three(at + ".0", width, each):
        yield name, (experts, rows, columns)
    if family == "gpt_oss":
        yield f"{place}.mlp.gate.biases", (experts, 2 * each + width)
    if family == "llama4_text":
        yield from _three(f"{place}.mlp.shared_expert", width, each)
    if text.get("n_shared_experts"):
        yield from _three(f"{place}.mlp.shared_experts", width, each * text["n_shared_experts"])
    if text.get("shared_expert_intermediate_size"):
        yield from _three(f"{place}.mlp.shared_expert", width, text["shared_expert_intermediate_size"])


def _three(place: str, width: int, inner: int) -> list[tuple[str, tuple[int, int]]]:
    return [
        (f"{place}.gate_proj", (inner, width)),
        (f"{place}.up_proj", (inner, width)),
        (f"{place}.down_proj", (width, inner)),
    ]


def stored_bytes(config: dict[str, Any], quant_config: dict[str, Any] | None = None) -> int:
    """Bytes of all tensors. Raises KeyError for a family or a quantisation that is not known here."""
    quantisation = config.get("quantization_config") or config.get("text_config", {}).get(
        "quantization_config"
    )
    if quant_config:
        quantisation = quant_config["quantization"]
    total = 0.0
    for name, shape in tensors(config):
        total += _tensor_bytes(name, shape, quantisation)
    return round(total)


def _tensor_bytes(name: str, shape: tuple[int, ...], quantisation: dict[str, Any] | None) -> float:
    number, rows, columns = prod(shape[:-2]), shape[-2] if len(shape) > 1 else 1, shape[-1]
    kept = 2.0 * prod(shape)
    if (
        quantisation is None
        or "embed_tokens" in name
        or "lm_head" in name
        or ".gate" in name.replace(".gate_proj", "")
    ):
        return kept
    method = (quantisation.get("quant_algo") or quantisation["quant_method"]).lower()
    left_out = [
        each
        for key in ("ignore", "exclude_modules", "modules_to_not_convert")
        for each in quantisation.get(key) or ()
    ]
    if any(_names(each, name) for each in left_out):
        return kept
    if method == "mxfp4":
        return prod(shape) * 17 / 32 if ".experts." in name else kept
    if method == "nvfp4":
        return prod(shape) * 9 / 16
    if method == "fbgemm_fp8":
        return number * rows * (columns + 4)
    if method == "fp8":
        scales = ceil(rows / 128) * ceil(columns / 128) * 4 if "weight_block_size" in quantisation else 4
        return number * (rows * columns + scales)
    if method == "compressed-tensors":
        weights = quantisation["config_groups"]["group_0"]["weights"]
        return number * rows * (columns * weights["num_bits"] / 8 + 2 * columns / weights["group_size"])
    raise KeyError(method)


def _names(pattern: str, name: str) -> bool:
    if pattern.startswith("re:"):
        return re.match(pattern[3:], name) is not None
    ours = pattern.replace("model.language_model.", "model.").replace("language_model.model.", "model.")
    if "*" in ours:
        return fnmatchcase(name, ours) or fnmatchcase(name, ours + ".*")
    return (
        name == ours
        or name.startswith(ours + ".")
        or (ours in ("gate", "lm_head") and ours in name.split("."))
    )
