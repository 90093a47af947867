"""The environment document: typed, strict, frozen, with faults that point at the user's line."""

from hyperpod_dpd.config.fault import Fault, InvalidEnvironment
from hyperpod_dpd.config.folder import environments_folder
from hyperpod_dpd.config.load import environment_files, load_document, load_environment
from hyperpod_dpd.config.loaded import LoadedEnvironment

__all__ = [
    "Fault",
    "InvalidEnvironment",
    "LoadedEnvironment",
    "environment_files",
    "environments_folder",
    "load_document",
    "load_environment",
]
