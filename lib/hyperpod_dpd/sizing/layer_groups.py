"""Heads and widths of a model's attention layers, grouped by what they cache per token."""

from dataclasses import dataclass, replace

from hyperpod_dpd.sizing import architectures
from hyperpod_dpd.sizing.config_fields import ConfigFields
from hyperpod_dpd.sizing.errors import UnknownGeometry
from hyperpod_dpd.sizing.findings import APPROXIMATE, LOWER, UPPER, Findings
from hyperpod_dpd.sizing.layer_kinds import BOTH, CHUNKED, FULL, SLIDING, WINDOWED, LayerPlan

LATENT = "latent"

# A head is thousands of elements wide at most; these bounds only catch spoiled files.
MOST_HEADS = 100_000
WIDEST = 10_000_000


@dataclass(frozen=True, slots=True)
class LayerGroup:
    """Layers alike: `count` of them cache, per token, `kv_heads` heads of `key_dim` plus `value_dim`
    elements.

    `kind` is full, sliding, chunked, or latent (one vector per token, the same on every rank, value_dim 0).
    """

    kind: str
    count: int
    kv_heads: int
    key_dim: int
    value_dim: int
    window_tokens: int | None = None


def is_latent(text: ConfigFields) -> bool:
    """True for multi-head latent attention, whose num_key_value_heads is a trap."""
    return text.integer("kv_lora_rank", maximum=WIDEST) is not None and text.flag("use_mla") is not False


def latent_groups(
    text: ConfigFields, plan: LayerPlan, *, model_type: str | None, heads: int, findings: Findings
) -> tuple[LayerGroup, ...]:
    """The latent layers of a model: kv_lora_rank plus qk_rope_head_dim elements each."""
    rank = required(text, "kv_lora_rank", maximum=WIDEST)
    rope = required(text, "qk_rope_head_dim", maximum=WIDEST)
    count = sum(kind in (FULL, BOTH) for kind in plan.kinds)
    windowed = sum(kind in WINDOWED for kind in plan.kinds)
    if windowed:
        raise UnknownGeometry(
            f"{plan.source} mixes latent attention with {windowed} windowed layers, whose cache is not "
            "known here: "
            "give the bytes per token from the engine's start-up log"
        )
    if not count:
        return ()
    if model_type in architectures.LATENT_EXPANDED:
        width = required(text, "qk_nope_head_dim", maximum=WIDEST) + rope
        findings.doubt(
            APPROXIMATE,
            f"vLLM is understood to expand the latent of {model_type} and to cache every head (unconfirmed)",
        )
        return (LayerGroup(FULL, count, heads, width, width),)
    if model_type not in architectures.LATENT:
        findings.doubt(
            LOWER,
            f"model type {model_type!r} is not among those whose latent is known to be cached as such; an "
            "engine that "
            "expands it needs many times these bytes",
        )
    findings.note(
        f"latent attention: kv_lora_rank {rank} + qk_rope_head_dim {rope} elements per layer and token, the "
        "whole of "
        "it on every rank (not divided by the tensor-parallel size); num_key_value_heads plays no part"
    )
    return (LayerGroup(LATENT, count, 1, rank + rope, 0),)


def indexer_bytes_per_layer(text: ConfigFields, groups: tuple[LayerGroup, ...], findings: Findings) -> int:
    """Bytes per layer and token of a sparse-attention indexer: an 8-bit key and a 4-byte scale per 128
    elements."""
    width = text.integer("index_head_dim", maximum=WIDEST)
    if width is None and not text.has("index_topk"):
        return 0
    if width is None:
        findings.doubt(
            LOWER, "a sparse-attention indexer keeps a cache of its own, whose size the config does not give"
        )
        return 0
    per_layer = width + 4 * -(-width // 128)
    total = per_layer * sum(group.count for group in groups)
    findings.doubt(
        LOWER,
        f"only the attention part is counted: the sparse-attention indexer keeps about {per_layer} more "
        "bytes per "
        f"layer and token ({total} in all) on every rank; whether the PD buffer carries them is unconfirmed",
    )
    return per_layer


def required(fields: ConfigFields, key: str, *others: str, maximum: int) -> int:
    """A field without which there is no figure, under any of its names; UnknownGeometry when it is
    missing."""
    value = fields.integer(key, *others, maximum=maximum)
    if value is None:
        also = f" (also read as {', '.join(others)})" if others else ""
        raise UnknownGeometry(
            f"{fields.name_of(key)} is missing, and the defaults of a model's code are not guessed: give "
            f"it{also}"
        )
    return value


def head_groups(
    text: ConfigFields,
    plan: LayerPlan,
    *,
    model_type: str | None,
    heads: int,
    hidden: int | None,
    position: int | None,
    findings: Findings,
) -> tuple[LayerGroup, ...]:
    """The layers with ordinary keys and values, grouped by shape and window."""
    width = _head_width(text, heads, hidden)
    kv_heads = _kv_heads(text, plan, model_type, heads, findings)
    value_width = text.integer("v_head_dim", maximum=WIDEST) or width
    wide = text.integer("global_head_dim", maximum=WIDEST)
    full = LayerGroup(
        kind=FULL,
        count=0,
        kv_heads=text.integer("num_global_key_value_heads", maximum=MOST_HEADS) or kv_heads,
        key_dim=wide or width,
        value_dim=wide or value_width,
    )
    windowed = LayerGroup(
        kind=SLIDING,
        count=0,
        kv_heads=text.integer("swa_num_key_value_heads", maximum=MOST_HEADS) or kv_heads,
        key_dim=text.integer("swa_head_dim", maximum=WIDEST) or width,
        value_dim=text.integer("swa_v_head_dim", maximum=WIDEST) or value_width,
        window_tokens=plan.window_tokens,
    )
    unbound = plan.window_tokens is not None and position is not None and plan.window_tokens >= position
    counted: dict[LayerGroup, int] = {}
    for index, kind in enumerate(plan.kinds):
        if kind in WINDOWED:
            group = (
                replace(windowed, kind=kind)
                if not unbound
                else replace(windowed, kind=FULL, window_tokens=None)
            )
        elif kind in (FULL, BOTH):
            own = plan.kv_heads[index] if plan.kv_heads is not None else None
            group = replace(full, kv_heads=own or full.kv_heads)
        else:
            continue
        counted[group] = counted.get(group, 0) + 1
    groups = tuple(replace(group, count=count) for group, count in counted.items())
    for group in groups:
        if group.kv_heads > heads or heads % group.kv_heads:
            raise UnknownGeometry(
                f"{group.kv_heads} KV heads cannot share {heads} attention heads evenly: "
                "num_key_value_heads must "
                "divide num_attention_heads"
            )
    _note_shapes(groups, findings)
    return groups


def attention_name(groups: tuple[LayerGroup, ...], heads: int) -> str:
    """The field's name for how these layers share heads, or that they slide."""
    if any(group.kind == LATENT for group in groups):
        return "multi-head-latent"
    if any(group.kind == SLIDING for group in groups):
        return "sliding-window"
    kv_heads = {group.kv_heads for group in groups}
    if kv_heads == {heads}:
        return "multi-head"
    return "multi-query" if kv_heads == {1} else "grouped-query"


def _head_width(text: ConfigFields, heads: int, hidden: int | None) -> int:
    explicit = text.integer(
        "head_dim", "attention_head_dim", "hidden_size_per_head", "kv_channels", maximum=WIDEST
    )
    if explicit is not None:
        return explicit
    if hidden is None:
        raise UnknownGeometry(
            f"{text.name_of('head_dim')} and {text.name_of('hidden_size')} are both missing: give head_dim"
        )
    if hidden % heads:
        raise UnknownGeometry(
            f"hidden_size {hidden} is not a multiple of the {heads} attention heads: give head_dim explicitly"
        )
    return hidden // heads


def _kv_heads(
    text: ConfigFields, plan: LayerPlan, model_type: str | None, heads: int, findings: Findings
) -> int:
    nested = text.section("attn_config")
    if nested is not None and nested.has("kv_n_heads"):
        return required(nested, "kv_n_heads", maximum=MOST_HEADS)
    # Falcon's newer decoder ignores multi_query and states its KV heads.
    if text.flag("multi_query") and not text.flag("new_decoder_architecture"):
        return 1
    chatglm = text.integer("multi_query_group_num", maximum=MOST_HEADS)
    if chatglm is not None:
        return heads if text.flag("multi_query_attention") is False else chatglm
    others = ("num_kv_heads", "n_head_kv", "n_kv_heads", "num_attention_groups", "num_query_groups")
    stated = text.integer("num_key_value_heads", *others, maximum=MOST_HEADS)
    if stated is not None:
        return stated
    if plan.kv_heads is None and model_type not in architectures.MULTI_HEAD_BY_DEFAULT:
        findings.doubt(
            UPPER,
            "num_key_value_heads is not given: one KV head per attention head is assumed, the most there "
            "can be; "
            "give the field",
        )
    return heads


def _note_shapes(groups: tuple[LayerGroup, ...], findings: Findings) -> None:
    sliding = sum(group.count for group in groups if group.kind == SLIDING)
    chunked = sum(group.count for group in groups if group.kind == CHUNKED)
    full = sum(group.count for group in groups if group.kind == FULL)
    if sliding:
        findings.doubt(
            UPPER,
            f"{sliding} layers use a sliding window, {full} full attention. Every layer is counted for "
            "every token: "
            "that is what vLLM keeps when its KV connector does not support hybrid caches, and an upper "
            "bound where "
            "it does (there sliding layers stop growing at the window)",
        )
    if chunked:
        findings.note(
            f"{chunked} layers attend in chunks, {full} to everything. All are counted for every token: "
            "vLLM keeps "
            "chunked layers in full when a KV connector is configured"
        )
    if any(group.key_dim != group.value_dim for group in groups):
        findings.doubt(
            APPROXIMATE, "keys and values differ in width; an engine that pads them to one width needs more"
        )
    if len({(group.kv_heads, group.key_dim, group.value_dim) for group in groups}) > 1:
        findings.doubt(
            APPROXIMATE,
            "layers differ in the shape of their cache, while LMCache 0.4.3 describes a page by one shape: "
            "whether it "
            "serves such a model, and with which page, is unconfirmed",
        )
