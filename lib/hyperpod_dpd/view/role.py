"""One role of an endpoint as rules see it, whoever wrote the manifest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.document import Path
from hyperpod_dpd.iec.arguments import Arguments
from hyperpod_dpd.iec.quantities import QuantityError, to_count
from hyperpod_dpd.view.context import VARIABLE, MissingFact


@dataclass(frozen=True, slots=True)
class RoleView:
    """One role after the operator's merge. ``path`` is where the role's own fields stand in the manifest."""

    role: str
    path: Path
    replicas: int
    arguments: Arguments
    own_arguments: Arguments
    resources: Mapping[str, Mapping[str, Any]]
    node_selector: Mapping[str, Any]

    def amount(self, resource: str) -> int | None:
        """Whole units of ``resource`` a pod asks for (limits, else requests); None when absent or malformed."""
        for kind in ("limits", "requests"):
            value = self.resources.get(kind, {}).get(resource)
            if value is not None:
                try:
                    return to_count(value)
                except QuantityError:
                    return None
        return None

    @property
    def gpus(self) -> int | None:
        return self.amount(names.GPU_RESOURCE)

    @property
    def tensor_parallel_size(self) -> int:
        """vLLM runs on one GPU where the flag is absent. Raises MissingFact where a variable hides the number."""
        if self.arguments.unresolved("--tensor-parallel-size"):
            raise MissingFact(VARIABLE)
        return self.arguments.integer("--tensor-parallel-size") or 1

    @property
    def group_name(self) -> str | None:
        """Instance group that the role's node selector names."""
        value = self.node_selector.get(names.INSTANCE_GROUP_LABEL)
        return str(value) if value is not None else None

    def where(self, flag: str) -> Path:
        """Where the flag that counts stands, else where the role's arguments would."""
        return self.arguments.where(flag) or (*self.path, "args")

    def restarts_for(self, now: RoleView) -> list[str]:
        """What of the pod template differs; the number of replicas restarts nothing."""
        found = []
        if self.arguments.render() != now.arguments.render():
            found.append("arguments")
        if _text(self.resources) != _text(now.resources):
            found.append("resources")
        if self.node_selector != now.node_selector:
            found.append("node selector")
        return found


def _text(resources: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, str]]:
    return {kind: {name: str(amount) for name, amount in each.items()} for kind, each in resources.items()}
