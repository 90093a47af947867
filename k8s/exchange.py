"""Put one folder in the place of another in a single step, so that no reader and no crash sees half of it."""

from __future__ import annotations

import ctypes
import errno
import os
from pathlib import Path

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_UNSUPPORTED = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP})


def put_in_place(new: Path, target: Path) -> None:
    """Make ``target`` what ``new`` is; the old folder, if any, is then at ``new``.

    Both lie on one file system. Raises OSError with ``target`` as it was.
    """
    if not target.exists():
        new.rename(target)
    elif not _exchange(new, target):
        aside = _aside(new)
        target.rename(aside)
        try:
            new.rename(target)
        except BaseException:
            aside.rename(target)
            raise
        aside.rename(new)


def undo_half(new: Path, target: Path) -> None:
    """Put back the old folder that a killed run had moved aside, where the system cannot swap in one step."""
    aside = _aside(new)
    if aside.is_dir() and not target.exists():
        aside.rename(target)


def _aside(new: Path) -> Path:
    return new.with_name(f"{new.name}.old")


def _exchange(one: Path, other: Path) -> bool:
    """Swap two paths atomically; False where the system cannot."""
    try:
        renameat2 = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError, TypeError):
        return False
    if not renameat2(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE):
        return True
    number = ctypes.get_errno()
    if number in _UNSUPPORTED:
        return False
    raise OSError(number, os.strerror(number), str(other))
