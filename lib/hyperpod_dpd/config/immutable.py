"""What a deployed environment cannot change without losing it: the ``immutable`` part of its lock."""

from __future__ import annotations

from pydantic import Field

from hyperpod_dpd.config.base import Section


class Immutable(Section):
    """Facts by name, such as ``vpc``, and logical ids of what holds state by stack and type."""

    facts: dict[str, str] = Field(default_factory=dict)
    logical_ids: dict[str, list[str]] = Field(
        default_factory=dict, description="'<stack> <resource type>' to logical ids."
    )
