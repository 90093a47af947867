"""Asks each endpoint as a client would, a short and a long prompt at an interval, and counts what became of it.

One file on a stock Python image, nothing to install. It asks the endpoints named in DPD_TARGETS and serves its counts
on :9401/metrics. At temperature zero the same question has the same answer: the first is the reference.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

BOUNDS = (0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 40.0, 80.0, 160.0)
OUTCOMES = ("ok", "wrong", "error")
QUESTION = "Reply with one word and nothing else: which word comes after 'left' in 'up down left right'?"
SENTENCE = "The harbour master wrote down every ship that came in. "
ANSWER_TOKENS = 16
AGREEING, LEARNED_FROM = 3, 12
"""An answer seen this often becomes the reference; if none is among so many, answers cannot be judged."""


class Path:
    """One kind of prompt of one endpoint: its counts and what its answer should be."""

    def __init__(self, target: Mapping[str, Any], name: str, folder: str) -> None:
        self.target, self.name = target, name
        self.counts = dict.fromkeys(OUTCOMES, 0)
        self.buckets, self.total = [0] * (len(BOUNDS) + 1), 0.0
        self.seen: dict[str, int] = {}
        self.file = os.path.join(folder, "{namespace}.{endpoint}.".format(**target) + name)
        self.reference = self._kept()

    def _kept(self) -> str | None:
        try:
            with open(self.file, encoding="utf-8") as file:
                return file.read()
        except OSError:
            return None

    def prompt(self, asked: int) -> str:
        """A long one begins anew each time, so that no prefix cache answers for the transfer."""
        characters = self.target["long_characters"] if self.name == "long" else 0
        if not characters:
            return QUESTION
        return f"Entry {asked}. " + SENTENCE * (characters // len(SENTENCE) + 1) + QUESTION

    def ask(self, asked: int, timeout: float) -> None:
        """One completion, counted by what became of it."""
        started = time.monotonic()
        try:
            answer = complete(self.target, self.prompt(asked), timeout)
            outcome = self.judged(answer)
        except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
            print("{endpoint} {0}: {1}".format(self.name, error, **self.target), file=sys.stderr, flush=True)
            outcome = "error"
        if outcome == "wrong":
            print(
                "{endpoint} {0}: {1!r} instead of {2!r}".format(
                    self.name, answer, self.reference, **self.target
                ),
                file=sys.stderr,
                flush=True,
            )
        seconds = time.monotonic() - started
        self.counts[outcome] += 1
        self.buckets[next((i for i, bound in enumerate(BOUNDS) if seconds <= bound), len(BOUNDS))] += 1
        self.total += seconds

    def judged(self, answer: str) -> str:
        """Whether it is the reference, once there is one."""
        if self.reference is not None:
            return "ok" if answer == self.reference else "wrong"
        if sum(self.seen.values()) < LEARNED_FROM:
            self.seen[answer] = self.seen.get(answer, 0) + 1
            if self.seen[answer] >= AGREEING:
                self.reference = answer
                with open(self.file, "w", encoding="utf-8") as file:
                    file.write(answer)
        return "ok"

    def samples(self) -> Iterator[str]:
        """Its lines of the exposition."""
        labels = 'namespace="{namespace}",endpoint="{endpoint}",path="{0}"'.format(self.name, **self.target)
        for outcome, count in self.counts.items():
            yield f'dpd_canary_requests_total{{{labels},outcome="{outcome}"}} {count}'
        seen = 0
        for bound, count in zip((*map(str, BOUNDS), "+Inf"), self.buckets):  # noqa: B905 - Python 3.9 runs this too
            seen += count
            yield f'dpd_canary_duration_seconds_bucket{{{labels},le="{bound}"}} {seen}'
        yield f"dpd_canary_duration_seconds_sum{{{labels}}} {self.total}"
        yield f"dpd_canary_duration_seconds_count{{{labels}}} {seen}"


def complete(target: Mapping[str, Any], prompt: str, timeout: float) -> str:
    """The answer to a prompt. Raises OSError for no answer and ValueError or LookupError for one that is none."""
    body: dict[str, Any] = {"model": target["model"], "temperature": 0, "max_tokens": ANSWER_TOKENS}
    if target["chat"]:
        body["messages"] = [{"role": "user", "content": prompt}]
    else:
        body["prompt"] = prompt
    request = urllib.request.Request(
        target["url"], json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=timeout) as response:
        choice = json.load(response)["choices"][0]
    text = choice["message"]["content"] if target["chat"] else choice["text"]
    if not isinstance(text, str) or not text:
        raise ValueError("an empty answer")
    return text


def exposition(paths: Iterable[Path]) -> str:
    """The text that Prometheus scrapes."""
    lines = [line for path in paths for line in path.samples()]
    kinds = {"dpd_canary_requests_total": "counter", "dpd_canary_duration_seconds": "histogram"}
    return "".join(
        f"# TYPE {name} {kind}\n" + "".join(line + "\n" for line in lines if line.startswith(name))
        for name, kind in kinds.items()
    )


def serve(paths: list[Path], port: int) -> ThreadingHTTPServer:
    """Answers scrapes until the process ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = exposition(paths).encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer((os.environ.get("DPD_ADDRESS", ""), port), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def watch(path: Path, interval: float, timeout: float) -> None:
    """Asks for ever; a path that hangs holds up no other."""
    asked = int(time.time())
    while True:
        started = time.monotonic()
        path.ask(asked, timeout)
        asked += 1
        time.sleep(max(0.0, interval - (time.monotonic() - started)))


def main() -> None:
    """Every endpoint of DPD_TARGETS, each path in a thread of its own."""
    folder = os.environ.get("DPD_REFERENCES", "/references")
    paths = [
        Path(target, name, folder)
        for target in json.loads(os.environ["DPD_TARGETS"])
        for name in (("short", "long") if target["long_characters"] else ("short",))
    ]
    interval = float(os.environ.get("DPD_INTERVAL_SECONDS", "60"))
    timeout = float(os.environ.get("DPD_TIMEOUT_SECONDS", "120"))
    serve(paths, int(os.environ.get("DPD_PORT", "9401")))
    for path in paths[1:]:
        threading.Thread(target=watch, args=(path, interval, timeout), daemon=True).start()
    watch(paths[0], interval, timeout)


if __name__ == "__main__":
    main()
