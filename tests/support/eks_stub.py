"""The two questions about add-ons that EKS answers over HTTP, in EKS's own form; moto answers neither."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from hyperpod_dpd.catalog import kubernetes


@dataclass
class Offer:
    """What the stub offers: versions by add-on, the default first, and schemas by add-on."""

    versions: dict[str, list[str]] = field(default_factory=dict)
    schemas: dict[str, Any] = field(default_factory=dict)
    page: int = 2
    asked: list[str] = field(default_factory=list)


def healthy() -> Offer:
    """Every add-on of the catalogue at its pin, with a schema that has the keys of the catalogue."""
    offer = Offer()
    for addon in kubernetes.addons():
        offer.versions[addon.name] = [str(addon.default or "v9.0.0-eksbuild.1"), "v0.0.1-eksbuild.1"]
        schema: dict[str, Any] = {"type": "object", "additionalProperties": False, "properties": {}}
        for key in addon.configuration:
            node = schema
            *way, last = key.path.split(".")
            for part in way:
                node = node["properties"].setdefault(part, {"type": "object", "properties": {}})
            node["properties"].setdefault(last, {})
        offer.schemas[addon.name] = schema
    return offer


@contextmanager
def serving(offer: Offer) -> Iterator[str]:
    """The stub's address while it answers."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            offer.asked.append(self.path)
            parts = urlsplit(self.path)
            given = {key: value[0] for key, value in parse_qs(parts.query).items()}
            status, answer = _answer(offer, parts.path, given)
            body = json.dumps(answer).encode()
            self.send_response(status)
            if status != 200:
                self.send_header("x-amzn-errortype", "ResourceNotFoundException")
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments: Any) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def _answer(offer: Offer, path: str, given: dict[str, str]) -> tuple[int, dict[str, Any]]:
    name = given.get("addonName", "")
    if path == "/addons/configuration-schemas":
        if name not in offer.schemas:
            return 404, {"message": "no such version"}
        text = offer.schemas[name]
        return 200, {
            "addonName": name,
            "addonVersion": given["addonVersion"],
            "configurationSchema": text if isinstance(text, str) else json.dumps(text),
        }
    assert path == "/addons/supported-versions", path
    release, start = given["kubernetesVersion"], int(given.get("nextToken", "0"))
    versions = offer.versions.get(name, [])
    some = [
        {
            "addonVersion": version,
            "compatibilities": [{"clusterVersion": release, "defaultVersion": start + index == 0}],
        }
        for index, version in enumerate(versions[start : start + offer.page])
    ]
    answer: dict[str, Any] = {"addons": [{"addonName": name, "addonVersions": some}] if some else []}
    if start + offer.page < len(versions):
        answer["nextToken"] = str(start + offer.page)
    return 200, answer
