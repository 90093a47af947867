"""A shell can read every command of a filled runbook."""

from __future__ import annotations

import re
import subprocess

import pytest

from hyperpod_dpd.runbooks import render
from tests.unit.runbooks.test_render import BLUEPRINTS, OURS


@pytest.mark.parametrize("environment", sorted(BLUEPRINTS))
def test_shell_blocks_parse(environment: str) -> None:
    for name in OURS:
        for block in re.findall(
            r"^[ ]*```sh\n(.*?)^[ ]*```", render(name, BLUEPRINTS[environment]), re.M | re.S
        ):
            done = subprocess.run(["bash", "-n"], input=block, capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{name}: {done.stderr}\n{block}"
