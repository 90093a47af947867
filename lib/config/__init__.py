"""The environment document: typed, strict, frozen, with faults that point at the user's line."""

from lib.config.faults import Fault, InvalidEnvironment
from lib.config.load import LoadedEnvironment, environment_files, load_document, load_environment

__all__ = [
    "Fault",
    "InvalidEnvironment",
    "LoadedEnvironment",
    "environment_files",
    "load_document",
    "load_environment",
]
