"""Facts that never change once known: environments/locks/<environment>.json, written by `dpd images pin`."""

from __future__ import annotations

from pydantic import Field

from lib.config.base import Digest, Section


class LockedImage(Section):
    """What a tag meant on the day it was resolved."""

    digest: Digest
    resolved: str | None = Field(None, description="Day, for people.")


class Locks(Section):
    """Image references by tag, each with its digest."""

    images: dict[str, LockedImage] = Field(default_factory=dict)
