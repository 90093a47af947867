"""The worker image: its reference, what the catalogue knows of it, and the versions inside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from lib.catalog import worker_images
from lib.catalog.versions import ComponentVersion


class ImageView:
    """One image reference. ``declared`` versions, which the user vouches for, win over the catalogue's."""

    def __init__(self, text: str, declared: Mapping[str, str]) -> None:
        self.text = text
        self.declared = declared

    @cached_property
    def reference(self) -> worker_images.ImageReference | None:
        """None where the text is not an image reference."""
        try:
            return worker_images.parse_reference(self.text)
        except ValueError:
            return None

    @cached_property
    def known(self) -> worker_images.WorkerImage | None:
        return worker_images.find(self.text) if self.reference else None

    @cached_property
    def kind(self) -> worker_images.ImageKind | None:
        return worker_images.kind_of(self.text) if self.reference else None

    def version(self, component: str) -> KnownVersion | None:
        """``vllm``, ``lmcache`` or ``nixl``: declared, else as documented, else as built; None if unknown."""
        if component in self.declared:
            return KnownVersion(ComponentVersion.parse(self.declared[component]), "declared")
        for contents, by in (
            (self.known and self.known.stated, "stated"),
            (self.known and self.known.built, "built"),
        ):
            found = getattr(contents, component, None) if contents else None
            if found is not None:
                return KnownVersion(found, by)
        return None


@dataclass(frozen=True, slots=True)
class KnownVersion:
    """A version and who says so: ``declared`` by the user, ``stated`` by the documentation, ``built``."""

    version: ComponentVersion
    by: str

    def __str__(self) -> str:
        return f"{self.version} ({_SAID[self.by]})"


_SAID = {
    "declared": "as declared",
    "stated": "by the documentation",
    "built": "by its build history, not confirmed",
}
