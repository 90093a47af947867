"""The one reader of models: a config.json with the quantisation file beside it, or an entry of the catalogue."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from hyperpod_dpd.catalog import models
from hyperpod_dpd.sizing.errors import SizingError
from hyperpod_dpd.sizing.geometry import Geometry, read_geometry

CONFIG = "config.json"
QUANT_CONFIG = "hf_quant_config.json"
MAX_BYTES = 8 * 1024 * 1024


class UnreadableModel(SizingError):
    """There is nothing to compute from; ``str()`` is one line that says what to give."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelInput:
    """A model's configuration as plain values; ``notes`` say what was found beside it and not used."""

    name: str
    config: dict[str, Any]
    quant_config: Mapping[str, Any] | None = None
    files: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def read_model(given: str, *, quant_config: str | None = None) -> ModelInput:
    """The model that ``given`` means: a file, a folder with config.json, or a catalogue key.

    Raises UnreadableModel.
    """
    place = Path(given)
    if place.is_dir():
        place = place / CONFIG
        if not place.is_file():
            raise UnreadableModel(f"{given}: this folder holds no {CONFIG}; give the model's {CONFIG}")
    if not place.is_file():
        return _from_catalogue(given, quant_config)
    return read_files(place, quant_config=quant_config)


def read_files(place: Path, *, quant_config: str | None = None) -> ModelInput:
    """The model of the config.json at ``place``, and of the quantisation file beside it. Raises UnreadableModel."""
    beside, notes = _beside(place) if quant_config is None else (Path(quant_config), ())
    return ModelInput(
        name=model_name(place),
        config=read_config(place),
        quant_config=None if beside is None else read_config(beside),
        files=tuple(str(file) for file in (place, beside) if file is not None),
        notes=notes,
    )


def model_name(place: Path) -> str:
    """How a report calls the model: the file's own name, or its folder's where that is just config.json."""
    if place.name == CONFIG:
        return place.resolve().parent.name
    return place.name.removesuffix(".json").removesuffix(".config")


def _beside(place: Path) -> tuple[Path | None, tuple[str, ...]]:
    """The quantisation file of this very config; one that may belong to another model is only mentioned."""
    own = place.with_name(f"{model_name(place)}.{QUANT_CONFIG}")
    shared = place.with_name(QUANT_CONFIG)
    if place.name != CONFIG:
        if own.is_file():
            return own, ()
        if shared.is_file():
            note = (
                f"{shared} lies beside and was not used, because this file is not called {CONFIG}; "
                "give it with --quant-config if it belongs to this model"
            )
            return None, (note,)
        return None, ()
    return (shared if shared.is_file() else None), ()


def read_config(place: Path) -> dict[str, Any]:
    """One JSON object. Raises UnreadableModel."""
    try:
        size = place.stat().st_size
        text = place.read_text(encoding="utf-8-sig") if size <= MAX_BYTES else ""
    except FileNotFoundError:
        raise UnreadableModel(f"{place}: no such file; check the path") from None
    except IsADirectoryError:
        raise UnreadableModel(f"{place}: is a folder, a file was expected") from None
    except UnicodeDecodeError:
        raise UnreadableModel(f"{place}: is not UTF-8 text; give the model's {CONFIG}") from None
    except OSError as error:
        raise UnreadableModel(f"{place}: cannot be read: {error.strerror}") from None
    if size > MAX_BYTES:
        raise UnreadableModel(
            f"{place}: is {size:,} bytes, a {CONFIG} is a few thousand; give the model's {CONFIG}"
        )
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise UnreadableModel(f"{place}:{error.lineno}:{error.colno}: is not JSON: {error.msg}") from None
    except (RecursionError, ValueError) as error:
        raise UnreadableModel(f"{place}: is not usable JSON: {error}") from None
    if not isinstance(value, dict):
        raise UnreadableModel(f"{place}: is no JSON object; give the model's {CONFIG}")
    return value


def _from_catalogue(given: str, quant_config: str | None) -> ModelInput:
    found = models.get(given) or models.match(given)
    if found is None or given.endswith(".json"):
        if given.endswith(".json") or "/" in given:
            raise UnreadableModel(f"{given}: no such file, and no model of the catalogue; check the path")
        close = get_close_matches(given, models.keys(), n=1)
        hint = f"did you mean '{close[0]}'?" if close else "`dpd kv --list` names them"
        raise UnreadableModel(f"{given}: no such file, and no model of the catalogue; {hint}")
    return ModelInput(
        name=found.key,
        config=catalogue_config(found),
        quant_config=found.quant_config if quant_config is None else read_config(Path(quant_config)),
        files=() if quant_config is None else (quant_config,),
        notes=(f"geometry of the catalogue: {found.source.description}, {found.source.date}",),
    )


@cache
def catalogue_geometry(key: str) -> Geometry:
    """The geometry of a model of the catalogue. Raises SizingError, also for a key that is not in it."""
    found = models.get(key)
    if found is None:
        raise SizingError(f"the catalogue has no model '{key}'")
    return read_geometry(catalogue_config(found), quant_config=found.quant_config, name=key)


def catalogue_config(model: models.Model) -> dict[str, Any]:
    """A catalogue entry in the spelling of a config.json, so that one reader serves both."""
    config: dict[str, Any] = {
        "architectures": [model.architecture],
        "num_hidden_layers": model.layers,
        "num_attention_heads": model.attention_heads,
        "num_key_value_heads": model.kv_heads,
        "head_dim": model.head_dim,
        "hidden_size": model.hidden_size,
        "intermediate_size": model.intermediate_size,
        "vocab_size": model.vocabulary,
        "max_position_embeddings": model.max_position_tokens,
        "torch_dtype": "bfloat16",
        "kv_lora_rank": model.kv_lora_rank,
        "qk_rope_head_dim": model.qk_rope_head_dim,
        **model.config,
    }
    return {key: value for key, value in config.items() if value is not None}
