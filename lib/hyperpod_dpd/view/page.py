"""The page in which LMCache moves KV cache: how many tokens one holds."""

from __future__ import annotations

from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.iec.environment import Environment

CHUNK_SIZE = "LMCACHE_CHUNK_SIZE"


def chunk_tokens(environment: Environment) -> int:
    """Tokens of one page: LMCache's default unless the variable gives another number."""
    return whole_number(environment.value(CHUNK_SIZE)) or engine_defaults.lmcache().chunk_tokens


def whole_number(text: str | None) -> int | None:
    """Plain decimal digits as a number; None for anything else."""
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 20 else None
