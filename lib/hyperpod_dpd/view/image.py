"""The worker image: its reference, what the catalogue knows of it, and the versions inside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from hyperpod_dpd.catalog import worker_images
from hyperpod_dpd.catalog.versions import ComponentVersion


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
        """``vllm``, ``lmcache`` or ``nixl``: declared, as documented, as built, or by the tag; else None."""
        if component in self.declared:
            return KnownVersion(ComponentVersion.parse(self.declared[component]), "declared")
        for contents, by in (
            (self.known and self.known.stated, "stated"),
            (self.known and self.known.built, "built"),
        ):
            found = getattr(contents, component, None) if contents else None
            if found is not None:
                return KnownVersion(found, by)
        if self.known is None and self.reference is not None and self.kind is not None:
            tagged = worker_images.version_by_tag(self.reference, self.kind, component)
            return KnownVersion(tagged, "tag") if tagged is not None else None
        return None


@dataclass(frozen=True, slots=True)
class KnownVersion:
    """A version and who says so: the user (``declared``), the documentation (``stated``), ``built``, ``tag``."""

    version: ComponentVersion
    by: str

    def __str__(self) -> str:
        return f"{self.version} ({_SAID[self.by]})"


_SAID = {
    "declared": "as declared",
    "stated": "by the documentation",
    "built": "by its build history, not confirmed",
    "tag": "by its tag",
}
