"""All endpoints of one run side by side, for what no single one shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hyperpod_dpd.document import Path
from hyperpod_dpd.view.origin import Location

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView


@dataclass(frozen=True, slots=True)
class EndpointsView:
    """Paths begin with the endpoint's index: ``(1, "metadata", "name")``."""

    endpoints: tuple[EndpointView, ...]

    @property
    def title(self) -> str:
        return f"{len(self.endpoints)} endpoints"

    def locate(self, path: Path) -> Location:
        index = path[0]
        assert isinstance(index, int)
        return self.endpoints[index].locate(path[1:])
