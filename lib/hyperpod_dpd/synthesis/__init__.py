"""Where app.py, infra and k8s are: beside this file in an installed package, at the top of a checkout."""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).resolve().parent
FOLDER = _HERE if (_HERE / "app.py").is_file() else _HERE.parents[2]
