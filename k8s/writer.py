"""Bring one environment's folder to what was rendered: all of it or none, and nothing that is not ours."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from k8s.exchange import put_in_place, undo_half
from k8s.layout import KUSTOMIZATION, MARK


class NotOurs(Exception):
    """Something stands where a rendered app has to go, and this program did not make it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """Paths relative to the environment's folder. ``written`` holds new files and changed ones."""

    written: tuple[str, ...]
    removed: tuple[str, ...]


def write_environment(out: Path, name: str, files: Mapping[str, str]) -> Changes:
    """Make ``out/name`` hold ``files`` (text by ``<app>/<file>``).

    An app folder is ours when its kustomization.yaml says so; its YAML files that were not rendered now are
    removed. Other files in it, and everything else beside the app folders, stay. The new folder is
    built next to the old one and takes its place in one step; where nothing changed, nothing is touched.
    Raises NotOurs before any change, and OSError with the old folder intact.
    """
    target = Path(os.path.realpath(out / name))
    target.parent.mkdir(parents=True, exist_ok=True)
    with _alone_in(target.parent):
        building = target.with_name(f".{name}.rendering")
        undo_half(building, target)  # of a run that was killed, as what is removed here
        _remove(building)
        apps = _by_app(files)
        removed = _stale(target, apps)
        written = tuple(path for path, text in files.items() if not _holds(target / path, text))
        if not written and not removed:
            return Changes(written=(), removed=())
        try:
            building.mkdir()
            _carry_over(target, building, apps)
            for path, text in files.items():
                _place(target / path, building / path, text, changed=path in written)
            put_in_place(building, target)
            with suppress(OSError):
                target.rmdir()  # succeeds only when nothing at all is left in it
        finally:
            undo_half(building, target)
            _remove(building)
    return Changes(written=written, removed=removed)


def rendered_environments(out: Path) -> list[str]:
    """Names of the folders in ``out`` that hold an app of ours."""
    if not out.is_dir():
        return []
    return sorted(
        folder.name
        for folder in out.iterdir()
        if folder.is_dir() and not folder.name.startswith(".") and any(map(_is_ours, folder.iterdir()))
    )


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Two runs at once write one after the other, where the file system can lock."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _by_app(files: Mapping[str, str]) -> dict[str, set[str]]:
    apps: dict[str, set[str]] = {}
    for path in files:
        app, _, name = path.partition("/")
        if not name or "/" in name or app.startswith(".") or name.startswith("."):
            raise ValueError(f"{path!r} is not <app>/<file>")
        apps.setdefault(app, set()).add(name)
    return apps


def _stale(target: Path, apps: Mapping[str, set[str]]) -> tuple[str, ...]:
    """Our files that were not rendered now. Raises NotOurs for what stands in the way."""
    if target.exists() and not target.is_dir():
        raise NotOurs(f"{target} is not a folder; move it away")
    for app in apps:
        folder = target / app
        if (folder.is_symlink() or folder.exists()) and not _is_ours(folder) and not _is_empty(folder):
            raise NotOurs(
                f"{folder} was not rendered by this program (its {KUSTOMIZATION} does not begin with "
                f"{MARK!r}), so it stays as it is; move it away, or write elsewhere with --out"
            )
        for name in apps[app]:
            if (folder / name).is_dir():
                raise NotOurs(f"{folder / name} is a folder where a file has to go; move it away")
    return tuple(
        f"{folder.name}/{file.name}"
        for folder in _entries(target)
        if _is_ours(folder)
        for file in _entries(folder)
        if _is_rendered_file(file) and file.name not in apps.get(folder.name, ())
    )


def _entries(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


def _is_empty(folder: Path) -> bool:
    return folder.is_dir() and not folder.is_symlink() and not any(folder.iterdir())


def _is_ours(folder: Path) -> bool:
    if folder.is_symlink() or not folder.is_dir():
        return False
    try:
        with (folder / KUSTOMIZATION).open("rb") as file:
            return file.read(len(MARK)) == MARK.encode()
    except OSError:
        return False


def _is_rendered_file(path: Path) -> bool:
    return path.suffix == ".yaml" and not path.name.startswith(".") and not path.is_dir()


def _holds(path: Path, text: str) -> bool:
    try:
        return not path.is_symlink() and path.read_bytes() == text.encode()
    except OSError:
        return False


def _carry_over(old: Path, new: Path, apps: Mapping[str, set[str]]) -> None:
    """Everything of the old folder that is not ours, in the same place of the new one."""
    for entry in _entries(old):
        if not _is_ours(entry):
            if entry.name not in apps:
                _carry(entry, new / entry.name)
            continue
        for file in _entries(entry):
            if not _is_rendered_file(file):
                (new / entry.name).mkdir(exist_ok=True)
                _carry(file, new / entry.name / file.name)


def _carry(old: Path, new: Path) -> None:
    if old.is_symlink():
        new.symlink_to(old.readlink())
    elif old.is_dir():
        new.mkdir()
        for entry in _entries(old):
            _carry(entry, new / entry.name)
        shutil.copystat(old, new)
    else:
        try:
            os.link(old, new)
        except OSError:
            shutil.copy2(old, new)


def _place(old: Path, new: Path, text: str, *, changed: bool) -> None:
    new.parent.mkdir(exist_ok=True)
    if changed:
        new.write_bytes(text.encode())
    else:
        _carry(old, new)


def _remove(folder: Path) -> None:
    for each in (folder, folder.with_name(f"{folder.name}.old")):
        if each.exists():
            shutil.rmtree(each)
