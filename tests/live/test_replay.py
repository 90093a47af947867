"""Recorded scenarios replayed to a real Prometheus, sixty times as fast: exactly the expected alerts fire."""

from __future__ import annotations

import json
import socket
import subprocess
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from hyperpod_dpd.document import dump_yaml
from hyperpod_dpd.observability.rules import render
from hyperpod_dpd.observability.scenarios.catalogue import LIVE
from hyperpod_dpd.observability.scenarios.recording import STEP_SECONDS
from tests.support.observed import rules_of
from tests.support.promql import sped_up
from tests.support.promtool import tool
from tests.support.scenarios.spelling import exposition

pytestmark = [pytest.mark.debian, pytest.mark.slow]

SPEED = 60
STEP = STEP_SECONDS / SPEED
AFTER_SECONDS = 3


class Replay:
    """A stub exporter: /<scenario>/metrics shows the step that its recording has come to."""

    def __init__(self) -> None:
        (self.rules,) = rules_of("dev")
        self.recordings = {scenario.name: scenario.record(self.rules.signals) for scenario in LIVE}
        self.started: float | None = None
        replay = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = replay.exposition(self.path.split("/")[1]).encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/plain; version=0.0.4")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.server.server_address[1]}"

    def exposition(self, name: str) -> str:
        if self.started is None:
            return ""
        return exposition(self.recordings[name], int((time.monotonic() - self.started) / STEP))


class Server:
    """One Prometheus for one scenario: rules select by endpoint, and what is cluster-wide must not mix."""

    def __init__(self, name: str, replay: Replay, folder: Path) -> None:
        folder.mkdir()
        (folder / "rules.yaml").write_text(dump_yaml(sped_up(render(replay.rules), SPEED)), encoding="utf-8")
        step = f"{int(STEP * 1000)}ms"
        config = {
            "global": {"scrape_interval": step, "scrape_timeout": step, "evaluation_interval": step},
            "rule_files": ["rules.yaml"],
            "scrape_configs": [
                {
                    "job_name": "replay",
                    "metrics_path": f"/{name}/metrics",
                    "honor_labels": True,
                    "static_configs": [{"targets": [replay.address]}],
                }
            ],
        }
        (folder / "prometheus.yaml").write_text(dump_yaml(config), encoding="utf-8")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.log = (folder / "log").open("w", encoding="utf-8")
        self.process = subprocess.Popen(
            [
                tool("prometheus"),
                f"--config.file={folder / 'prometheus.yaml'}",
                f"--storage.tsdb.path={folder / 'data'}",
                f"--web.listen-address=127.0.0.1:{self.port}",
                f"--query.lookback-delta={300 * 1000 // SPEED}ms",
            ],
            stdout=self.log,
            stderr=subprocess.STDOUT,
        )

    def ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/-/ready", timeout=2) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def fired(self) -> set[str]:
        """Alerts that were firing at some time."""
        query = 'count by (alertname) (count_over_time(ALERTS{alertstate="firing"}[10m]))'
        url = f"http://127.0.0.1:{self.port}/api/v1/query?{urllib.parse.urlencode({'query': query})}"
        with urllib.request.urlopen(url, timeout=10) as answer:
            result = json.load(answer)["data"]["result"]
        return {item["metric"]["alertname"] for item in result}

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.log.close()


@pytest.fixture(scope="module")
def fired(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, set[str]]]:
    tool("prometheus")
    replay = Replay()
    folder = tmp_path_factory.mktemp("replay")
    servers = {scenario.name: Server(scenario.name, replay, folder / scenario.name) for scenario in LIVE}
    try:
        deadline = time.monotonic() + 40
        while not all(server.ready() for server in servers.values()):
            assert time.monotonic() < deadline, "Prometheus did not start"
            time.sleep(0.2)
        replay.started = time.monotonic()
        time.sleep(max(scenario.minutes for scenario in LIVE) * 60 / SPEED + AFTER_SECONDS)
        yield {name: server.fired() for name, server in servers.items()}
    finally:
        for server in servers.values():
            server.stop()
        replay.server.shutdown()
        replay.server.server_close()


@pytest.mark.parametrize("scenario", LIVE, ids=lambda scenario: scenario.name)
def test_exactly_the_expected_alerts_fire(scenario: Any, fired: dict[str, set[str]]) -> None:
    assert fired[scenario.name] == scenario.alerts
