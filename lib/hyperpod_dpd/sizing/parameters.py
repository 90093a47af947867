"""How many weights a model has, from its config: an estimate within a per cent, for the memory left to the
cache."""

from collections.abc import Mapping
from dataclasses import dataclass

from hyperpod_dpd.sizing import architectures
from hyperpod_dpd.sizing.config_fields import ConfigFields
from hyperpod_dpd.sizing.errors import UnknownGeometry
from hyperpod_dpd.sizing.layer_groups import LATENT, LayerGroup
from hyperpod_dpd.sizing.weights import WeightFormat


@dataclass(frozen=True, slots=True)
class ParameterCount:
    """Weights by what quantisation does to them.

    `kept` (embeddings, norms, routers) stay in the model's dtype; `linear` and `experts` (the routed ones)
    may be quantised.
    """

    kept: int
    linear: int
    experts: int

    @property
    def total(self) -> int:
        """All weights of the language model; vision towers and draft layers are not in it."""
        return self.kept + self.linear + self.experts

    def weight_bytes(self, weights: WeightFormat) -> int:
        """Bytes of all weights over all ranks, rounded up."""
        kept, quantised = self.kept, self.linear + self.experts
        if weights.name == "mxfp4" and self.experts:
            kept, quantised = self.kept + self.linear, self.experts
        bits = kept * weights.kept_bits + quantised * weights.quantised_bits
        return -int(-bits // 8)


def count_parameters(
    top: ConfigFields,
    text: ConfigFields,
    *,
    model_type: str | None,
    layers: int,
    heads: int,
    groups: tuple[LayerGroup, ...],
) -> ParameterCount | None:
    """Weights of a plain or mixture-of-experts transformer; None where the fields do not say (hybrids among
    them)."""
    if sum(group.count for group in groups) != layers:
        return None
    try:
        return _count(top, text, model_type, layers, heads, groups)
    except UnknownGeometry:
        return None


def _count(
    top: ConfigFields,
    text: ConfigFields,
    model_type: str | None,
    layers: int,
    heads: int,
    groups: tuple[LayerGroup, ...],
) -> ParameterCount | None:
    hidden = text.integer("hidden_size", "n_embd", "n_embed", "d_model", "dim")
    vocabulary = text.integer("vocab_size", "padded_vocab_size")
    if hidden is None or vocabulary is None or text.has("block_configs"):
        return None
    tied = text.raw("tie_word_embeddings")
    if not isinstance(tied, bool):
        tied = top.raw("tie_word_embeddings") is True
    kept = vocabulary * hidden * (1 if tied else 2) + hidden * (2 * layers + 1)
    linear = sum(group.count * _attention(text, group, hidden, heads) for group in groups)
    matrices = 2 if model_type in architectures.UNGATED_FEED_FORWARD else 3
    dense_width = text.integer("intermediate_size_mlp", "n_inner", "ffn_hidden_size") or (
        text.integer("intermediate_size", "ffn_dim", "hidden_dim") or 4 * hidden
    )
    experts = _expert_shape(text)
    if experts is None:
        return ParameterCount(kept, linear + layers * matrices * hidden * dense_width, 0)
    count, width, shared_width = experts
    sparse = sum(_sparse_layers(text, layers))
    linear += (layers - sparse) * matrices * hidden * dense_width
    linear += sparse * matrices * hidden * shared_width
    return ParameterCount(
        kept=kept + sparse * hidden * count,
        linear=linear,
        experts=sparse * count * matrices * hidden * width,
    )


def _attention(text: ConfigFields, group: LayerGroup, hidden: int, heads: int) -> int:
    """Weights of the projections of one layer."""
    if group.kind != LATENT:
        query = hidden * heads * group.key_dim
        keys_and_values = hidden * group.kv_heads * (group.key_dim + group.value_dim)
        return query + keys_and_values + heads * group.value_dim * hidden
    rank = text.integer("kv_lora_rank") or 0
    rope = text.integer("qk_rope_head_dim") or 0
    nope = text.integer("qk_nope_head_dim")
    value = text.integer("v_head_dim")
    if nope is None or value is None:
        raise UnknownGeometry("qk_nope_head_dim and v_head_dim are needed to count the weights")
    query_rank = text.integer("q_lora_rank")
    query_width = heads * (nope + rope)
    query = hidden * query_rank + query_rank * query_width if query_rank else hidden * query_width
    return query + hidden * (rank + rope) + rank * heads * (nope + value) + heads * value * hidden


def _expert_shape(text: ConfigFields) -> tuple[int, int, int] | None:
    """Routed experts, width of one, width of the shared ones together; None for a dense model."""
    nested = text.raw("ffn_config")
    if isinstance(nested, Mapping):
        ffn = ConfigFields(nested, path="ffn_config")
        count, width = ffn.integer("moe_num_experts"), ffn.integer("ffn_hidden_size")
        return (count, width, 0) if count and width else None
    count = text.integer("num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts")
    if count is None or count == 1:
        return None
    width = text.integer("moe_intermediate_size", "expert_ffn_hidden_size") or text.integer(
        "intermediate_size"
    )
    if width is None:
        raise UnknownGeometry("moe_intermediate_size is needed to count the weights")
    shared = text.integer("shared_expert_intermediate_size", "shared_intermediate_size", minimum=0)
    if shared is None:
        shared = (text.integer("n_shared_experts", "num_shared_experts", minimum=0) or 0) * width
    if text.has("interleave_moe_layer_step"):
        shared = width  # Llama 4 adds one shared expert without a field for it.
    return count, width, shared


def _sparse_layers(text: ConfigFields, layers: int) -> list[bool]:
    """Which layers hold experts, by the rules of the families that mix them with dense ones."""
    step = text.integer("interleave_moe_layer_step", "decoder_sparse_step", "moe_layer_freq") or 1
    first_dense = text.integer("first_k_dense_replace", minimum=0) or 0
    dense = set(text.integers("mlp_only_layers") or ())
    return [
        index >= first_dense and index not in dense and (index + 1 - first_dense) % step == 0
        for index in range(layers)
    ]
