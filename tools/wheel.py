"""Build hook: app.py goes into the wheel beside infra and k8s; an editable install runs it from the checkout."""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class AppHook(BuildHookInterface[Any]):
    """Adds the one file that hatchling's table of folders cannot name."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "editable":
            build_data["force_include"]["app.py"] = "hyperpod_dpd/synthesis/app.py"
