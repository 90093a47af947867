"""The feed-forward part of each layer: dense, or experts with shared ones beside them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hyperpod_dpd.sizing import architectures
from hyperpod_dpd.sizing.config_fields import ConfigFields
from hyperpod_dpd.sizing.errors import UnknownGeometry


@dataclass(frozen=True, slots=True)
class Part:
    """Matrices alike of one layer, named within the layer."""

    name: str
    rows: int
    columns: int
    count: int = 1
    linear: bool = True
    routed_expert: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedForward:
    """Widths in elements. ``dense`` and ``sparse`` say of each layer what it holds; some families hold both."""

    hidden: int
    gated: bool
    dense: tuple[int, ...]
    """Width of the dense part of each layer, 0 where there is none."""
    sparse: tuple[bool, ...]
    experts: int = 0
    expert_width: int = 0
    shared_width: int = 0
    shared_name: str = "shared_experts"
    shared_gate: bool = False
    idle_experts: int = 0
    """Experts without weights, which the router chooses among all the same."""
    beside: str = "mlp"
    biased: bool = False

    def parts(self, index: int) -> Iterator[Part]:
        """The matrices of layer ``index``."""
        if self.dense[index]:
            yield from self._projections("mlp", self.dense[index])
        if not self.sparse[index]:
            return
        yield Part("mlp.gate", self.experts + self.idle_experts, self.hidden, linear=False)
        yield from self._projections(
            f"{self.beside}experts.0", self.expert_width, count=self.experts, routed_expert=True
        )
        if self.biased:
            biases = self.expert_width * (2 if self.gated else 1) + self.hidden
            yield Part("mlp.experts.biases", biases, 1, self.experts, linear=False)
        if self.shared_width:
            yield from self._projections(f"mlp.{self.shared_name}", self.shared_width)
        if self.shared_gate:
            yield Part("mlp.shared_expert_gate", 1, self.hidden, linear=False)

    def _projections(
        self, place: str, width: int, *, count: int = 1, routed_expert: bool = False
    ) -> Iterator[Part]:
        if self.gated:
            yield Part(f"{place}.gate_proj", width, self.hidden, count, routed_expert=routed_expert)
        yield Part(f"{place}.up_proj", width, self.hidden, count, routed_expert=routed_expert)
        yield Part(f"{place}.down_proj", self.hidden, width, count, routed_expert=routed_expert)


def read_feed_forward(text: ConfigFields, *, model_type: str | None, hidden: int, layers: int) -> FeedForward:
    """Reads the widths. Raises UnknownGeometry where experts are mentioned and cannot be counted."""
    gated = model_type not in architectures.UNGATED_FEED_FORWARD
    if text.has("block_configs"):
        return FeedForward(
            hidden=hidden, gated=gated, dense=_of_blocks(text, hidden), sparse=(False,) * layers
        )
    for key in ("moe_layers_enum", "moe_latent_size", "routed_expert_hidden_size", "expert_layer_period"):
        if text.has(key):
            raise UnknownGeometry(f"{text.name_of(key)} arranges experts in a way that is not counted")
    dense = text.integer(
        "intermediate_size_mlp", "n_inner", "ffn_hidden_size", "dense_intermediate_size"
    ) or (text.integer("intermediate_size", "ffn_dim", "hidden_dim") or 4 * hidden)
    shape = _expert_shape(text)
    if shape is None:
        if text.has("moe") or text.raw("enable_moe_block") is True:
            raise UnknownGeometry("experts are mentioned and not described")
        return FeedForward(hidden=hidden, gated=gated, dense=(dense,) * layers, sparse=(False,) * layers)
    count, width, shared = shape
    sparse = _sparse_layers(text, layers)
    widths = tuple(0 if holds else dense for holds in sparse)
    if model_type in architectures.TWO_ATTENTIONS_PER_LAYER:
        sparse = tuple(index % 2 == 0 for index in range(layers))
        widths = (dense,) * layers
    both = text.raw("enable_moe_block") is True
    return FeedForward(
        hidden=hidden,
        gated=gated,
        dense=(dense,) * layers if both else widths,
        sparse=sparse,
        experts=count,
        expert_width=width,
        shared_width=shared,
        shared_name="shared_expert" if text.has("shared_expert_intermediate_size") else "shared_experts",
        shared_gate=text.has("shared_expert_intermediate_size"),
        idle_experts=text.integer("zero_expert_num", minimum=0) or 0,
        beside="" if both else "mlp.",
        biased=model_type == "gpt_oss",
    )


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
    shared = text.integer(
        "shared_expert_intermediate_size",
        "moe_shared_expert_intermediate_size",
        "shared_intermediate_size",
        "share_expert_dim",
        minimum=0,
    )
    if shared is None:
        number = text.integer("n_shared_experts", "num_shared_experts", "moe_num_shared_experts", minimum=0)
        shared = (number or 0) * width
    if text.has("interleave_moe_layer_step"):
        shared = width  # Llama 4 adds one shared expert without a field for it.
    return count, width, shared


def _sparse_layers(text: ConfigFields, layers: int) -> tuple[bool, ...]:
    """Which layers hold experts, by the rules of the families that mix them with dense ones."""
    named = text.texts("mlp_layer_types")
    if named is not None and len(named) >= layers:
        return tuple(kind != "dense" for kind in named[:layers])
    if isinstance(text.raw("moe_layer_freq"), list):
        flags = text.integers("moe_layer_freq") or ()
        if len(flags) < layers:
            raise UnknownGeometry("moe_layer_freq does not describe every layer")
        return tuple(flag == 1 for flag in flags[:layers])
    step = text.integer(
        "interleave_moe_layer_step", "decoder_sparse_step", "moe_layer_freq", "moe_layer_interval"
    )
    first = text.integer("first_k_dense_replace", "moe_layer_start_index", minimum=0) or 0
    last = text.integer("moe_layer_end_index", minimum=0)
    dense = set(text.integers("mlp_only_layers") or ())
    return tuple(
        first <= index <= (layers if last is None else last)
        and index not in dense
        and (index + 1 - first) % (step or 1) == 0
        for index in range(layers)
    )


def _of_blocks(text: ConfigFields, hidden: int) -> tuple[int, ...]:
    """Widths of architecture search: a multiple of the hidden size, two thirds for a gated part, in steps of 256."""
    widths: list[int] = []
    for index, block in enumerate(text.sequence("block_configs") or ()):
        ffn = ConfigFields(block, path=f"block_configs[{index}]").section("ffn")
        if ffn is None:
            raise UnknownGeometry("a block without ffn is not counted")
        factor = ffn.raw("ffn_mult")
        if ffn.raw("no_op") is True:
            widths.append(0)
        elif ffn.raw("replace_with_linear") is True or not isinstance(factor, int | float):
            raise UnknownGeometry("a block without ffn_mult is not counted")
        else:
            widths.append(-(-int(2 * factor * hidden / 3) // 256) * 256)
    return tuple(widths)
