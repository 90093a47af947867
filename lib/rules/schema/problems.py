"""The manifest's shape as lib/iec judges it, handed to the rules by kind of fault."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lib.rules.rule import Hit

if TYPE_CHECKING:
    from lib.view.endpoint import EndpointView


def hits(endpoint: EndpointView, *kinds: str) -> Iterator[Hit]:
    """One hit for each place where a fault of one of ``kinds`` stands."""
    for problem in endpoint.schema_problems:
        if problem.kind in kinds:
            for path in (problem.path, *problem.also):
                yield Hit(path, problem.message, fix=problem.fix)
