"""An environment beside what it was before, for what no endpoint shows: network, clusters, groups, versions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint.changes import Consequence, compared, consequences
from hyperpod_dpd.blueprint.footprint import footprint

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.model import Blueprint
    from hyperpod_dpd.document import Path
    from hyperpod_dpd.view.environment import EnvironmentView
    from hyperpod_dpd.view.origin import Location


@dataclass(frozen=True)
class EnvironmentChangeView:
    """Paths are those of the later document."""

    before: Blueprint
    after: EnvironmentView

    @property
    def title(self) -> str:
        return self.after.title

    def locate(self, path: Path) -> Location:
        return self.after.locate(path)

    @cached_property
    def consequences(self) -> tuple[Consequence, ...]:
        """What the change does, one for each cause."""
        return tuple(consequences(compared(self.before), compared(self.after.blueprint)))

    @property
    def moves(self) -> bool:
        """Whether it alone makes pods go to other nodes."""
        return any(each.lasting for each in self.consequences)

    @property
    def gpus_added(self) -> int:
        """GPUs of all nodes, now less before; types that the catalogue lacks count for nothing."""
        return _gpus(self.after.blueprint) - _gpus(self.before)


def _gpus(blueprint: Blueprint) -> int:
    return sum(row.gpus or 0 for row in footprint(blueprint))
