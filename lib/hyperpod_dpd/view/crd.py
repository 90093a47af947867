"""The user's own CRD as rules see it: what it refuses of an endpoint, and where it differs from our fields."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.document import Path, UnreadableInput, dotted, read_file
from hyperpod_dpd.iec.crd import NotThisCrd, crd_versions, validate_against_crd
from hyperpod_dpd.iec.drift import Drift, drift
from hyperpod_dpd.view.inputs import expand, is_object
from hyperpod_dpd.view.origin import Location

if TYPE_CHECKING:
    from hyperpod_dpd.document import Document
    from hyperpod_dpd.iec.problem import SchemaProblem

CURRENT = "v1"


@dataclass(frozen=True, slots=True)
class CrdView:
    """One CustomResourceDefinition of the InferenceEndpointConfig. Paths are those of its schema's fields."""

    document: Document
    base: Path
    value: Any
    release: str | None = None

    @property
    def title(self) -> str:
        return "CustomResourceDefinition of InferenceEndpointConfig"

    def refusals(self, manifest: Any) -> list[SchemaProblem]:
        """What a strict API server with this CRD would refuse of ``manifest``."""
        return validate_against_crd(self.value, manifest)

    def drift(self) -> list[Drift]:
        """Where this CRD's current version and our fields differ; none where it does not serve that version."""
        return drift(self.value, version=CURRENT, release=self.release) if self.serves_current else []

    @property
    def serves_current(self) -> bool:
        return CURRENT in crd_versions(self.value)

    def locate(self, path: Path) -> Location:
        """A field's place in the CRD's own file, or its nearest parent's there."""
        full = (*self.base, *self._in_schema(path))
        position = self.document.where_key(full)
        return Location(self.document.file, position.line, position.column, dotted(path))

    def _in_schema(self, path: Path) -> Path:
        versions = self.value["spec"]["versions"]
        index = next((i for i, each in enumerate(versions) if each.get("name") == CURRENT), 0)
        full: Path = ("spec", "versions", index, "schema", "openAPIV3Schema")
        for part in path:
            steps: Path = {"[]": ("items",), "{}": ("additionalProperties",)}.get(
                str(part), ("properties", part)
            )
            if not self.document.exists((*self.base, *full, *steps)):
                break
            full = (*full, *steps)
        return full


def read_crd(file: str, release: str | None = None) -> CrdView:
    """The CRD in ``file``, which may hold other objects too. Raises UnreadableInput."""
    reason = "holds no Kubernetes object; save the CRD with `kubectl get crd ... -o yaml`"
    for document in read_file(FilePath(file)):
        value = document.value
        for item in expand(document, (), value) if is_object(value) else ():
            try:
                crd_versions(item.value)
            except NotThisCrd as error:
                reason = str(error)
                continue
            return CrdView(document, item.base, item.value, release)
    raise UnreadableInput(file, reason)
