"""Models with the geometry that sizes a KV cache, and the careful guess which of them a manifest serves."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

from hyperpod_dpd.catalog.data_files import Source, document, record

_NAME = "models"
_PART = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """One published model; a field is None where its files leave it open."""

    key: str
    name: str
    hugging_face_id: str
    aliases: tuple[str, ...]
    vendors: tuple[str, ...]
    match: Literal["name", "vendor"]
    architecture: str
    parameters_billion: float
    active_parameters_billion: float
    mixture_of_experts: bool
    multimodal: bool
    attention: Literal["gqa", "mla", "hybrid"]
    layers: int
    attention_heads: int
    kv_heads: int
    """As the config says; without meaning for the cache when `attention` is "mla"."""
    head_dim: int | None
    hidden_size: int
    intermediate_size: int
    vocabulary: int
    max_position_tokens: int
    weights_dtype: str | None
    kv_dtype: str | None
    """dtype of the KV cache that vLLM takes by default; None asks for --kv-cache-dtype."""
    gated: bool | None
    """Whether Hugging Face hands the files out only with a token."""
    source: Source
    kv_lora_rank: int | None = None
    qk_rope_head_dim: int | None = None
    unconfirmed: frozenset[str] = frozenset()
    config: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Further fields of its config.json that decide over cache and weights, experts and quantisation among them."""
    quant_config: Mapping[str, Any] | None = field(default=None, hash=False)
    """Its hf_quant_config.json, where it has one."""


@cache
def all() -> tuple[Model, ...]:
    """Every model of the catalogue."""
    return tuple(record(Model, _NAME, entry) for entry in document(_NAME)["models"])


def keys() -> tuple[str, ...]:
    """The keys that an environment may name."""
    return tuple(model.key for model in all())


@cache
def get(key: str) -> Model | None:
    """The model of that exact key, or None."""
    return next((model for model in all() if model.key == key), None)


@cache
def match(text: str) -> Model | None:
    """The model that a modelName, Hugging Face id, folder or S3 location means, by letters and digits alone.

    None when nothing matches, when two models do, and when any part of the text says that the weights are not
    the plain ones (fp8, awq, lora, ...): a wrong geometry would be worse than none.
    """
    parts = [part for part in re.split(r"/|--", text.casefold()) if _squash(part)]
    found: set[str] = set()
    rest: list[str] = []
    for index, part in enumerate(parts):
        before = _squash(parts[index - 1]) if index else ""
        names = {model.key for model in all() if _is_named(model, _squash(part), before)}
        found |= names
        if not names:
            rest.append(part)
    if len(found) != 1 or any(_is_marked(part) for part in rest):
        return None
    return get(found.pop())


@cache
def families() -> tuple[str, ...]:
    """Words that name a family of models, such as llama."""
    return tuple(document(_NAME)["families"])


def _is_named(model: Model, part: str, before: str) -> bool:
    vendors = {_squash(vendor) for vendor in model.vendors}
    neutral = document(_NAME)["neutral_suffixes"]
    names = {_squash(alias) for alias in model.aliases}
    names |= {name + suffix for name in names for suffix in neutral}
    if any(part == vendor + name for vendor in vendors for name in names):
        return True
    return part in names and (model.match == "name" or before in vendors)


def _is_marked(part: str) -> bool:
    return not _markers().isdisjoint(_PART.split(part))


@cache
def _markers() -> frozenset[str]:
    return frozenset(document(_NAME)["markers"])


def _squash(text: str) -> str:
    return _PART.sub("", text.casefold())
