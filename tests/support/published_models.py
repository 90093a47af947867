"""A published model's config.json, made from its row in published_models.yaml."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import yaml

TABLE = Path(__file__).with_suffix(".yaml")
COLUMNS = {
    "type": "model_type",
    "layers": "num_hidden_layers",
    "hidden": "hidden_size",
    "feed_forward": "intermediate_size",
    "heads": "num_attention_heads",
    "kv_heads": "num_key_value_heads",
    "context": "max_position_embeddings",
    "vocabulary": "vocab_size",
    "expert_feed_forward": "moe_intermediate_size",
    "experts_per_token": "num_experts_per_tok",
    "routed_experts": "n_routed_experts",
    "shared_experts": "n_shared_experts",
    "dense_layers": "first_k_dense_replace",
    "draft_layers": "num_nextn_predict_layers",
    "pattern": "hybrid_override_pattern",
    "kv_rank": "kv_lora_rank",
    "q_rank": "q_lora_rank",
    "rope_dim": "qk_rope_head_dim",
    "nope_dim": "qk_nope_head_dim",
    "value_dim": "v_head_dim",
}
QUANTISATION = {
    "fp8": {"quant_method": "fp8", "fmt": "e4m3", "weight_block_size": [128, 128]},
    "fbgemm_fp8": {"quant_method": "fbgemm_fp8"},
    "mxfp4": {
        "quant_method": "mxfp4",
        "modules_to_not_convert": ["model.layers.*.self_attn", "model.layers.*.mlp.router", "lm_head"],
    },
    "int4_groups": {
        "quant_method": "compressed-tensors",
        "format": "pack-quantized",
        "config_groups": {
            "group_0": {
                "targets": ["Linear"],
                "weights": {"num_bits": 4, "group_size": 32, "symmetric": True},
            }
        },
        "ignore": [
            "lm_head",
            "re:.*self_attn.*",
            "re:.*shared_experts.*",
            r"re:.*mlp\.(gate|up|gate_up|down)_proj.*",
        ],
        "kv_cache_scheme": None,
    },
}
# What stands beside the config of these models.
QUANT_FILES = {
    "Llama-3.1-70B-Instruct-FP8": {
        "quantization": {"quant_algo": "FP8", "kv_cache_quant_algo": "FP8", "exclude_modules": ["lm_head"]}
    },
    "DeepSeek-V3.1-NVFP4": {
        "quantization": {
            "quant_algo": "NVFP4",
            "kv_cache_quant_algo": "FP8",
            "group_size": 16,
            "exclude_modules": [
                "lm_head",
                *(
                    f"model.layers.{layer}.self_attn.{name}"
                    for layer in range(61)
                    for name in ("kv_a_proj_with_mqa", "kv_b_proj", "q_a_proj", "q_b_proj")
                ),
            ],
        }
    },
    "NVIDIA-Nemotron-3-Super-120B-A12B-FP8": {
        "quantization": {"quant_algo": "FP8", "kv_cache_quant_algo": "FP8"}
    },
}


@cache
def _table() -> dict[str, dict[str, Any]]:
    rows: dict[str, dict[str, Any]] = yaml.safe_load(TABLE.read_text(encoding="utf-8"))
    return rows


def names() -> list[str]:
    return sorted(_table())


def config(name: str) -> dict[str, Any]:
    """A fresh config of one of `names`."""
    row = deepcopy(_table()[name])
    top: dict[str, Any] = {"architectures": [row.pop("class")], "model_type": row.pop("type")}
    if row.pop("vision", False):
        top["vision_config"] = {}
    if (method := row.pop("quantised", None)) is not None:
        top["quantization_config"] = deepcopy(QUANTISATION[method])
    figures: dict[str, Any] = {"tie_word_embeddings": row.pop("tied", False)}
    if "dtype" not in row:
        figures["torch_dtype"] = "bfloat16"
    nested = row.pop("nested", False)
    if isinstance(nested, str):
        figures["model_type"] = nested
    if (cycle := row.pop("layer_cycle", None)) is not None:
        once = [kind for kind, count in cycle.items() for _ in range(count)]
        figures["layer_types"] = once * (row["layers"] // len(once))
    figures |= {COLUMNS.get(column, column): value for column, value in row.items() if value is not None}
    return {**top, "text_config": figures} if nested else {**top, **figures}
