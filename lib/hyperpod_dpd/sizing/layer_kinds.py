"""Kinds of layers by how they keep a KV cache, and the words by which config files call them."""

from dataclasses import dataclass

FULL = "full"
SLIDING = "sliding"
CHUNKED = "chunked"
RECURRENT = "recurrent"
BOTH = "both"
NOTHING = "nothing"
WINDOWED = (SLIDING, CHUNKED)

KIND_OF_NAME = {
    **dict.fromkeys(
        ("full_attention", "attention", "global_attention", "global", "full", "indexed_attention"), FULL
    ),
    **dict.fromkeys(
        ("sliding_attention", "local_attention", "sliding_window_attention", "local", "sliding"), SLIDING
    ),
    "deepseek_sparse_attention": FULL,
    "chunked_attention": CHUNKED,
    **dict.fromkeys(
        (
            *(
                "linear_attention",
                "mamba",
                "mamba2",
                "recurrent",
                "conv",
                "short_conv",
                "ssm",
                "gated_delta_net",
            ),
            *("lightning_attention", "kda", "gdn", "linear", "rwkv"),
        ),
        RECURRENT,
    ),
    "hybrid": BOTH,
    **dict.fromkeys(("mlp", "moe", "no_op", "noop"), NOTHING),
}

KIND_OF_LETTER = {"M": RECURRENT, "*": FULL, "-": NOTHING, "E": NOTHING}

# Any of these says that some layers keep a recurrent state; without a list of which, the cache cannot be
# counted.
RECURRENT_MARKS = (
    *(
        "mamba_",
        "ssm_",
        "lru_width",
        "rwkv",
        "linear_key_head_dim",
        "linear_num_key_heads",
        "linear_conv_kernel_dim",
    ),
    *("conv_L_cache", "short_conv", "state_size", "time_mix"),
)

SLIDING_WINDOW_KEYS = ("sliding_window", "sliding_window_size", "attention_window_size")


@dataclass(frozen=True, slots=True)
class LayerPlan:
    """The kind of every layer, the window of sliding or chunked ones, and per-layer KV heads where they
    differ."""

    kinds: tuple[str, ...]
    source: str
    window_tokens: int | None = None
    kv_heads: tuple[int | None, ...] | None = None
    notes: tuple[str, ...] = ()
