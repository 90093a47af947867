"""Languages of prompts: the router estimates tokens from characters, and scripts differ in what a token holds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from hyperpod_dpd.catalog.data_files import Source, document, record

_NAME = "languages"


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """One language or kind of text. ``confirmed`` is False where the figure is an estimate."""

    code: str
    names: tuple[str, ...]
    characters_per_token: float
    default_threshold_fits: bool
    """Whether the router's fixed division comes close enough for the documented threshold to mean what it says."""
    source: Source
    confirmed: bool = True


@cache
def all() -> tuple[Language, ...]:
    """Every language of the catalogue."""
    return tuple(record(Language, _NAME, entry) for entry in document(_NAME)["languages"])


@cache
def find(text: str) -> Language | None:
    """The language meant by a code ("ja", "zh-Hant") or an English name; None when it is not in the catalogue."""
    wanted = text.strip().casefold().replace("_", "-")
    for language in all():
        if wanted in (language.code, *language.names) or wanted.partition("-")[0] == language.code:
            return language
    return None
