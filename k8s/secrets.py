"""The one rule that rendering itself enforces: what is written once stays in the history of a repository."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.variables.dpd420_secret_literal import check as secret_literal
from hyperpod_dpd.view.build import environment_endpoints

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.model import Blueprint
    from hyperpod_dpd.config import LoadedEnvironment


def literal_secrets(loaded: LoadedEnvironment, blueprint: Blueprint) -> Iterator[str]:
    """One line for each secret in plain text, acknowledged or not, with its place in the document."""
    for view in environment_endpoints(loaded, blueprint):
        for match in secret_literal.matches(view):
            place, rule = view.locate(match.path), secret_literal.rule
            fix = match.fix or rule.fix
            yield f"{place.file}:{place.line}:{place.column}: {rule.id}: {match.message}; {fix}"
