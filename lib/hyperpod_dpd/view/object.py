"""A Kubernetes object that is no endpoint of the current form, as rules see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hyperpod_dpd.document import Path, dotted
from hyperpod_dpd.view.inputs import KubernetesObject
from hyperpod_dpd.view.origin import Location


@dataclass(frozen=True, slots=True)
class ObjectView:
    """Paths are those of the object itself."""

    item: KubernetesObject

    @property
    def value(self) -> dict[str, Any]:
        return self.item.value

    @property
    def title(self) -> str:
        return self.item.title

    def locate(self, path: Path) -> Location:
        full = (*self.item.base, *path)
        position = self.item.document.where(full)
        return Location(self.item.document.file, position.line, position.column, dotted(full))
