"""A Kubernetes object that is no endpoint of the current form, as rules see it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.document import Path, dotted
from hyperpod_dpd.kinds.definitions import Definitions
from hyperpod_dpd.kinds.judging import object_problems, problems_by
from hyperpod_dpd.view.inputs import KubernetesObject
from hyperpod_dpd.view.origin import Location

if TYPE_CHECKING:
    from hyperpod_dpd.iec.problem import SchemaProblem


@dataclass(frozen=True, slots=True)
class ObjectView:
    """Paths are those of the object itself."""

    item: KubernetesObject
    definitions: Definitions = field(default_factory=Definitions)

    @property
    def value(self) -> dict[str, Any]:
        return self.item.value

    @property
    def title(self) -> str:
        return self.item.title

    def refusals(self) -> list[SchemaProblem]:
        """What an API server would refuse of an object of Kubernetes' own kinds; nothing for other kinds."""
        return object_problems(self.value) or []

    def refusals_of_definition(self) -> list[SchemaProblem]:
        """What the definition of the object's kind, where one was read in the same run, refuses."""
        tree = self.definitions.tree_of(self.value)
        return problems_by(tree, self.value) if tree is not None else []

    def locate(self, path: Path) -> Location:
        full = (*self.item.base, *path)
        position = self.item.document.where(full)
        return Location(self.item.document.file, position.line, position.column, dotted(full))
