"""`dpd images mirror --run` with skopeo between two real registries on loopback: digests and architectures survive."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from hyperpod_dpd.blueprint.mirroring import copies
from hyperpod_dpd.cli.main import dpd
from hyperpod_dpd.config import load_environment
from tests.support import oci_image
from tests.support.documents import ENVIRONMENTS

pytestmark = pytest.mark.debian


@contextmanager
def registry(folder: Path) -> Iterator[str]:
    """The distribution project's registry, as Debian packages it; its host."""
    program = shutil.which("docker-registry")
    if program is None or shutil.which("skopeo") is None:
        pytest.skip("docker-registry or skopeo is not installed (Debian packages of those names)")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        host = f"127.0.0.1:{free.getsockname()[1]}"
    config = folder / "registry.yml"
    config.write_text(
        f"version: 0.1\nlog: {{level: error}}\nstorage: {{filesystem: {{rootdirectory: {folder / 'data'}}}}}\n"
        f"http: {{addr: '{host}'}}\n",
        encoding="utf-8",
    )
    with subprocess.Popen(
        [program, "serve", str(config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            _wait(host)
            yield host
        finally:
            process.terminate()


def _wait(host: str) -> None:
    for _ in range(200):
        try:
            urllib.request.urlopen(f"http://{host}/v2/").close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    pytest.fail(f"the registry at {host} does not answer")


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(dpd, ["images", "mirror", *map(str, arguments), "--tool", "skopeo"])


def environment_file(folder: Path) -> Path:
    text = (ENVIRONMENTS / "closed-network.yaml").read_text(encoding="utf-8")
    lines = [
        line for line in text.splitlines() if not line.startswith(("images:", "  worker:", "    digest:"))
    ]
    file = folder / "closed-network.yaml"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def test_images_arrive_whole_and_only_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    file = environment_file(tmp_path)
    with registry(tmp_path / "a") as here, registry(tmp_path / "b") as there:
        wanted = {}
        for copy in copies(load_environment(file), source=here):
            place = (copy.source.repository, str(copy.source.tag))
            wanted[place] = oci_image.push(here, *place, seed=copy.source.repository)
        arguments = (file, "--from", here, "--to", there)
        first = run(*arguments, "--run")
        assert first.exit_code == 0, first.output
        assert f"{len(wanted)} copied" in first.stdout
        for place in wanted:
            assert oci_image.architectures(there, *place) == {"amd64": True, "arm64": True}
        assert run(*arguments, "--check").exit_code == 0
        again = run(*arguments, "--run")
        assert again.exit_code == 0 and f"{len(wanted)} present" in again.stdout
        # The source moves a tag: what the tag means now is copied in its place.
        [place, *_] = wanted
        moved = oci_image.push(here, *place, seed="another build")
        assert moved != wanted[place]
        assert run(*arguments, "--check").exit_code == 1
        last = run(*arguments, "--run")
        assert last.exit_code == 0 and "1 copied" in last.stdout and moved in run(*arguments).stdout


def test_what_the_source_does_not_have_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "a").mkdir()
    with registry(tmp_path / "a") as here:
        result = run(environment_file(tmp_path), "--from", here, "--to", here, "--run")
        assert result.exit_code == 1 and "no such repository or tag" in result.stderr


def test_the_script_does_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    file = environment_file(tmp_path)
    with registry(tmp_path / "a") as here, registry(tmp_path / "b") as there:
        for copy in copies(load_environment(file), source=here):
            oci_image.push(here, copy.source.repository, str(copy.source.tag), seed="x")
        # Registries of loopback have no TLS; a script for real ones says nothing of it.
        script = run(file, "--from", here, "--to", there, "--script").stdout
        plain = script.replace(
            "skopeo copy", "skopeo copy --src-tls-verify=false --dest-tls-verify=false"
        ).replace("skopeo inspect", "skopeo inspect --tls-verify=false")
        done = subprocess.run(["sh"], input=plain, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert done.stdout.count("copied: ") == len(copies(load_environment(file)))
        again = subprocess.run(["sh"], input=plain, capture_output=True, text=True, check=False)
        assert again.stdout.count("present: ") == done.stdout.count("copied: ")
        assert run(file, "--from", here, "--to", there, "--check").exit_code == 0
