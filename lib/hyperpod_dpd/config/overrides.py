"""The escape hatch: JSON patches on rendered objects, applied before rules look."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from hyperpod_dpd.config.base import Section


class Patch(Section):
    """One operation of RFC 6902."""

    op: Literal["add", "remove", "replace", "test", "move", "copy"] = Field(
        description="Operation of RFC 6902."
    )
    path: str = Field(pattern=r"^(/[^/]*)+$", description="JSON pointer, such as /spec/worker/probes.")
    value: Any = Field(None, description="Value to set.")
    source: str | None = Field(None, pattern=r"^(/[^/]*)+$", description="'from' of move and copy.")


class Override(Section):
    """Patches on one object, found by kind and name."""

    kind: str = Field(pattern=r"^[A-Z][A-Za-z0-9]*$", description="Kind of the object.")
    name: str = Field(min_length=1, description="Name of the object.")
    namespace: str | None = Field(None, description="Namespace of the object.")
    patch: list[Patch] = Field(min_length=1, description="Operations of RFC 6902, in order.")
