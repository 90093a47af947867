"""State that Mamba and linear-attention layers keep per sequence: small per token, large per request."""

from dataclasses import dataclass

from hyperpod_dpd.sizing.config_fields import ConfigFields
from hyperpod_dpd.sizing.errors import UnknownGeometry


@dataclass(frozen=True, slots=True)
class RecurrentState:
    """An estimate, in elements over all ranks, of one sequence's state in one layer."""

    layers: int
    convolution_elements: int
    state_elements: int
    state_bits: int

    def bytes_per_sequence_per_rank(self, *, tensor_parallel_size: int, convolution_bits: int = 16) -> int:
        """Bytes one running sequence holds on one rank, rounded up; both parts are split over the ranks."""
        bits = self.convolution_elements * convolution_bits + self.state_elements * self.state_bits
        return self.layers * -(-bits // (8 * tensor_parallel_size))


def read_recurrent_state(text: ConfigFields, *, layers: int) -> RecurrentState | None:
    """The state of a family whose fields are known; None when they are not, or are malformed."""
    try:
        return _gated_delta(text, layers) or _second_mamba(text, layers) or _first_mamba(text, layers)
    except UnknownGeometry:
        return None


def _state_bits(text: ConfigFields, key: str) -> int:
    return 32 if text.raw(key) == "float32" else 16


def _gated_delta(text: ConfigFields, layers: int) -> RecurrentState | None:
    key_heads = text.integer("linear_num_key_heads")
    value_heads = text.integer("linear_num_value_heads")
    key_dim = text.integer("linear_key_head_dim")
    value_dim = text.integer("linear_value_head_dim")
    kernel = text.integer("linear_conv_kernel_dim")
    if key_heads is None or value_heads is None or key_dim is None or value_dim is None or kernel is None:
        return None
    return RecurrentState(
        layers=layers,
        convolution_elements=(2 * key_heads * key_dim + value_heads * value_dim) * (kernel - 1),
        state_elements=value_heads * value_dim * key_dim,
        state_bits=_state_bits(text, "mamba_ssm_dtype"),
    )


def _second_mamba(text: ConfigFields, layers: int) -> RecurrentState | None:
    heads = text.integer("mamba_num_heads", "mamba_n_heads")
    width = text.integer("mamba_head_dim", "mamba_d_head")
    state = text.integer("ssm_state_size", "mamba_d_state")
    groups = text.integer("n_groups", "mamba_n_groups")
    kernel = text.integer("conv_kernel", "mamba_d_conv")
    if heads is None or width is None or state is None or groups is None or kernel is None:
        return None
    return RecurrentState(
        layers=layers,
        convolution_elements=(heads * width + 2 * groups * state) * (kernel - 1),
        state_elements=heads * width * state,
        state_bits=_state_bits(text, "mamba_ssm_cache_dtype"),
    )


def _first_mamba(text: ConfigFields, layers: int) -> RecurrentState | None:
    hidden = text.integer("hidden_size")
    expand = text.integer("mamba_expand")
    state = text.integer("mamba_d_state")
    kernel = text.integer("mamba_d_conv")
    if hidden is None or expand is None or state is None or kernel is None:
        return None
    inner = hidden * expand
    return RecurrentState(
        layers=layers,
        convolution_elements=inner * (kernel - 1),
        state_elements=inner * state,
        state_bits=16,
    )
