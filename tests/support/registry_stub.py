"""A registry on loopback that knows tags and digests, and takes what a fake tool says it has copied."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit


class RegistryStub(ThreadingHTTPServer):
    """``manifests`` maps repository and tag to bytes; PUT /fake-copy?... moves them as a tool would."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.manifests: dict[tuple[str, str], bytes] = {}

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server_port}"

    def add(self, repository: str, tag: str, seed: str) -> str:
        """An image for two architectures; its digest."""
        platforms = [{"platform": {"architecture": each, "os": "linux"}} for each in ("amd64", "arm64")]
        kind = "application/vnd.oci.image.index.v1+json"
        body = {"schemaVersion": 2, "mediaType": kind, "annotations": {"seed": seed}, "manifests": platforms}
        self.manifests[repository, tag] = json.dumps(body).encode()
        return self.digest(repository, tag)

    def digest(self, repository: str, tag: str) -> str:
        return f"sha256:{hashlib.sha256(self.manifests[repository, tag]).hexdigest()}"

    def by_digest(self, repository: str, digest: str) -> bytes | None:
        for (name, tag), body in self.manifests.items():
            if name == repository and self.digest(name, tag) == digest:
                return body
        return None


class _Handler(BaseHTTPRequestHandler):
    server: RegistryStub

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        repository, _, tag = path.removeprefix("/v2/").partition("/manifests/")
        body = self.server.manifests.get((repository, tag))
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "application/vnd.oci.image.index.v1+json")
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def do_PUT(self) -> None:
        query = {key: value[0] for key, value in parse_qs(urlsplit(self.path).query).items()}
        self.server.manifests[query["repository"], query["tag"]] = self.rfile.read(
            int(self.headers["Content-Length"])
        )
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()


@contextmanager
def running() -> Iterator[RegistryStub]:
    stub = RegistryStub()
    thread = threading.Thread(target=stub.serve_forever, daemon=True)
    thread.start()
    try:
        yield stub
    finally:
        stub.shutdown()
        stub.server_close()
        thread.join()
