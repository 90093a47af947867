"""The shape of a model's KV cache, read from its config.json: what every buffer, page and memory figure rests
on."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from hyperpod_dpd.sizing import architectures, kv_dtype, mistral_params
from hyperpod_dpd.sizing.config_fields import ConfigFields
from hyperpod_dpd.sizing.errors import UnknownGeometry
from hyperpod_dpd.sizing.findings import APPROXIMATE, EXACT, LOWER, UPPER, Findings
from hyperpod_dpd.sizing.kv_dtype import KvDtype
from hyperpod_dpd.sizing.layer_groups import (
    MOST_HEADS,
    WIDEST,
    LayerGroup,
    attention_name,
    head_groups,
    indexer_bytes_per_layer,
    is_latent,
    latent_groups,
    required,
)
from hyperpod_dpd.sizing.layer_kinds import BOTH, NOTHING, RECURRENT, LayerPlan
from hyperpod_dpd.sizing.layers import read_layer_plan
from hyperpod_dpd.sizing.parameters import ParameterCount, count_parameters
from hyperpod_dpd.sizing.recurrent import RecurrentState, read_recurrent_state
from hyperpod_dpd.sizing.weights import WeightFormat, read_weight_format

_MOST_LAYERS = 10_000


@dataclass(frozen=True, slots=True)
class Geometry:
    """What a config says of the cache. `exact` False means: read `notes`, and `bound` for the side it errs
    on.

    bound is "exact", "upper", "lower" or "approximate". Dimensions are elements, not bytes.
    """

    name: str
    model_type: str | None
    attention: str
    groups: tuple[LayerGroup, ...]
    layers: int
    attention_heads: int
    hidden_size: int | None
    bound: str
    notes: tuple[str, ...]
    kv_dtype: KvDtype
    weights: WeightFormat
    max_position_tokens: int | None
    vocabulary_size: int | None
    parameters: ParameterCount | None
    recurrent: RecurrentState | None
    indexer_bytes_per_layer: int
    draft_layers: int
    is_checked: bool
    """Whether the family's layout has been compared with a published model."""
    is_moe: bool
    is_multimodal: bool
    is_hybrid: bool

    @property
    def exact(self) -> bool:
        """True when the fields leave no doubt (the dtype of the cache is judged apart, in kv_dtype)."""
        return self.bound == EXACT


def read_geometry(
    config: Mapping[str, object], *, quant_config: Mapping[str, object] | None = None, name: str = ""
) -> Geometry:
    """Reads a Hugging Face config.json (and hf_quant_config.json, when the model has one).

    Raises UnknownGeometry, and nothing else, when the config is malformed or leaves the cache's size open.
    """
    if isinstance(config, Mapping) and mistral_params.is_mistral(config):
        config = mistral_params.as_config(config)
    top = ConfigFields(config)
    text = _text_part(top)
    model_type = _model_type(top, text)
    _refuse_other_architectures(top, text, model_type)
    findings = Findings()

    layers = _layers(text, model_type)
    heads = required(text, "num_attention_heads", "n_head", "n_heads", "num_heads", maximum=MOST_HEADS)
    hidden = text.integer("hidden_size", "n_embd", "n_embed", "d_model", "dim", maximum=WIDEST)
    position = _max_position(top, text)
    plan = read_layer_plan(text, layers=layers, heads=heads, model_type=model_type)
    for note in plan.notes:
        findings.note(note)
    if is_latent(text):
        groups = latent_groups(text, plan, model_type=model_type, heads=heads, findings=findings)
    else:
        groups = head_groups(
            text,
            plan,
            model_type=model_type,
            heads=heads,
            hidden=hidden,
            position=position,
            findings=findings,
        )
    if not groups:
        raise UnknownGeometry(
            f"no layer of {name or model_type or 'this model'} has attention ({plan.source}): it keeps no "
            "KV cache, "
            "so there is nothing to disaggregate"
        )
    indexer = indexer_bytes_per_layer(text, groups, findings)
    recurrent = _recurrent(text, plan, groups, findings)
    is_hybrid = any(kind in (RECURRENT, BOTH) for kind in plan.kinds)
    drafts = text.optional_integer("num_nextn_predict_layers", "mtp_num_hidden_layers") or 0
    _note_family(top, text, model_type, findings)
    if drafts:
        findings.note(
            f"the model brings {drafts} draft layer(s) for speculative decoding, not counted: with an MTP "
            "speculative method LMCache adds them to the page"
        )
    weights = read_weight_format(top, text, quant_config=quant_config)
    return Geometry(
        name=name,
        model_type=model_type,
        attention="hybrid" if is_hybrid else attention_name(groups, heads),
        groups=groups,
        layers=layers,
        attention_heads=heads,
        hidden_size=hidden,
        bound=findings.bound,
        notes=tuple(findings.notes),
        kv_dtype=kv_dtype.declared(top, text, quant_config=quant_config, name=name),
        weights=weights,
        max_position_tokens=position,
        vocabulary_size=text.optional_integer("vocab_size", "padded_vocab_size"),
        parameters=count_parameters(
            top, text, model_type=model_type, plan=plan, heads=heads, groups=groups, weights=weights
        ),
        recurrent=recurrent,
        indexer_bytes_per_layer=indexer,
        draft_layers=drafts,
        is_checked=architectures.is_known(
            model_type, wrapper_type=top.text("model_type") if text.path else None
        ),
        is_moe=_is_moe(text),
        is_multimodal=_is_multimodal(top),
        is_hybrid=is_hybrid,
    )


def _text_part(top: ConfigFields) -> ConfigFields:
    """The object that describes the language model: nested in multimodal configs."""
    thinker = top.section("thinker_config")
    for fields in (top, thinker):
        for key in ("text_config", "llm_config", "language_config"):
            section = fields.section(key) if fields is not None else None
            if section is not None:
                return section
    return top


def _model_type(top: ConfigFields, text: ConfigFields) -> str | None:
    """The text part's own type; without one, what the architecture's class name says."""
    own = text.text("model_type")
    if own is not None:
        return own
    for fields in (text, top):
        for architecture in fields.texts("architectures") or ():
            stem = re.sub(r"(ForCausalLM|ForConditionalGeneration|LMHeadModel)$", "", architecture)
            guess = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", stem).lower()
            if architectures.is_known(guess):
                return guess
    return None


def _layers(text: ConfigFields, model_type: str | None) -> int:
    if model_type in architectures.TWO_ATTENTIONS_PER_LAYER:
        attentions = text.integer("num_hidden_layers", maximum=_MOST_LAYERS)
        return attentions or 2 * required(text, "num_layers", maximum=_MOST_LAYERS)
    listed = text.texts("layers_block_type")
    if listed and not text.has("num_hidden_layers"):
        return len(listed)
    return required(text, "num_hidden_layers", "n_layer", "n_layers", "num_layers", maximum=_MOST_LAYERS)


def _max_position(top: ConfigFields, text: ConfigFields) -> int | None:
    for fields in (text, top):
        for key in (
            "max_position_embeddings",
            "n_positions",
            "max_seq_len",
            "seq_length",
            "model_max_length",
        ):
            value = fields.optional_integer(key)
            if value is not None:
                return value
    return None


def _refuse_other_architectures(top: ConfigFields, text: ConfigFields, model_type: str | None) -> None:
    types = {model_type, top.text("model_type")}
    crossed = False
    for fields in (top, text):
        crossed = crossed or bool(fields.flag("is_encoder_decoder") or fields.flag("add_cross_attention"))
        crossed = crossed or fields.has("cross_attention_layers")
        if fields.has("compress_ratios"):
            raise UnknownGeometry(
                f"{fields.name_of('compress_ratios')} compresses the cache differently from layer to layer "
                f"(model type {model_type}): the KV geometry is unknown here. Give the bytes per token that "
                "follow "
                "from the engine's start-up log (available KV memory divided by KV cache size in tokens)"
            )
    if crossed or types & architectures.ENCODER_DECODER:
        raise UnknownGeometry(
            f"{model_type or 'this model'} has cross-attention (an encoder-decoder): part of its cache "
            "follows the "
            "encoder's input, not the prompt, and is not sized here; serve it without disaggregation"
        )
    if model_type in architectures.ENCODER_ONLY:
        raise UnknownGeometry(
            f"{model_type} is an encoder without a KV cache: there is nothing to disaggregate"
        )
    if model_type in architectures.NO_ATTENTION:
        raise UnknownGeometry(
            f"{model_type} has no attention layers: its state is of fixed size per sequence and there is no "
            "KV cache "
            "to transfer; serve it without disaggregation"
        )


def _recurrent(
    text: ConfigFields, plan: LayerPlan, groups: tuple[LayerGroup, ...], findings: Findings
) -> RecurrentState | None:
    idle = plan.kinds.count(NOTHING)
    recurrent_layers = sum(kind in (RECURRENT, BOTH) for kind in plan.kinds)
    held = sum(group.count for group in groups)
    if not recurrent_layers:
        if idle:
            findings.note(
                f"{idle} of {len(plan.kinds)} layers have no attention and are not counted ({plan.source}); "
                "a page "
                "that LMCache sizes by the number of layers alone is larger in that proportion"
            )
        return None
    findings.doubt(
        APPROXIMATE,
        f"{held} of {len(plan.kinds)} layers keep keys and values and are counted; {recurrent_layers} keep "
        "a recurrent "
        "state of fixed size per sequence, which is not in the bytes per token. Whether LMCache's PD "
        "backend carries "
        "that state, and pads its pages for it, is unconfirmed",
    )
    return read_recurrent_state(text, layers=recurrent_layers)


def _note_family(top: ConfigFields, text: ConfigFields, model_type: str | None, findings: Findings) -> None:
    wrapper = top.text("model_type") if text.path else None
    if not architectures.is_known(model_type, wrapper_type=wrapper) and not findings.bounds:
        findings.doubt(
            APPROXIMATE,
            f"model type {(model_type or wrapper)!r} is not one whose cache layout has been checked: the "
            "figure takes "
            "the fields at their word, an ordinary cache in every layer; compare it with the engine's "
            "start-up log",
        )
    if text.integer("num_kv_shared_layers", minimum=0):
        findings.doubt(
            UPPER, "some layers reuse an earlier one's cache (num_kv_shared_layers); all are counted here"
        )
    if text.flag("use_cla"):
        findings.doubt(
            UPPER, "neighbouring layers share one cache (cross-layer attention); all are counted here"
        )
    if text.has("sparse_attention_config") or text.has("sparse_config"):
        findings.doubt(LOWER, "a sparse-attention selector may keep a cache of its own, which is not counted")


def _is_moe(text: ConfigFields) -> bool:
    names = ("num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts")
    nested = text.raw("ffn_config")
    sections = [text, ConfigFields(nested)] if isinstance(nested, Mapping) else [text]
    return any((fields.optional_integer(name) or 0) > 1 for fields in sections for name in names)


def _is_multimodal(top: ConfigFields) -> bool:
    parts = (
        "vision_config",
        "audio_config",
        "vit_config",
        "vision_tower",
        "mm_vision_tower",
        "thinker_config",
    )
    return any(top.has(key) for key in parts)
