"""What one environment becomes, as plain data that needs no cdk8s to be laid out and written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hyperpod_dpd.blueprint.model import Note


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedApp:
    """One GitOps app: its folder's name and its objects in the order they can be applied in."""

    name: str
    objects: tuple[dict[str, Any], ...]
    wave: int = 0
    """Apps of a lower number are applied before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedEnvironment:
    """Everything one environment's cluster gets, and what was left out."""

    name: str
    apps: tuple[RenderedApp, ...]
    notes: tuple[Note, ...]
    source_digest: str
    """Of what it was rendered from, see ``blueprint.source``."""
