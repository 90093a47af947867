"""What came before: a file, a folder, or a revision of the git repository that the checked paths lie in."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import NoReturn

from hyperpod_dpd.document import UnreadableInput
from hyperpod_dpd.view.inputs import STDIN, Inputs, gather

OPTION = "--previous"
MAX_FILE_BYTES = 8 * 1024 * 1024
_LINK = "120000"


@dataclass(frozen=True, slots=True)
class Previous:
    """Inputs of the earlier state; ``complete`` when what is missing in the later one was removed."""

    inputs: Inputs
    complete: bool


@contextmanager
def read_previous(given: str, paths: Sequence[str]) -> Iterator[Previous]:
    """The earlier state that ``given`` means, for as long as the context lasts. Raises UnreadableInput."""
    if os.path.exists(given):
        inputs = gather([given])
        _refuse_unreadable(inputs)
        yield Previous(inputs, complete=_comparable(given, paths))
        return
    revision, colon, inner = given.partition(":")
    with tempfile.TemporaryDirectory(prefix="dpd-previous-") as scratch:
        copy = _Checkout(revision, Path(scratch))
        if colon:
            inputs = copy.inputs(Path.cwd(), [inner], required=True)
            complete = len(paths) == 1
        else:
            if STDIN in paths:
                _refuse(f"standard input has no history; give {given}:PATH, or a file")
            inputs = copy.inputs(_existing(Path(paths[0])), list(paths), required=False)
            complete = True
        yield Previous(inputs, complete=complete)


def _comparable(given: str, paths: Sequence[str]) -> bool:
    """One file against one file, or folders against a folder; a folder against one file tells no removals."""
    if os.path.isdir(given):
        return all(os.path.isdir(path) for path in paths)
    return len(paths) == 1 and not os.path.isdir(paths[0])


def _existing(path: Path) -> Path:
    """The folder of ``path``, or of its nearest parent that exists."""
    place = path.absolute()
    while not place.is_dir():
        place = place.parent
    return place


class _Checkout:
    """Files of one revision, written to a scratch folder so that they are read as any others."""

    def __init__(self, revision: str, scratch: Path) -> None:
        self.revision = revision
        self.scratch = scratch
        self.written: dict[str, str] = {}

    def inputs(self, place: Path, paths: Sequence[str], *, required: bool) -> Inputs:
        """What ``paths`` (relative to the current folder, or with ``required`` to the repository) held then."""
        top = Path(self._top(place))
        commit = self._commit(top)
        found: list[str] = []
        for path in paths:
            inner = self._inner(top, path, from_top=required)
            if self._extract(top, commit, inner):
                found.append(inner)
            elif required:
                _refuse(f"'{self.revision}' holds no '{path}'; paths after ':' begin at the repository's top")
        if not found and not any(os.path.exists(path) for path in paths):
            _refuse(f"neither '{self.revision}' nor this folder holds {', '.join(paths)}")
        if not found:
            return Inputs()  # all of it is new
        inputs = gather([str(self.scratch / inner) for inner in found])
        self._rename(inputs)
        _refuse_unreadable(inputs)
        return inputs

    def _inner(self, top: Path, path: str, *, from_top: bool) -> str:
        start = top if from_top and not path.startswith(("./", "../")) else Path.cwd()
        full = Path(os.path.realpath(start / path))
        if not full.is_relative_to(top):
            _refuse(f"{path} lies outside the repository {top.name}; give the earlier file or folder")
        return PurePosixPath(full.relative_to(top)).as_posix()

    def _top(self, place: Path) -> str:
        result = self._git(place, "rev-parse", "--show-toplevel")
        if result.returncode != 0:
            self._unknown(f"no git repository holds {place} ({_first(result.stderr)})")
        return os.path.realpath(result.stdout.decode("utf-8", "surrogateescape").rstrip("\n"))

    def _commit(self, top: Path) -> str:
        wanted = f"{self.revision}^{{commit}}"
        result = self._git(top, "rev-parse", "--verify", "--quiet", "--end-of-options", wanted)
        if result.returncode != 0:
            self._unknown("git knows no such revision")
        return result.stdout.decode().strip()

    def _unknown(self, why: str) -> NoReturn:
        _refuse(f"'{self.revision}' is neither a file nor a folder, and {why}")

    def _extract(self, top: Path, commit: str, inner: str) -> bool:
        """Writes ``inner``, and what lies beside a file, to the scratch folder; False when it is not there."""
        kind = self._git(top, "cat-file", "-t", f"{commit}:{'' if inner == '.' else inner}")
        if kind.returncode != 0:
            return False
        # An environment names files beside it: its outputs, a model's config, lifecycle scripts.
        around = inner if kind.stdout.strip() == b"tree" else PurePosixPath(inner).parent.as_posix()
        limit = [] if around == "." else ["--", around]
        listed = self._git(top, "ls-tree", "-r", "-z", "-l", "--full-tree", commit, *limit)
        blobs: list[tuple[str, str]] = []
        for entry in filter(None, listed.stdout.split(b"\0")):
            head, _, name = entry.partition(b"\t")
            mode, sort, sha, size = head.decode().split()
            path = name.decode("utf-8", "surrogateescape")
            if sort == "blob" and mode != _LINK and int(size) <= MAX_FILE_BYTES and path not in self.written:
                blobs.append((sha, path))
        self._write(top, blobs)
        return True

    def _write(self, top: Path, blobs: Sequence[tuple[str, str]]) -> None:
        wanted = "".join(f"{sha}\n" for sha, _ in blobs).encode()
        stream = self._git(top, "cat-file", "--batch", stdin=wanted).stdout
        at = 0
        for _, path in blobs:
            end = stream.index(b"\n", at)
            head = stream[at:end].split()
            if len(head) != 3:
                _refuse(f"git lacks the content of {path} at '{self.revision}'; fetch the whole history")
            size = int(head[2])
            target = self.scratch / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(stream[end + 1 : end + 1 + size])
            self.written[path] = str(target)
            at = end + 1 + size + 1

    def _rename(self, inputs: Inputs) -> None:
        """Places of findings name the revision, not the scratch folder."""
        prefix = f"{self.scratch}{os.sep}"
        documents = [document for document, _ in inputs.environments]
        documents += [item.document for item in inputs.objects]
        for document in {id(each): each for each in documents}.values():
            document.file = self._shown(document.file, prefix)
        inputs.unreadable[:] = [self._shown(line, prefix) for line in inputs.unreadable]
        inputs.roots = tuple(self._shown(root, prefix) for root in inputs.roots)

    def _shown(self, text: str, prefix: str) -> str:
        return text.replace(prefix, f"{self.revision}:") if text.startswith(prefix) else text

    def _git(
        self, place: Path, *arguments: str, stdin: bytes | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        program = shutil.which("git")
        if program is None:
            _refuse(
                f"'{self.revision}' is neither a file nor a folder, and git, which might know it, is not installed"
            )
        environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
        return subprocess.run(
            [program, "-C", str(place), *arguments],
            input=stdin if stdin is not None else b"",
            capture_output=True,
            env=environment,
            check=False,
        )


def _refuse_unreadable(inputs: Inputs) -> None:
    if inputs.unreadable:
        more = f" (and {len(inputs.unreadable) - 1} more)" if len(inputs.unreadable) > 1 else ""
        _refuse(f"{inputs.unreadable[0]}{more}")


def _refuse(text: str) -> NoReturn:
    raise UnreadableInput(OPTION, text)


def _first(output: bytes) -> str:
    lines = output.decode("utf-8", "replace").strip().splitlines()
    return lines[0] if lines else "no reason given"
