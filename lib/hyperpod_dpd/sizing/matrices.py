"""The weight matrices of a model, layer by layer, under the names its checkpoint uses for them."""

from collections.abc import Iterator
from dataclasses import dataclass

from hyperpod_dpd.sizing.config_fields import ConfigFields
from hyperpod_dpd.sizing.errors import UnknownGeometry
from hyperpod_dpd.sizing.feed_forward import FeedForward
from hyperpod_dpd.sizing.layer_groups import LATENT, LayerGroup
from hyperpod_dpd.sizing.layer_kinds import FULL, NOTHING, RECURRENT, WINDOWED


@dataclass(frozen=True, slots=True)
class Matrix:
    """`count` matrices alike of `rows` outputs and `columns` inputs; vectors have one column."""

    name: str
    rows: int
    columns: int
    count: int = 1
    linear: bool = True
    routed_expert: bool = False

    @property
    def elements(self) -> int:
        return self.rows * self.columns * self.count


def matrices(
    text: ConfigFields,
    *,
    tied: bool,
    hidden: int,
    vocabulary: int,
    heads: int,
    kinds: tuple[str, ...],
    groups: tuple[LayerGroup | None, ...],
    feed_forward: FeedForward,
) -> Iterator[Matrix]:
    """Every weight of the language model. Raises UnknownGeometry where a width is not known."""
    yield Matrix("embed_tokens", vocabulary, hidden, linear=False)
    if not tied:
        yield Matrix("lm_head", vocabulary, hidden)
    yield Matrix("norm", hidden, 1, linear=False)
    biased = text.raw("attention_bias") is True or text.raw("qkv_bias") is True
    for index, (kind, group) in enumerate(zip(kinds, groups, strict=True)):
        layer = f"layers.{index}"
        if group is not None and group.kind == LATENT:
            yield from _latent(text, f"{layer}.self_attn", index, hidden, heads)
        elif group is not None:
            yield from _attention(text, f"{layer}.self_attn", group, hidden, heads, biased=biased)
        elif kind == RECURRENT:
            yield from _gated_delta(text, f"{layer}.linear_attn", hidden)
        elif kind != NOTHING:
            raise UnknownGeometry(f"the weights of a layer of kind {kind} are not known")
        yield Matrix(f"{layer}.norms", 2 * hidden, 1, linear=False)
        for part in feed_forward.parts(index):
            yield Matrix(
                f"{layer}.{part.name}",
                part.rows,
                part.columns,
                part.count,
                linear=part.linear,
                routed_expert=part.routed_expert,
            )


def _attention(
    text: ConfigFields, place: str, group: LayerGroup, hidden: int, heads: int, *, biased: bool
) -> Iterator[Matrix]:
    if group.kind in WINDOWED:
        heads = text.integer("swa_num_attention_heads") or heads
    gated = 2 if text.raw("attn_output_gate") is True else 1
    query, keys, values = (
        heads * group.key_dim * gated,
        group.kv_heads * group.key_dim,
        group.kv_heads * group.value_dim,
    )
    yield Matrix(f"{place}.q_proj", query, hidden)
    yield Matrix(f"{place}.k_proj", keys, hidden)
    if not (group.kind == FULL and text.raw("attention_k_eq_v") is True):
        yield Matrix(f"{place}.v_proj", values, hidden)
    yield Matrix(f"{place}.o_proj", hidden, heads * group.value_dim)
    if biased:
        yield Matrix(f"{place}.biases", query + keys + values, 1, linear=False)


def _latent(text: ConfigFields, place: str, index: int, hidden: int, heads: int) -> Iterator[Matrix]:
    rank = text.integer("kv_lora_rank") or 0
    rope = text.integer("qk_rope_head_dim") or 0
    nope = text.integer("qk_nope_head_dim")
    value = text.integer("v_head_dim")
    if nope is None or value is None:
        raise UnknownGeometry("qk_nope_head_dim and v_head_dim are needed to count the weights")
    query_rank = text.integer("q_lora_rank")
    query = heads * (nope + rope)
    if query_rank:
        yield Matrix(f"{place}.q_a_proj", query_rank, hidden)
        yield Matrix(f"{place}.q_b_proj", query, query_rank)
    else:
        yield Matrix(f"{place}.q_proj", query, hidden)
    yield Matrix(f"{place}.kv_a_proj_with_mqa", rank + rope, hidden)
    yield Matrix(f"{place}.kv_b_proj", heads * (nope + value), rank)
    yield Matrix(f"{place}.o_proj", hidden, heads * value)
    width = text.integer("index_head_dim")
    kinds = text.texts("indexer_types")
    if width is not None and (kinds is None or index >= len(kinds) or kinds[index] == "full"):
        indexers = text.integer("index_n_heads") or heads
        yield Matrix(f"{place}.indexer.wq_b", indexers * width, query_rank or hidden)
        yield Matrix(f"{place}.indexer.wk", width, hidden)
        yield Matrix(f"{place}.indexer.weights_proj", indexers, hidden, linear=False)


def _gated_delta(text: ConfigFields, place: str, hidden: int) -> Iterator[Matrix]:
    key_heads = text.integer("linear_num_key_heads")
    value_heads = text.integer("linear_num_value_heads")
    key_dim = text.integer("linear_key_head_dim")
    value_dim = text.integer("linear_value_head_dim")
    kernel = text.integer("linear_conv_kernel_dim")
    if key_heads is None or value_heads is None or key_dim is None or value_dim is None or kernel is None:
        raise UnknownGeometry("the weights of these recurrent layers are not known")
    keys, values = key_heads * key_dim, value_heads * value_dim
    yield Matrix(f"{place}.in_proj_qkv", 2 * keys + values, hidden)
    yield Matrix(f"{place}.in_proj_z", values, hidden)
    yield Matrix(f"{place}.in_proj_a", value_heads, hidden, linear=False)
    yield Matrix(f"{place}.in_proj_b", value_heads, hidden, linear=False)
    yield Matrix(f"{place}.conv1d", 2 * keys + values, kernel, linear=False)
    yield Matrix(f"{place}.out_proj", hidden, values)
