"""Build hook: single files go into the wheel beside infra and k8s; an editable install reads them in the checkout."""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FILES = ("app.py", "cdk.json", "package.json", "package-lock.json", "requirements.lock")
"""The CDK app, and what `dpd new` writes into a user's repository."""


class FilesHook(BuildHookInterface[Any]):
    """Adds the files that hatchling's table of folders cannot name."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "editable":
            build_data["force_include"] |= {name: f"hyperpod_dpd/synthesis/{name}" for name in FILES}
