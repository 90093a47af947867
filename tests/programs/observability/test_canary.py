"""The file that goes into the ConfigMap, run as it is there, against a server that answers, errs, hangs, and lies."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from hyperpod_dpd.catalog import metrics
from hyperpod_dpd.observability.canary import FILE, targets
from tests.support.observed import blueprint_of


class Endpoint:
    """Answers as it is told to; remembers what it was asked."""

    def __init__(self) -> None:
        self.answer: str | int = "right"
        self.asked: list[dict[str, Any]] = []
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                endpoint.asked.append(body)
                status = endpoint.answer if isinstance(endpoint.answer, int) else 200
                text = json.dumps({"choices": [{"message": {"content": endpoint.answer}}]}).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}/v1/chat/completions"


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    made = Endpoint()
    yield made
    made.server.shutdown()


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@pytest.fixture
def canary(endpoint: Endpoint, tmp_path: Path) -> Iterator[str]:
    """Its address; it asks twenty times a second."""
    (target,) = targets(blueprint_of("dev"))
    port = _free_port()
    given = {
        "DPD_TARGETS": json.dumps([{**target, "url": endpoint.url}]),
        "DPD_PORT": str(port),
        "DPD_ADDRESS": "127.0.0.1",
        "DPD_INTERVAL_SECONDS": "0.05",
        "DPD_REFERENCES": str(tmp_path),
    }
    process = subprocess.Popen([sys.executable, "-I", str(FILE)], env={**os.environ, **given})
    yield f"http://127.0.0.1:{port}/metrics"
    process.terminate()
    process.wait()


def scraped(address: str) -> str:
    with urllib.request.urlopen(address, timeout=5) as response:
        text: str = response.read().decode()
        return text


def outcomes(text: str) -> dict[tuple[str, str], float]:
    return {
        (sample.labels["path"], sample.labels["outcome"]): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name == "dpd_canary_requests_total"
    }


def until(address: str, path: str, outcome: str, least: float) -> dict[tuple[str, str], float]:
    """The counts once one of them got so far."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            found = outcomes(scraped(address))
            if found[path, outcome] >= least:
                return found
        except OSError:
            pass
        time.sleep(0.05)
    raise AssertionError(f"{path} {outcome} did not reach {least}")


def test_each_outcome_is_counted(canary: str, endpoint: Endpoint) -> None:
    for path in ("short", "long"):
        found = until(canary, path, "ok", 4)
        assert found[path, "wrong"] == found[path, "error"] == 0
    endpoint.answer = "another"
    until(canary, "long", "wrong", 2)
    endpoint.answer = 500
    until(canary, "long", "error", 2)
    endpoint.answer = "right"
    before = outcomes(scraped(canary))["short", "ok"]
    until(canary, "short", "ok", before + 2)


def test_what_it_asks(canary: str, endpoint: Endpoint) -> None:
    until(canary, "long", "ok", 3)
    until(canary, "short", "ok", 3)
    (plan,) = blueprint_of("dev").endpoints
    prompts = [body["messages"][0]["content"] for body in endpoint.asked]
    long = [prompt for prompt in prompts if len(prompt) > 1000]
    assert all(len(prompt) > plan.routing_threshold_tokens * 4 for prompt in long)
    assert len({prompt[:17] for prompt in long}) == len(long), "a prefix cache would answer for the transfer"
    assert all(body["temperature"] == 0 for body in endpoint.asked)


def test_it_shows_what_the_catalogue_says(canary: str, endpoint: Endpoint) -> None:
    until(canary, "long", "ok", 1)
    text = scraped(canary)
    for series in metrics.all():
        if series.component != "canary":
            continue
        for name in series.exposed:
            (labels, *_) = (
                set(sample.labels)
                for family in text_string_to_metric_families(text)
                for sample in family.samples
                if sample.name == name
            )
            assert labels - {"le"} == metrics.own_labels(series)
    bounds = {
        float(sample.labels["le"])
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name == "dpd_canary_duration_seconds_bucket" and sample.labels["le"] != "+Inf"
    }
    assert sorted(bounds) == list(metrics.bounds("dpd_canary_duration_seconds"))
