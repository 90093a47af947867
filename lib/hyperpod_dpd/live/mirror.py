"""Copy what an environment needs into its mirror: only what is missing, each image under the digest it has."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

from hyperpod_dpd.blueprint.mirroring import Copy
from hyperpod_dpd.catalog.worker_images import DOCKER_HUB_LOGIN, ImageReference, is_private_ecr
from hyperpod_dpd.live.copy_tools import Tool, environment
from hyperpod_dpd.live.registry import Registry, RegistryFault

State = Literal["unchecked", "unknown", "missing", "present", "conflict", "copied", "failed", "not reached"]
GOOD = frozenset({"present", "copied"})
STOP_SECONDS = 20
_LAST_LINES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One image and what became of it; ``digest`` is None while unknown, ``why`` says what is wrong."""

    copy: Copy
    digest: str | None
    state: State
    why: str = ""


def planned(copies: Iterable[Copy], registry: Registry) -> list[Row]:
    """Every copy with its digest: the document's or the lock's, else what the source's tag means now."""
    rows = []
    for copy in copies:
        if copy.digest is not None:
            rows.append(Row(copy=copy, digest=copy.digest, state="unchecked"))
            continue
        try:
            rows.append(Row(copy=copy, digest=registry.digest(copy.source), state="unchecked"))
        except RegistryFault as fault:
            rows.append(Row(copy=copy, digest=None, state="unknown", why=str(fault)))
    return rows


def compared(row: Row, registry: Registry) -> Row:
    """The row with what the target holds: nothing, the same digest, or another one that stays where tags are fixed."""
    if row.digest is None:
        return row
    try:
        there = registry.find(row.copy.target)
    except RegistryFault as fault:
        return _with(row, "unknown", str(fault))
    if there == row.digest:
        return _with(row, "present")
    if there is not None and is_private_ecr(row.copy.target.registry):
        return _with(
            row,
            "conflict",
            f"holds {there}, and its tags cannot be moved: give the image another tag, or delete that one",
        )
    return _with(row, "missing")


def copy_all(
    rows: list[Row],
    tool: Tool,
    registry: Registry,
    folder: Path,
    *,
    tell: Callable[[str], None],
    show_output: bool,
) -> tuple[list[Row], bool]:
    """What became of each row, and whether the user interrupted. A finished image is never copied again."""
    done: list[Row] = []
    for number, row in enumerate(rows, 1):
        title = f"[{number}/{len(rows)}] {row.copy.target}"
        try:
            found = compared(row, registry)
            if found.state == "missing":
                tell(f"{title}: copying")
                found = _copied(found, tool, registry, folder, show_output=show_output)
            tell(f"{title}: {found.state}{f': {found.why}' if found.why else ''}")
            done.append(found)
        except KeyboardInterrupt:
            done += [_with(left, "not reached") for left in rows[number - 1 :]]
            return done, True
    return done, False


def source_by_digest(row: Row) -> str:
    """What is asked of the source: bytes, never a tag that may have moved."""
    source = row.copy.source
    return f"{source.registry}/{source.repository}@{row.digest}"


def _copied(row: Row, tool: Tool, registry: Registry, folder: Path, *, show_output: bool) -> Row:
    command = tool.copy(source_by_digest(row), str(row.copy.target))
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as kept:
        status = _run(command, folder, kept, show_output=show_output)
        if status != 0:
            kept.seek(0)
            said = " / ".join(line.strip() for line in kept.read().splitlines()[-_LAST_LINES:])
            return _with(row, "failed", f"{tool.name} ended with {status}{f': {said}' if said else ''}")
    try:
        there = registry.find(row.copy.target)
    except RegistryFault as fault:
        return _with(row, "failed", f"copied, but not seen there: {fault}")
    if there != row.digest:
        return _with(row, "failed", f"the target holds {there or 'nothing'} after the copy, not {row.digest}")
    return _with(row, "copied")


def _run(command: list[str], folder: Path, kept: IO[str], *, show_output: bool) -> int:
    """Status of the tool. An interrupt reaches it too; it gets STOP_SECONDS to tidy up before it is ended."""
    out = sys.stderr if show_output else kept
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=environment(folder)
    ) as process:
        try:
            return process.wait()
        except KeyboardInterrupt:
            with contextlib.suppress(subprocess.TimeoutExpired, KeyboardInterrupt):
                process.wait(STOP_SECONDS)
            if process.poll() is None:
                process.kill()
            raise


def shell_script(rows: list[Row], tool: Tool, *, region: str) -> str:
    """The same as a script for a machine without this program: it too skips what is there."""
    hosts = dict.fromkeys(row.copy.target.registry for row in rows)
    lines = [
        "#!/bin/sh",
        "# Images of the environment's mirror; what is there already is skipped.",
        "set -eu",
        "",
    ]
    for host in hosts:
        if is_private_ecr(host):
            login = " ".join(tool.login(host, "AWS"))
            lines.append(f"aws ecr get-login-password --region {region} | {login}")
    lines += ["", f"digest_of() {{ {tool.shell_digest} || true; }}", ""]
    copy = " ".join(tool.copy("SOURCE", "TARGET")).replace("SOURCE", "$2@$3").replace("TARGET", "$1")
    words = [f'"{word}"' if "$" in word else word for word in copy.split(" ")]
    lines += [
        "mirror() {  # target, source, digest",
        '  if [ "$(digest_of "$1")" = "$3" ]; then echo "present: $1"; return; fi',
        f"  {' '.join(words)}",
        '  if [ "$(digest_of "$1")" != "$3" ]; then echo "wrong digest: $1" >&2; exit 1; fi',
        '  echo "copied: $1"',
        "}",
        "",
    ]
    for row in rows:
        source = row.copy.source
        lines.append(f"mirror '{row.copy.target}' '{source.registry}/{source.repository}' '{row.digest}'")
    return "\n".join(lines) + "\n"


def target_hosts(rows: Iterable[Row]) -> list[str]:
    """Registries that are written to."""
    return list(dict.fromkeys(row.copy.target.registry for row in rows))


def source_hosts(rows: Iterable[Row]) -> list[str]:
    """Registries that are read, as docker's configuration names them."""
    return list(dict.fromkeys(_auth_host(row.copy.source) for row in rows))


def _auth_host(image: ImageReference) -> str:
    """Docker keeps the credentials of Docker Hub under an address of their own."""
    return DOCKER_HUB_LOGIN if image.is_docker_hub else image.registry


def _with(row: Row, state: State, why: str = "") -> Row:
    return Row(copy=row.copy, digest=row.digest, state=state, why=why)
