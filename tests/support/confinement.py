"""Where a test may read: the checkout, temporary folders, the interpreter and the system. The one list of both."""

from __future__ import annotations

import os
import site
import sys
import sysconfig
import tempfile
from functools import lru_cache
from pathlib import Path
from traceback import extract_stack
from typing import Any

import pytest

ROOT = str(Path(__file__).resolve().parents[2])
# Devices, the state of processes, libraries, certificates, time zones, shared data and programs of the machine.
SYSTEM = ("/dev", "/proc", "/sys", "/etc", "/lib", "/lib64", "/usr", "/bin", "/var/lib/dpkg")
# Where matplotlib looks for fonts when it makes its list.
FONTS = (str(Path.home() / ".fonts"), str(Path.home() / ".local" / "share" / "fonts"))
INTERPRETER = {
    sys.prefix,
    sys.exec_prefix,
    sys.base_prefix,
    sys.base_exec_prefix,
    *sysconfig.get_paths().values(),
    *site.getsitepackages(),
}
_EVENTS = {"open", "os.listdir", "os.scandir"}


class Confinement:
    """Judges a path, and keeps what was read elsewhere until it is taken."""

    def __init__(self, *allowed: str) -> None:
        real = {os.path.realpath(each) for each in allowed}
        self.allowed = tuple(each.rstrip("/") + "/" for each in sorted(real - {"/"}))
        self.left: list[str] = []
        self.judging = True

    def allows(self, path: str) -> bool:
        """Whether the file or folder lies, links followed, in one of the allowed folders."""
        whole = path if path.startswith("/") else os.path.join(os.getcwd(), path)
        folder, name = os.path.split(whole)
        real = f"{_real(folder)}/{name}" if name not in ("", ".", "..") else os.path.realpath(whole)
        if os.path.islink(real):
            real = os.path.realpath(real)
        return f"{real}/".startswith(self.allowed)

    def hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        """One event of sys.addaudithook; a descriptor was judged when it was opened."""
        if event not in _EVENTS or not self.judging:
            return
        path = "." if arguments[0] is None else arguments[0]
        if isinstance(path, int):
            return
        self.judging = False
        try:
            text = os.fsdecode(path)
            if not self.allows(text):
                self.left.append(f"{event} of {text} by {_caller()}")
        finally:
            self.judging = True


@lru_cache(maxsize=4096)
def _real(folder: str) -> str:
    return os.path.realpath(folder).rstrip("/")


def _caller() -> str:
    ours = [
        frame
        for frame in extract_stack()
        if frame.filename.startswith(ROOT) and "/.venv/" not in frame.filename
    ]
    frame = next((each for each in reversed(ours) if each.filename != __file__), None)
    return f"{os.path.relpath(frame.filename, ROOT)}:{frame.lineno}" if frame else "a library"


_current: Confinement | None = None
_hooked = False


def begin(config: pytest.Config) -> None:
    """From here on every open and every listing of a folder is judged; temporary files go below pytest's own."""
    global _current, _hooked
    temporary = config._tmp_path_factory.mktemp("temporary")  # type: ignore[attr-defined]
    os.environ["TMPDIR"] = tempfile.tempdir = str(temporary)
    os.environ["MPLCONFIGDIR"] = f"{ROOT}/.build/matplotlib"  # its list of fonts, made once
    given = [str(file)] if (file := config.getoption("--crd")) else []
    _current = Confinement(
        ROOT, str(config.rootpath), str(temporary.parent), *SYSTEM, *FONTS, *INTERPRETER, *given
    )
    if not _hooked:
        sys.addaudithook(lambda event, arguments: _current.hear(event, arguments) if _current else None)
        _hooked = True


def end() -> None:
    global _current
    _current = None


def taken() -> list[str]:
    """What was read elsewhere since the last call."""
    if _current is None:
        return []
    left, _current.left = _current.left, []
    return left


def told(left: list[str]) -> str:
    return "\n".join(
        ["read outside the checkout, temporary folders and the interpreter:", *dict.fromkeys(left)]
    )
