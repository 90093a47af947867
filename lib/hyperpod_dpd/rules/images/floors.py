"""Releases of what is inside a worker image from which something holds, as the catalogue has them."""

from __future__ import annotations

from hyperpod_dpd.catalog import worker_images
from hyperpod_dpd.catalog.versions import ComponentVersion


def floor(name: str) -> ComponentVersion:
    """The release that the catalogue knows under ``name``, such as "lmcache" or "lmcache_page_leak"."""
    return ComponentVersion.parse(worker_images.component_floor(name).value)
