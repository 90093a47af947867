"""A whole environment as rules see it: the document, what it becomes, and where each key stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hyperpod_dpd.document import Path, dotted
from hyperpod_dpd.view.origin import Location

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.model import Blueprint
    from hyperpod_dpd.config import LoadedEnvironment
    from hyperpod_dpd.config.environment import Environment


@dataclass(frozen=True, slots=True)
class EnvironmentView:
    """Paths are those of the environment document, such as ``("cluster", "instance_groups", "prefill")``."""

    loaded: LoadedEnvironment
    blueprint: Blueprint

    @property
    def document(self) -> Environment:
        """What the user wrote, typed."""
        return self.loaded.environment

    @property
    def title(self) -> str:
        return f"environment {self.loaded.name}"

    def locate(self, path: Path) -> Location:
        source = self.loaded.document
        position = source.where(path)
        return Location(source.file, position.line, position.column, dotted(path))
