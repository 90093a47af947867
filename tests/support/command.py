"""Run the `dpd` command in this process, as its console script would."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass

from hyperpod_dpd.cli.main import main


@dataclass(frozen=True, slots=True)
class Outcome:
    """Exit status and what was printed."""

    status: int
    out: str
    err: str


def dpd(*arguments: str, stdin: bytes | None = None) -> Outcome:
    """``dpd ARGUMENTS`` with its exit status; an exception that escapes is a test failure."""
    out, err = io.StringIO(), io.StringIO()
    with _patched(["dpd", *arguments], stdin), redirect_stdout(out), redirect_stderr(err):
        try:
            main()
            status = 0
        except SystemExit as done:
            status = done.code if isinstance(done.code, int) else 1
    return Outcome(status, out.getvalue(), err.getvalue())


@contextmanager
def _patched(argv: list[str], stdin: bytes | None) -> Iterator[None]:
    old = sys.argv, sys.stdin
    sys.argv = argv
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin or b""))
    try:
        yield
    finally:
        sys.argv, sys.stdin = old
