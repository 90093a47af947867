"""Which layers of a model keep a KV cache, and how: read from the many spellings config files use for it."""

import reprlib

from hyperpod_dpd.sizing import architectures
from hyperpod_dpd.sizing.config_fields import ConfigFields
from hyperpod_dpd.sizing.errors import UnknownGeometry
from hyperpod_dpd.sizing.layer_kinds import (
    BOTH,
    CHUNKED,
    FULL,
    KIND_OF_LETTER,
    KIND_OF_NAME,
    NOTHING,
    RECURRENT,
    RECURRENT_MARKS,
    SLIDING,
    SLIDING_WINDOW_KEYS,
    LayerPlan,
)


def read_layer_plan(fields: ConfigFields, *, layers: int, heads: int, model_type: str | None) -> LayerPlan:
    """Kinds of the `layers` layers of a text config; UnknownGeometry where the config leaves it open."""
    for reader in (_from_blocks, _from_letters, _from_names, _from_indices, _from_period):
        plan = reader(fields, layers, heads)
        if plan is not None:
            return _with_window(plan, fields)
    if model_type in architectures.PARALLEL_HYBRID:
        return LayerPlan(
            kinds=(BOTH,) * layers, source=f"model_type {model_type}: attention and state in every layer"
        )
    marks = [key for key in fields.present() if key.startswith(RECURRENT_MARKS)]
    if marks:
        raise UnknownGeometry(
            f"{fields.name_of(marks[0])} says that some layers keep a recurrent state, but nothing says "
            "which: give "
            "layer_types (one name per layer), attn_layer_period with attn_layer_offset, or "
            "hybrid_override_pattern"
        )
    return _windowed(fields, layers, model_type)


def _check_length(fields: ConfigFields, key: str, found: int, layers: int) -> None:
    if found != layers:
        raise UnknownGeometry(
            f"{fields.name_of(key)} describes {found} layers but the model has {layers}: "
            "both must agree; take both from the model's own config.json"
        )


def _from_blocks(fields: ConfigFields, layers: int, heads: int) -> LayerPlan | None:
    """Per-layer block configurations of architecture search (Nemotron NAS, Puzzle)."""
    blocks = fields.sequence("block_configs")
    if blocks is None:
        return None
    _check_length(fields, "block_configs", len(blocks), layers)
    kinds: list[str] = []
    kv_heads: list[int | None] = []
    for index, block in enumerate(blocks):
        path = f"{fields.name_of('block_configs')}[{index}]"
        own_fields = ConfigFields(block, path=path)
        kind = KIND_OF_NAME.get(own_fields.text("block_type") or "")
        if kind is not None:
            kinds.append(kind)
            kv_heads.append(own_fields.integer("num_key_value_heads"))
            continue
        attention = own_fields.section("attention")
        if attention is None:
            raise UnknownGeometry(
                f"{path} has no attention object: give n_heads_in_group, num_key_value_heads or no_op there"
            )
        if attention.flag("no_op") or attention.flag("replace_with_linear"):
            kinds.append(NOTHING)
            kv_heads.append(None)
            continue
        if attention.has("mamba"):
            kinds.append(RECURRENT)
            kv_heads.append(None)
            continue
        if attention.has("window_length") or attention.has("sparsify"):
            raise UnknownGeometry(
                f"{path}.attention limits the cache of single layers (window_length or sparsify), which is "
                "not "
                "modelled: give the bytes per token from the engine's own start-up log"
            )
        group = attention.integer("n_heads_in_group")
        own = attention.integer("num_key_value_heads")
        if own is None:
            if group is None or heads % group:
                raise UnknownGeometry(
                    f"{path}.attention.n_heads_in_group is {group}; it must divide the {heads} attention "
                    "heads"
                )
            own = heads // group
        kinds.append(FULL)
        kv_heads.append(own)
    return LayerPlan(kinds=tuple(kinds), source="block_configs", kv_heads=tuple(kv_heads))


def _from_letters(fields: ConfigFields, layers: int, heads: int) -> LayerPlan | None:
    pattern = fields.text("hybrid_override_pattern")
    if pattern is None:
        return None
    unknown = sorted(set(pattern) - set(KIND_OF_LETTER))
    if unknown:
        raise UnknownGeometry(
            f"{fields.name_of('hybrid_override_pattern')} contains {', '.join(map(repr, unknown[:5]))}; "
            "known are "
            "* (attention), M (Mamba), - (feed-forward) and E (experts)"
        )
    _check_length(fields, "hybrid_override_pattern", len(pattern), layers)
    return LayerPlan(
        kinds=tuple(KIND_OF_LETTER[letter] for letter in pattern), source="hybrid_override_pattern"
    )


def _from_names(fields: ConfigFields, layers: int, heads: int) -> LayerPlan | None:
    for key in ("layer_types", "layers_block_type"):
        names = fields.texts(key)
        if names is None:
            continue
        drafts = fields.optional_integer("num_nextn_predict_layers") or 0
        if layers < len(names) <= layers + drafts:
            names = names[:layers]
        _check_length(fields, key, len(names), layers)
        unknown = [name for name in names if name.lower() not in KIND_OF_NAME]
        if unknown:
            raise UnknownGeometry(
                f"{fields.name_of(key)} contains {reprlib.repr(unknown[0])}, whose cache is not known; "
                "known are "
                f"{', '.join(sorted(KIND_OF_NAME))}"
            )
        return LayerPlan(kinds=tuple(KIND_OF_NAME[name.lower()] for name in names), source=key)
    return None


def _from_indices(fields: ConfigFields, layers: int, heads: int) -> LayerPlan | None:
    """Lists of positions, or of 0 and 1, under the names single families chose."""
    for key, kinds, meaning in (
        ("attn_type_list", (RECURRENT, FULL), "0 (linear) or 1 (full attention)"),
        ("hybrid_layer_pattern", (FULL, SLIDING), "0 (full) or 1 (sliding)"),
    ):
        flags = fields.integers(key)
        if flags is None:
            continue
        _check_length(fields, key, len(flags), layers)
        if set(flags) - {0, 1}:
            raise UnknownGeometry(f"{fields.name_of(key)} must list {meaning}")
        return LayerPlan(kinds=tuple(kinds[flag] for flag in flags), source=key)
    linear = fields.section("linear_attn_config")
    if linear is not None:
        full = linear.integers("full_attn_layers", minimum=1)
        if full is None:
            raise UnknownGeometry(
                f"{linear.name_of('full_attn_layers')} is missing: list the layers, counted from 1"
            )
        return _full_at(fields, linear.name_of("full_attn_layers"), {index - 1 for index in full}, layers)
    for key in ("full_attn_idxs", "attn_layer_indices"):
        positions = fields.integers(key)
        if positions is not None:
            return _full_at(fields, fields.name_of(key), set(positions), layers)
    return None


def _full_at(fields: ConfigFields, name: str, positions: set[int], layers: int) -> LayerPlan:
    if any(position >= layers for position in positions):
        raise UnknownGeometry(f"{name} points beyond the model's {layers} layers")
    return LayerPlan(
        kinds=tuple(FULL if index in positions else RECURRENT for index in range(layers)), source=name
    )


def _from_period(fields: ConfigFields, layers: int, heads: int) -> LayerPlan | None:
    period = fields.integer("attn_layer_period")
    if period is not None:
        offset = fields.integer("attn_layer_offset", minimum=0)
        if offset is None or offset >= period:
            raise UnknownGeometry(
                f"{fields.name_of('attn_layer_offset')} must be a whole number below "
                f"attn_layer_period={period}, "
                f"found {offset}"
            )
        kinds = tuple(FULL if index % period == offset else RECURRENT for index in range(layers))
        return LayerPlan(kinds=kinds, source="attn_layer_period and attn_layer_offset")
    for key in ("full_attention_interval", "layer_group_size"):
        interval = fields.integer(key)
        if interval is not None:
            kinds = tuple(FULL if (index + 1) % interval == 0 else RECURRENT for index in range(layers))
            return LayerPlan(kinds=kinds, source=key)
    return None


def _with_window(plan: LayerPlan, fields: ConfigFields) -> LayerPlan:
    """Adds the window to a plan that has sliding or chunked layers."""
    if SLIDING in plan.kinds:
        window = fields.integer(*SLIDING_WINDOW_KEYS)
        if window is None:
            raise UnknownGeometry(
                f"{plan.source} has sliding-window layers but {fields.name_of('sliding_window')} is missing: "
                "give the window in tokens"
            )
        return LayerPlan(plan.kinds, plan.source, window, plan.kv_heads, plan.notes)
    if CHUNKED in plan.kinds:
        chunk = fields.integer("attention_chunk_size")
        return LayerPlan(plan.kinds, plan.source, chunk, plan.kv_heads, plan.notes)
    return plan


def _windowed(fields: ConfigFields, layers: int, model_type: str | None) -> LayerPlan:
    """Models without a list of layer kinds: all full, or sliding by a period, a bound or everywhere."""
    chunk = fields.integer("attention_chunk_size")
    if chunk is not None:
        global_every = fields.integer("no_rope_layer_interval") or 4
        kinds = tuple(FULL if (index + 1) % global_every == 0 else CHUNKED for index in range(layers))
        return LayerPlan(kinds=kinds, source="attention_chunk_size", window_tokens=chunk)
    window = fields.integer(*SLIDING_WINDOW_KEYS)
    if window is None or fields.flag("use_sliding_window") is False:
        return LayerPlan(kinds=(FULL,) * layers, source="every layer")
    first_sliding = fields.integer("max_window_layers", minimum=0)
    if fields.flag("use_sliding_window") and first_sliding is not None:
        kinds = tuple(SLIDING if index >= first_sliding else FULL for index in range(layers))
        return LayerPlan(kinds=kinds, source="use_sliding_window and max_window_layers", window_tokens=window)
    pattern = fields.raw("sliding_window_pattern")
    if isinstance(pattern, str):
        if not pattern or set(pattern.upper()) - {"L", "G"}:
            raise UnknownGeometry(
                f"{fields.name_of('sliding_window_pattern')} is {reprlib.repr(pattern)}; "
                "allowed are a number or the letters L (local) and G (global)"
            )
        # Exaone ends on a global layer whatever the letters say.
        kinds = tuple(
            SLIDING if pattern.upper()[index % len(pattern)] == "L" and index != layers - 1 else FULL
            for index in range(layers)
        )
        return LayerPlan(kinds=kinds, source="sliding_window_pattern", window_tokens=window)
    every = fields.integer("sliding_window_pattern", "_sliding_window_pattern")
    notes: tuple[str, ...] = ()
    if every is None and model_type is not None:
        every = architectures.DEFAULT_GLOBAL_EVERY.get(model_type)
        if every is not None:
            notes = (
                f"the config gives no pattern: one global layer in {every} is the default of {model_type}",
            )
    if every is not None:
        kinds = tuple(FULL if (index + 1) % every == 0 else SLIDING for index in range(layers))
        return LayerPlan(kinds=kinds, source="sliding_window_pattern", window_tokens=window, notes=notes)
    return LayerPlan(kinds=(SLIDING,) * layers, source="sliding_window", window_tokens=window)
