"""Bring one environment's folder to what was rendered, and touch nothing in it that is not ours."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from hyperpod_dpd.blueprint.source import MARK
from k8s.layout import KUSTOMIZATION


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
    removed. Other files in it, and everything else beside the app folders, stay as they are. Every new file is
    written next to the folder first and then renamed into its place: no reader sees half a file, and what a
    killed run leaves is mended by the next one. Raises NotOurs before any change, and OSError.
    """
    target = Path(os.path.realpath(out / name))
    target.parent.mkdir(parents=True, exist_ok=True)
    with _alone_in(target.parent):
        building = target.with_name(f".{name}.rendering")
        _remove(building)  # of a run that was killed
        removed = _stale(target, _by_app(files))
        written = tuple(path for path, text in files.items() if not _holds(target / path, text))
        try:
            for path in written:
                _write(building / path, files[path])
            # An app is ours by its kustomization: that comes first and goes last, so a next run knows its folder.
            for path in sorted(written, key=_is_no_kustomization):
                (target / path).parent.mkdir(parents=True, exist_ok=True)
                (building / path).replace(target / path)
            for path in sorted(removed, key=_is_no_kustomization, reverse=True):
                (target / path).unlink()
            _drop_empty(target, removed)
        finally:
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


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode())


def _is_no_kustomization(path: str) -> bool:
    return not path.endswith(f"/{KUSTOMIZATION}")


def _drop_empty(target: Path, removed: Iterable[str]) -> None:
    """App folders that lost their last file go, and so does an environment's folder without any."""
    for folder in [*{(target / path).parent for path in removed}, target]:
        with suppress(OSError):
            folder.rmdir()


def _remove(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)
