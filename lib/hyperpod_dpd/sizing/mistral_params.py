"""Mistral's own params.json in the spelling of a config.json: read whole, or refused."""

from __future__ import annotations

from collections.abc import Mapping

from hyperpod_dpd.sizing.errors import UnknownGeometry

_NAMES = {
    "dim": "hidden_size",
    "n_layers": "num_hidden_layers",
    "hidden_dim": "intermediate_size",
    "n_heads": "num_attention_heads",
    "n_kv_heads": "num_key_value_heads",
    "head_dim": "head_dim",
    "vocab_size": "vocab_size",
    "sliding_window": "sliding_window",
    "tied_embeddings": "tie_word_embeddings",
    "max_position_embeddings": "max_position_embeddings",
    "max_seq_len": "max_position_embeddings",
    "model_max_length": "max_position_embeddings",
    "kv_lora_rank": "kv_lora_rank",
    "q_lora_rank": "q_lora_rank",
    "qk_rope_head_dim": "qk_rope_head_dim",
    "qk_nope_head_dim": "qk_nope_head_dim",
    "v_head_dim": "v_head_dim",
    "vision_encoder": "vision_config",
    "quantization_config": "quantization_config",
}
_EXPERTS = {
    "num_experts": "n_routed_experts",
    "num_experts_per_tok": "num_experts_per_tok",
    "expert_hidden_dim": "moe_intermediate_size",
    "num_shared_experts": "n_shared_experts",
    "first_k_dense_replace": "first_k_dense_replace",
    "route_every_n": "moe_layer_freq",
}
# Say nothing of the shape of weights or cache.
_WITHOUT_SHAPE = frozenset(
    {
        "norm_eps",
        "rope_theta",
        "yarn",
        "llama_4_scaling",
        "causal",
        "dtype",
        "torch_dtype",
        "model_type",
        "use_biases",
        "ragged_attention",
        "multimodal",
    }
)
_EXPERTS_WITHOUT_SHAPE = frozenset(
    {
        "num_expert_groups",
        "num_expert_groups_per_tok",
        "routed_scale",
        "router_bias",
        "expert_parallel",
        "expert_model_parallel",
        "aux_loss_coef",
    }
)


def is_mistral(config: Mapping[str, object]) -> bool:
    """True for the format of Mistral's params.json, which names the hidden size ``dim``."""
    return all(key in config for key in ("dim", "n_layers", "n_heads"))


def as_config(params: Mapping[str, object]) -> dict[str, object]:
    """The same model as config.json would say it. Raises UnknownGeometry for a key that is not read."""
    moe = params.get("moe")
    unread = [
        key
        for key, value in params.items()
        if value is not None and key not in _NAMES and key not in _WITHOUT_SHAPE and key != "moe"
    ]
    if isinstance(moe, Mapping):
        unread += [f"moe.{key}" for key in moe if key not in _EXPERTS and key not in _EXPERTS_WITHOUT_SHAPE]
    if unread:
        raise UnknownGeometry(
            f"params.json has {', '.join(unread)}, which may change the size of weights or cache and is not read: give "
            "the model's config.json"
        )
    latent = params.get("kv_lora_rank") is not None
    config: dict[str, object] = {
        "model_type": "deepseek_v3" if latent else "mistral",
        "torch_dtype": "bfloat16",
    }
    config |= {_NAMES[key]: value for key, value in params.items() if key in _NAMES and value is not None}
    if isinstance(moe, Mapping):
        missing = [key for key in ("num_experts", "expert_hidden_dim") if moe.get(key) is None]
        if missing:
            raise UnknownGeometry(
                f"params.json has experts without moe.{missing[0]}: give the model's config.json"
            )
        if not latent:
            config["model_type"] = "mixtral"
        config |= {
            _EXPERTS[key]: value for key, value in moe.items() if key in _EXPERTS and value is not None
        }
        if config.get("moe_layer_freq") == 0:
            del config["moe_layer_freq"]
    elif moe is not None:
        raise UnknownGeometry("params.json has a moe that is no object: give the model's config.json")
    return config
