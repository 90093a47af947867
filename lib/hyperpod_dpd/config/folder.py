"""Where environments lie: a company keeps its own beside its own code, so no program may know the folder itself."""

from __future__ import annotations

import os
from pathlib import Path

VARIABLE = "DPD_ENVIRONMENTS"
DEFAULT = "environments"


def environments_folder(chosen: str | Path | None = None) -> Path:
    """What was chosen on the command line, else DPD_ENVIRONMENTS, else environments/ of the current folder."""
    return Path(chosen or os.environ.get(VARIABLE) or DEFAULT)
