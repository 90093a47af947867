"""What templates and manifests state differently, handed to the rules by topic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import Match, Matches
from hyperpod_dpd.view.context import MissingFact

if TYPE_CHECKING:
    from hyperpod_dpd.view.pair_view import PairView


def matches(pair: PairView, topic: str) -> Matches:
    """One match for each disagreement of ``topic``. Raises MissingFact where the templates are only a part."""
    if fact := pair.lacking(topic):
        raise MissingFact(fact)
    for found in pair.disagreements.get(topic, ()):
        subject = f"{found.subject}: {found.path}" if found.path else found.subject
        yield Match(pair.path_of(found), f"{subject} {found.message}")
