"""Existing InferenceEndpointConfigs turned into the environment fragment that leads to them."""

from hyperpod_dpd.importing.fragment import Imported, NotImportable, import_endpoint, merged_fragment

__all__ = ["Imported", "NotImportable", "import_endpoint", "merged_fragment"]
