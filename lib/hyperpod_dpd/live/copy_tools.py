"""Well-kept tools that copy images between registries without an engine: how each is called, and its credentials."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from hyperpod_dpd.live.registry import is_loopback

LOGIN_SECONDS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool. ``copy`` makes the command for source and target that keeps the digest and takes every architecture,
    ``login`` the one for host and user that reads the password; ``shell_digest`` prints the digest of "$1" in a shell.
    """

    name: str
    copy: Callable[[str, str], list[str]]
    login: Callable[[str, str], list[str]]
    shell_digest: str


def _skopeo_copy(source: str, target: str) -> list[str]:
    plain = [
        f"--{side}-tls-verify=false" for side, of in (("src", source), ("dest", target)) if is_loopback(of)
    ]
    keep = ["--all", "--preserve-digests", "--retry-times", "3"]
    return ["skopeo", "copy", *keep, *plain, f"docker://{source}", f"docker://{target}"]


def _skopeo_login(host: str, user: str) -> list[str]:
    plain = ["--tls-verify=false"] if is_loopback(host) else []
    return ["skopeo", "login", *plain, "--username", user, "--password-stdin", host]


def _oras_copy(source: str, target: str) -> list[str]:
    plain = [f"--{side}-plain-http" for side, of in (("from", source), ("to", target)) if is_loopback(of)]
    return ["oras", "copy", *plain, source, target]


def _oras_login(host: str, user: str) -> list[str]:
    plain = ["--plain-http"] if is_loopback(host) else []
    return ["oras", "login", *plain, "--username", user, "--password-stdin", host]


TOOLS: Mapping[str, Tool] = {
    "skopeo": Tool(
        name="skopeo",
        copy=_skopeo_copy,
        login=_skopeo_login,
        shell_digest='skopeo inspect --raw "docker://$1" 2>/dev/null | sha256sum | sed "s/ .*//; s/^/sha256:/"',
    ),
    "crane": Tool(
        name="crane",
        copy=lambda source, target: ["crane", "copy", source, target],
        login=lambda host, user: ["crane", "auth", "login", host, "-u", user, "--password-stdin"],
        shell_digest='crane digest "$1" 2>/dev/null',
    ),
    "oras": Tool(
        name="oras", copy=_oras_copy, login=_oras_login, shell_digest='oras resolve "$1" 2>/dev/null'
    ),
}
"""By name, in the order in which one is looked for on PATH."""


def installed(wanted: str | None = None) -> Tool | None:
    """The wanted tool, or the first one, if it is on PATH."""
    for name in [wanted] if wanted else TOOLS:
        if shutil.which(name):
            return TOOLS[name]
    return None


class LoginRefused(Exception):
    """The registry does not take the credentials; the text is the tool's last line."""


@contextmanager
def credentials_folder(hosts: Iterable[str]) -> Iterator[Path]:
    """A folder with a docker configuration of its own: the user's credentials for ``hosts``, and whatever is logged in
    later. It is gone afterwards, so a token stays nowhere."""
    with TemporaryDirectory(prefix="dpd-mirror-") as name:
        folder = Path(name)  # which only its owner may enter
        (folder / "config.json").write_text(json.dumps(_known(hosts)), encoding="utf-8")
        yield folder


def _known(hosts: Iterable[str]) -> dict[str, dict[str, object]]:
    """The user's entries; a store for everything becomes a helper for ``hosts``, so that a login here fills none."""
    folder = Path(os.environ.get("DOCKER_CONFIG") or Path.home() / ".docker")
    try:
        given = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        given = {}
    if not isinstance(given, dict):
        return {"auths": {}}
    helpers = dict(given.get("credHelpers") or {})
    if given.get("credsStore"):
        helpers = {**dict.fromkeys(hosts, given["credsStore"]), **helpers}
    return {"auths": dict(given.get("auths") or {}), **({"credHelpers": helpers} if helpers else {})}


def environment(folder: Path) -> dict[str, str]:
    """The environment in which a tool finds the credentials of ``folder``."""
    return {**os.environ, "DOCKER_CONFIG": str(folder), "REGISTRY_AUTH_FILE": str(folder / "config.json")}


def log_in(tool: Tool, host: str, user: str, password: str, folder: Path) -> None:
    """Hands the password to the tool on standard input. Raises LoginRefused."""
    done = subprocess.run(
        tool.login(host, user),
        input=password,
        capture_output=True,
        text=True,
        env=environment(folder),
        timeout=LOGIN_SECONDS,
        check=False,
    )
    if done.returncode != 0:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:] or [f"status {done.returncode}"]
        raise LoginRefused(last[0].replace(password, "***"))
