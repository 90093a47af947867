"""A test in tests/unit that starts a program fails: the edit loop runs those, and has to stay short."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

UNIT = Path(__file__).resolve().parents[1] / "unit"
_STARTS = {"subprocess.Popen", "os.system", "os.posix_spawn", "os.fork", "os.forkpty", "os.exec", "os.spawn"}
_watching = False
_started: list[str] = []


def _hear(event: str, arguments: tuple[Any, ...]) -> None:
    if _watching and event in _STARTS:
        _started.append(f"{event} of {arguments[0] if arguments else 'itself'}")


sys.addaudithook(_hear)


@pytest.fixture(autouse=True)
def no_program_in_a_unit_test(request: pytest.FixtureRequest) -> Iterator[None]:
    """What a test starts is collected while it runs, also where its code swallows the error."""
    global _watching
    if not request.path.is_relative_to(UNIT):
        yield
        return
    _started.clear()
    _watching = True
    try:
        yield
    finally:
        _watching = False
    if _started:
        pytest.fail(f"{_started[0]}: a test that starts a program belongs in tests/programs")
