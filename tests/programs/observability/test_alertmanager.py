"""A real Alertmanager takes the storm of an incident and sends one page."""

from __future__ import annotations

import json
import socket
import subprocess
import threading
import time
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from hyperpod_dpd.document import dump_yaml
from hyperpod_dpd.observability.alertmanager import INHIBITED, alertmanager
from hyperpod_dpd.observability.rules import alert_names
from tests.support.promtool import tool

pytestmark = pytest.mark.debian

OWN = {"environment": "dev", "endpoint": "llama-70b", "namespace": "inference"}
PAGE, TICKET = "critical", "warning"


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


class Manager:
    """Alertmanager with our routes and inhibitions, which sends to a web hook instead of SNS, at once."""

    def __init__(self, folder: Path) -> None:
        self.sent: list[dict[str, Any]] = []
        sent = self.sent

        class Hook(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                sent.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self.hook = ThreadingHTTPServer(("127.0.0.1", 0), Hook)
        threading.Thread(target=self.hook.serve_forever, daemon=True).start()
        config = alertmanager(topic_arn="arn:aws:sns:us-west-2:111122223333:x", region="us-west-2")
        for receiver in config["receivers"]:
            del receiver["sns_configs"]
            receiver["webhook_configs"] = [{"url": f"http://127.0.0.1:{self.hook.server_address[1]}/"}]
        config["route"] |= {"group_wait": "1s", "group_interval": "1s"}
        (folder / "alertmanager.yml").write_text(dump_yaml(config), encoding="utf-8")
        port = _free_port()
        self.address = f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen(
            [
                tool("prometheus-alertmanager"),
                f"--config.file={folder}/alertmanager.yml",
                f"--storage.path={folder}/data",
                f"--web.listen-address=127.0.0.1:{port}",
                "--cluster.listen-address=",
            ],
            stderr=subprocess.DEVNULL,
        )

    def fire(self, *names: tuple[str, str], **labels: str) -> None:
        """Post alerts, by name and severity, until the server takes them."""
        alerts = [
            {"labels": {**OWN, "alertname": f"Dpd{name}", "severity": severity, **labels}}
            for name, severity in names
        ]
        request = urllib.request.Request(
            f"{self.address}/api/v2/alerts", json.dumps(alerts).encode(), {"Content-Type": "application/json"}
        )
        for attempt in range(100):
            try:
                with urllib.request.urlopen(request, timeout=5):
                    return
            except OSError:
                if attempt == 99:
                    raise
                time.sleep(0.1)

    def notified(self, receiver: str) -> list[list[str]]:
        """Names of the alerts of each notification so far."""
        return [
            sorted(alert["labels"]["alertname"] for alert in each["alerts"])
            for each in self.sent
            if each["receiver"] == receiver
        ]


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    made = Manager(tmp_path)
    yield made
    made.process.terminate()
    made.process.wait()
    made.hook.shutdown()


def test_a_storm_is_one_page(manager: Manager) -> None:
    """Another hash seed, from the first slow answer to the blocked prefiller."""
    manager.fire(
        ("HashSeedSkew", PAGE),
        ("KeysNeverFound", PAGE),
        ("KvNotLanding", PAGE),
        ("DecoderRecomputesLongPrompts", PAGE),
        ("BufferExhausted", PAGE),
        ("BufferNearFull", TICKET),
        ("KvStalled", PAGE),
        ("FirstTokenBudgetBurnFast", PAGE),
        ("CanaryFails", PAGE),
    )
    time.sleep(4)
    assert manager.notified("pages") == [["DpdHashSeedSkew"]]
    assert manager.notified("tickets") == []


def test_a_crash_loop_without_a_ready_decoder_is_one_page(manager: Manager) -> None:
    manager.fire(("NoReadyDecoder", PAGE), ("DecoderRestartLoop", PAGE), ("EngineUnseen", TICKET))
    manager.fire(("RouterFallback", PAGE), ("AnsweredBudgetBurnFast", PAGE), ("TrafficStopped", PAGE))
    time.sleep(4)
    assert manager.notified("pages") == [["DpdNoReadyDecoder"]]
    assert manager.notified("tickets") == []


def test_another_endpoint_is_another_incident(manager: Manager) -> None:
    manager.fire(("NoReadyDecoder", PAGE))
    manager.fire(("KvNotLanding", PAGE), endpoint="chat")
    time.sleep(4)
    assert sorted(manager.notified("pages")) == [["DpdKvNotLanding"], ["DpdNoReadyDecoder"]]


def _matched(consequences: tuple[str, ...], cause: str) -> set[str]:
    import re

    if not consequences:
        return set(alert_names()) - {cause, "DpdCollectorAbsent"}
    pattern = re.compile("|".join(consequences))
    return {name for name in alert_names() if pattern.fullmatch(name)}


def test_no_two_alerts_silence_each_other() -> None:
    follows: dict[str, set[str]] = {}
    for cause, consequences, _ in INHIBITED:
        assert cause in alert_names()
        follows.setdefault(cause, set()).update(_matched(consequences, cause) - {cause})
    reached = {cause: set(found) for cause, found in follows.items()}
    for _ in follows:
        for found in reached.values():
            found |= set().union(*(follows.get(name, set()) for name in found))
    assert not [cause for cause, found in reached.items() if cause in found]


def test_every_name_among_the_consequences_matches_something() -> None:
    for cause, consequences, _ in INHIBITED:
        for each in consequences:
            assert _matched((each,), cause), each
