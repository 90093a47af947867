"""A registry that answers what no registry should: one clear fault each time, and no secret in it."""

from __future__ import annotations

import json
import shutil
import threading
import urllib.request
from collections.abc import Callable, Iterator
from http.client import HTTPMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner

from hyperpod_dpd.catalog.worker_images import parse_reference
from hyperpod_dpd.cli.main import dpd
from hyperpod_dpd.live.registry import MANIFEST_TYPES, Registry, RegistryFault, _Redirects
from tests.support.documents import ENVIRONMENTS

ROOT = Path(__file__).resolve().parents[3]
Answer = tuple[int, dict[str, str], bytes]
PASSWORD, TOKEN = "not-a-real-password", "not-a-real-token"
INDEX = {"schemaVersion": 2, "mediaType": MANIFEST_TYPES[0]}
GOOD = {**INDEX, "manifests": [{"platform": {"architecture": "amd64"}}]}


class Server(ThreadingHTTPServer):
    answer: Callable[[str], Answer]


class Handler(BaseHTTPRequestHandler):
    server: Server

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        status, headers, body = self.server.answer(self.path)
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def resolve(server: Server) -> str:
    registry = Registry(credentials=lambda host: ("user", PASSWORD), tries=2, wait=lambda seconds: None)
    return registry.digest(parse_reference(f"127.0.0.1:{server.server_port}/a/b:v1"))


def says(value: object, **headers: str) -> Answer:
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    return 200, {"Content-Type": MANIFEST_TYPES[0], **headers}, body


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ((307, {"Location": "http://[bad/x"}, b""), "an address or a token that nobody can use"),
        ((307, {"Location": "http://host:port/x"}, b""), "cannot be used"),
        ((401, {"WWW-Authenticate": 'Bearer realm="https://[bad"'}, b""), "an address that nobody can use"),
        (says({**INDEX, "manifests": None}), "made for no architecture at all"),
        (says({**INDEX, "manifests": [{"platform": "amd64"}, 1]}), "made for no architecture at all"),
        (says({**GOOD, "schemaVersion": 1}), "is no manifest"),
        (says(b"[" * 100_000), "is no manifest"),
        (says(json.dumps(GOOD).encode() + b" " * 5 * 2**20), "more than 4 MiB"),
        (says(GOOD, **{"Content-Length": "5000"}), "cannot be used"),
    ],
)
def test_odd_answers_are_faults(server: Server, answer: Answer, words: str) -> None:
    server.answer = lambda path: answer
    with pytest.raises(RegistryFault, match=words):
        resolve(server)


def test_another_kind_of_digest_is_no_contradiction(server: Server) -> None:
    server.answer = lambda path: says(GOOD, **{"Docker-Content-Digest": f"sha512:{'0' * 128}"})
    assert resolve(server).startswith("sha256:")


@pytest.mark.parametrize("token", [f"{TOKEN}\r\nX: y", f"{TOKEN}☃"])
def test_token_that_no_header_holds_is_not_shown(server: Server, token: str) -> None:
    challenge = f'Bearer realm="http://127.0.0.1:{server.server_port}/token"'

    def answer(path: str) -> Answer:
        return (
            says({"token": token})
            if path.startswith("/token")
            else (401, {"WWW-Authenticate": challenge}, b"")
        )

    server.answer = answer
    with pytest.raises(RegistryFault, match="that nobody can use") as fault:
        resolve(server)
    assert TOKEN not in str(fault.value) and PASSWORD not in str(fault.value)


def test_password_in_a_realm_is_not_shown(server: Server) -> None:
    realm = f"http://someone:{PASSWORD}@127.0.0.1:{server.server_port}/token"
    server.answer = lambda path: (401, {"WWW-Authenticate": f'Bearer realm="{realm}"'}, b"")
    with pytest.raises(RegistryFault) as fault:
        resolve(server)
    assert PASSWORD not in str(fault.value)


@pytest.mark.parametrize(
    ("target", "kept"),
    [
        ("https://registry.test/other", True),
        ("http://registry.test/other", False),
        ("https://elsewhere.test/other", False),
    ],
)
def test_credentials_follow_only_to_the_same_place_over_the_same_protocol(target: str, kept: bool) -> None:
    request = urllib.request.Request(
        "https://registry.test/v2/x", headers={"Authorization": f"Bearer {TOKEN}"}
    )
    new = _Redirects().redirect_request(request, BytesIO(), 307, "moved", HTTPMessage(), target)
    assert new is not None
    assert new.has_header("Authorization") is kept


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """dev alone, with every tag already resolved."""
    shutil.copy(ENVIRONMENTS / "dev.yaml", tmp_path / "dev.yaml")
    monkeypatch.setattr(Registry, "digest", lambda self, image: f"sha256:{'1' * 64}")
    return tmp_path


def test_lock_that_cannot_be_written_is_one_line_and_leaves_nothing(home: Path) -> None:
    (home / "locks/dev.json").mkdir(parents=True)
    done = CliRunner().invoke(dpd, ["images", "pin", str(home / "dev.yaml")])
    assert done.exit_code == 2
    assert done.output.startswith("error: ") and "nothing is written" in done.output
    assert [path.name for path in (home / "locks").iterdir()] == ["dev.json"]


def test_reference_that_is_none_is_one_line(home: Path) -> None:
    with (home / "dev.yaml").open("a") as file:
        file.write('images: {worker: {repository: "UPPER case", tag: "a b"}}\n')
    done = CliRunner().invoke(dpd, ["images", "pin", str(home / "dev.yaml")])
    assert done.exit_code == 1
    assert "images.worker.repository: 'UPPER case'" in done.output and not (home / "locks").exists()
