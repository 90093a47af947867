"""Where app.py, infra, k8s and their tools' settings are: beside this file when installed, else atop the checkout."""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).resolve().parent
FOLDER = _HERE if (_HERE / "app.py").is_file() else _HERE.parents[2]
