"""What templates and manifests state differently, handed to the rules by topic."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import Hit

if TYPE_CHECKING:
    from hyperpod_dpd.view.pair_view import PairView


def hits(pair: PairView, topic: str) -> Iterator[Hit]:
    """One hit for each disagreement of ``topic``."""
    for found in pair.disagreements.get(topic, ()):
        subject = f"{found.subject}: {found.path}" if found.path else found.subject
        yield Hit(pair.path_of(found), f"{subject} {found.message}")
