"""The manifest's shape as lib/hyperpod_dpd/iec judges it, handed to the rules by kind of fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import Match, Matches, Severity

_LOWER_CASE = frozenset({"bucketName", "name", "namespace", "region"})
_NAMES = _LOWER_CASE | {"fileSystemId", "image", "key"}

if TYPE_CHECKING:
    from hyperpod_dpd.document import Path
    from hyperpod_dpd.iec.problem import SchemaProblem
    from hyperpod_dpd.view.endpoint import EndpointView


def matches(endpoint: EndpointView, *kinds: str) -> Matches:
    """One match for each place where a fault of one of ``kinds`` stands."""
    for problem in endpoint.schema_problems:
        if problem.kind in kinds:
            for path in (problem.path, *problem.also):
                yield Match(path, problem.message, _severity(problem, path), problem.fix)


def _severity(problem: SchemaProblem, path: Path) -> Severity | None:
    """A placeholder in a field that takes any text is what documentation prints: worth a warning there.

    In a name it is an error, where nothing can ever have that name.
    """
    lenient = problem.kind == "placeholder" and not problem.refused
    return Severity.WARNING if lenient and not _never_exists(str(problem.value), path) else None


def _never_exists(written: str, path: Path) -> bool:
    """Whether no bucket, object, key, image or label can be called so."""
    field = path[-1]
    if "<" in written or "$" in written:
        return field in _NAMES or "nodeSelector" in path
    lower_case = field in _LOWER_CASE and "environmentVariables" not in path[-3:-1]
    return lower_case and written != written.lower()
