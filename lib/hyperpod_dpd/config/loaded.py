"""A loaded environment: apart from loading, because faults carry one and loading reports faults."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from hyperpod_dpd.document import Document

if TYPE_CHECKING:
    from hyperpod_dpd.config.environment import Environment
    from hyperpod_dpd.config.locks import Locks
    from hyperpod_dpd.config.outputs import Outputs

NAME_PATTERN = re.compile(r"^[a-z]([-a-z0-9]*[a-z0-9])?$")
NAME_MAX = 16  # bucket names carry environment, account and Region within 63 characters


@dataclass(frozen=True, slots=True)
class LoadedEnvironment:
    """A valid environment, its name, where it stands, and the late-bound facts known of it."""

    name: str
    environment: Environment
    outputs: Outputs
    document: Document
    folder: FilePath
    locks: Locks
