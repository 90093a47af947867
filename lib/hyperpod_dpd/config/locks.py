"""Facts that never change once known: environments/locks/<environment>.json.

`dpd images pin` writes ``images``, `dpd lock` writes ``immutable``; each leaves the other's part alone.
"""

from __future__ import annotations

from pydantic import Field

from hyperpod_dpd.config.base import Digest, Section
from hyperpod_dpd.config.immutable import Immutable


class LockedImage(Section):
    """What a tag meant on the day it was resolved."""

    digest: Digest
    resolved: str | None = Field(None, description="Day, for people.")


class Locks(Section):
    """Image references by tag, each with its digest; and what a deployed environment cannot change."""

    images: dict[str, LockedImage] = Field(default_factory=dict)
    immutable: Immutable = Immutable()
