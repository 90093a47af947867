"""The manifest's shape as lib/hyperpod_dpd/iec judges it, handed to the rules by kind of fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import Match, Matches, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.iec.problem import SchemaProblem
    from hyperpod_dpd.view.endpoint import EndpointView


def matches(endpoint: EndpointView, *kinds: str) -> Matches:
    """One match for each place where a fault of one of ``kinds`` stands."""
    for problem in endpoint.schema_problems:
        if problem.kind in kinds:
            for path in (problem.path, *problem.also):
                yield Match(path, problem.message, _severity(problem), problem.fix)


def _severity(problem: SchemaProblem) -> Severity | None:
    """A placeholder in a field that takes any text is what documentation prints: worth a warning there."""
    lenient = problem.kind == "placeholder" and not problem.refused
    return Severity.WARNING if lenient else None
