"""Existing InferenceEndpointConfigs turned into the environment fragment that leads to them."""

from lib.importing.fragment import Imported, NotImportable, import_endpoint, merged_fragment

__all__ = ["Imported", "NotImportable", "import_endpoint", "merged_fragment"]
