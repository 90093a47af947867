"""Counts what only logs tell: failed allocations, missed lookups, roles, hash seeds, the router's estimates.

One file on a stock Python image, nothing to install. In the cluster it follows the logs of the pods named in
DPD_TARGETS through the Kubernetes API and serves the counts on :9400/metrics. By hand it reads log files:

    python dpd_log_exporter.py --resource-name decode-llama-70b --pod-name decode-llama-70b-0 FILE...
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import ssl
import sys
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

VERSION = "1"
GIB = 2**30
TOKEN_BOUNDS = (256.0, 512.0, 1024.0, 2048.0, 4096.0, 8192.0, 16384.0, 32768.0, 65536.0)
WIRE_BOUNDS = (25e7, 5e8, 1e9, 2e9, 5e9, 1e10, 2.5e10, 5e10)

RETRIEVED = re.compile(r"Retrieved (\d+) out of (?:total )?(\d+) (?:required tokens|out of total)")
LOOKED_UP = re.compile(
    r"Total tokens (\d+),(?: Inference Engine computed tokens: (\d+),)? LMCache hit tokens: (\d+)"
)
STORED = re.compile(r"Stored \d+ out of total \d+ tokens\. size: ([\d.]+) [Gg][Bb].* put_time: ([\d.]+) ms")
ALLOCATION = re.compile(r"Failed to allocate memory object, retrying")
DECISION = re.compile(
    r"Conditional routing: estimated_tokens=(\d+), threshold=\d+, disaggregate=(True|False)"
)
ROLE = re.compile(r"""['"](?:pd|nixl)_role['"]: ['"](sender|receiver)['"]""")
NONE_HASH = re.compile(r"Initialized NONE_HASH=(.+?)(?: from vLLM| \(\w+\.py:|$)")
NO_SEED = re.compile(r"hash without PYTHONHASHSEED|PYTHONHASHSEED (?:is )?not set")
DEGRADED = re.compile(r"operate in degraded mode|LMCache is unhealthy")

HISTOGRAMS = {"dpd_log_estimated_tokens": TOKEN_BOUNDS, "dpd_log_wire_bytes_per_second": WIRE_BOUNDS}


class Pod:
    """Counts and states of one pod. Its counters exist from the start, so that their first step is seen."""

    def __init__(self, namespace: str, pod_name: str, resource_name: str, threshold_tokens: int) -> None:
        self.labels = {"namespace": namespace, "resource_name": resource_name, "pod_name": pod_name}
        self.threshold_tokens = threshold_tokens
        self.router = not resource_name.startswith(("prefill-", "decode-"))
        self.counters: dict[tuple[str, tuple[tuple[str, str], ...]], int] = {("dpd_log_lines_total", ()): 0}
        if self.router:
            for answer in ("True", "False"):
                self.counters["dpd_log_router_decisions_total", (("disaggregate", answer),)] = 0
        else:
            self.counters["dpd_log_alloc_retries_total", ()] = 0
            for name, outcomes in (("retrieves", ("zero", "partial", "full")), ("lookups", ("miss", "hit"))):
                for outcome in outcomes:
                    self.counters[f"dpd_log_{name}_total", (("outcome", outcome),)] = 0
        self.histograms: dict[str, tuple[list[int], list[float]]] = {}
        self.restarts = 0
        self.forget()

    def forget(self) -> None:
        """A restarted container tells its role and hash anew."""
        self.roles: set[str] = set()
        self.hashes: set[str] = set()
        self.no_seed = self.degraded = 0

    def feed(self, line: str, counts: bool = True) -> None:
        """One line. With ``counts`` false, for lines older than this process, only states are taken from it."""
        if found := ROLE.search(line):
            self.roles.add(found[1])
        if found := NONE_HASH.search(line):
            self.hashes.add(hashlib.sha256(found[1].encode()).hexdigest()[:12])
        self.no_seed |= NO_SEED.search(line) is not None
        self.degraded |= DEGRADED.search(line) is not None
        if counts:
            self._count(line)

    def _count(self, line: str) -> None:
        self._add("dpd_log_lines_total")
        if ALLOCATION.search(line):
            self._add("dpd_log_alloc_retries_total")
        elif found := RETRIEVED.search(line):
            got, needed = int(found[1]), int(found[2])
            outcome = "zero" if needed and not got else "partial" if got < needed else "full"
            self._add("dpd_log_retrieves_total", outcome=outcome)
        elif found := LOOKED_UP.search(line):
            # What the engine has in its own prefix cache is not looked for, hence not missed.
            if int(found[1]) - int(found[2] or 0) >= self.threshold_tokens:
                self._add("dpd_log_lookups_total", outcome="hit" if int(found[3]) else "miss")
        elif found := DECISION.search(line):
            self._add("dpd_log_router_decisions_total", disaggregate=found[2])
            self._observe("dpd_log_estimated_tokens", TOKEN_BOUNDS, float(found[1]))
        elif found := STORED.search(line):
            size, milliseconds = float(found[1]), float(found[2])
            if size > 0 and milliseconds > 0:
                self._observe("dpd_log_wire_bytes_per_second", WIRE_BOUNDS, size * GIB / milliseconds * 1000)

    def _add(self, name: str, **labels: str) -> None:
        key = (name, tuple(sorted(labels.items())))
        self.counters[key] = self.counters.get(key, 0) + 1

    def _observe(self, name: str, bounds: Sequence[float], value: float) -> None:
        buckets, total = self.histograms.setdefault(name, ([0] * (len(bounds) + 1), [0.0]))
        buckets[next((i for i, bound in enumerate(bounds) if value <= bound), len(bounds))] += 1
        total[0] += value

    def samples(self) -> Iterator[tuple[str, str, dict[str, str], float]]:
        """(family, name, labels, value) of everything known about this pod."""
        for (name, labels), counted in sorted(self.counters.items()):
            yield name, name, dict(labels), counted
        for name, (buckets, total) in sorted(self.histograms.items()):
            seen, bounds = 0, (*map(str, HISTOGRAMS[name]), "+Inf")
            for bound, count in zip(bounds, buckets):  # noqa: B905 - Python 3.9 runs this too
                seen += count
                yield name, name + "_bucket", {"le": bound}, seen
            yield name, name + "_sum", {}, total[0]
            yield name, name + "_count", {}, seen
        for role in sorted(self.roles):
            yield "dpd_log_pd_role_info", "dpd_log_pd_role_info", {"pd_role": role}, 1
        for digest in sorted(self.hashes):
            yield "dpd_log_none_hash_info", "dpd_log_none_hash_info", {"none_hash": digest}, 1
        if not self.router:
            yield "dpd_log_hash_seed_unset", "dpd_log_hash_seed_unset", {}, self.no_seed
            yield "dpd_log_lmcache_degraded", "dpd_log_lmcache_degraded", {}, self.degraded


def exposition(pods: Iterable[Pod]) -> str:
    """The text that Prometheus scrapes."""
    lines = {"dpd_log_exporter_info": [f'dpd_log_exporter_info{{version="{VERSION}"}} 1']}
    for pod in pods:
        for family, name, labels, value in pod.samples():
            inside = ",".join(f'{k}="{_escaped(v)}"' for k, v in {**pod.labels, **labels}.items())
            lines.setdefault(family, []).append(f"{name}{{{inside}}} {value}")
    return "".join(f"# TYPE {name} {_kind(name)}\n" + "\n".join(lines[name]) + "\n" for name in sorted(lines))


def _kind(family: str) -> str:
    return "histogram" if family in HISTOGRAMS else "counter" if family.endswith("_total") else "gauge"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


class Cluster:
    """The Kubernetes API as the service account of this pod may use it."""

    FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount"

    def __init__(self, server: str | None = None, folder: str = FOLDER) -> None:
        self.server = server or "https://{}:{}".format(
            os.environ["KUBERNETES_SERVICE_HOST"], os.environ.get("KUBERNETES_SERVICE_PORT", "443")
        )
        self.folder = folder
        self.context = None
        if self.server.startswith("https:"):
            self.context = ssl.create_default_context(cafile=os.path.join(folder, "ca.crt"))

    def get(self, path: str, timeout: float, **query: str) -> Any:
        """An open response; the token is read anew each time, since it is rotated."""
        url = f"{self.server}{path}?{urllib.parse.urlencode(query)}"
        request = urllib.request.Request(url)
        token = os.path.join(self.folder, "token")
        if os.path.exists(token):
            with open(token, encoding="utf-8") as file:
                request.add_header("Authorization", "Bearer " + file.read().strip())
        return urllib.request.urlopen(request, timeout=timeout, context=self.context)

    def pods(self, namespace: str) -> list[dict[str, Any]]:
        """Every pod of a namespace."""
        with self.get(f"/api/v1/namespaces/{namespace}/pods", 30, limit="500") as response:
            return list(json.load(response)["items"])


class Follower:
    """Finds the pods of each target and follows their logs, one thread a pod."""

    def __init__(self, cluster: Cluster, targets: list[dict[str, Any]]) -> None:
        self.cluster = cluster
        self.targets = targets
        self.started = datetime.now(timezone.utc)  # noqa: UP017 - Python 3.9 runs this too
        self.followed: dict[tuple[str, str], Pod] = {}

    def pods(self) -> list[Pod]:
        """Those that are followed now."""
        return list(self.followed.values())

    def look(self) -> None:
        """Starts to follow new pods and drops those that are gone."""
        present: set[tuple[str, str]] = set()
        listed = {name: self.cluster.pods(name) for name in sorted({t["namespace"] for t in self.targets})}
        for target in self.targets:
            pattern = re.compile(re.escape(target["deployment"]) + r"-[a-z0-9]+-[a-z0-9]+")
            for item in listed[target["namespace"]]:
                containers = {container["name"] for container in item["spec"]["containers"]}
                if target["container"] in containers and pattern.fullmatch(item["metadata"]["name"]):
                    present.add((target["namespace"], item["metadata"]["name"]))
                    self._keep(target, item)
        for key in set(self.followed) - present:
            del self.followed[key]

    def _keep(self, target: dict[str, Any], item: dict[str, Any]) -> None:
        key = (target["namespace"], item["metadata"]["name"])
        statuses = item.get("status", {}).get("containerStatuses", [])
        restarts = sum(s.get("restartCount", 0) for s in statuses if s["name"] == target["container"])
        pod = self.followed.get(key)
        if pod is None:
            pod = self.followed[key] = Pod(*key, target["deployment"], target["threshold_tokens"])
            threading.Thread(target=self._follow, args=(key, target["container"], pod), daemon=True).start()
        elif pod.restarts != restarts:
            pod.forget()
        pod.restarts = restarts

    def _follow(self, key: tuple[str, str], container: str, pod: Pod) -> None:
        namespace, name = key
        since: dict[str, str] = {}
        while self.followed.get(key) is pod:
            try:
                path = f"/api/v1/namespaces/{namespace}/pods/{name}/log"
                with self.cluster.get(
                    path, 3600, container=container, follow="true", timestamps="true", **since
                ) as log:
                    for raw in log:
                        stamp, _, line = raw.decode("utf-8", "replace").rstrip("\n").partition(" ")
                        moment = _moment(stamp)
                        if moment is None or (since and stamp <= since["sinceTime"]):
                            continue
                        pod.feed(line, counts=moment >= self.started)
                        since = {"sinceTime": stamp}
            except (OSError, ValueError) as error:
                print(f"{namespace}/{name}: {error}", file=sys.stderr, flush=True)
            time.sleep(5)


def _moment(stamp: str) -> datetime | None:
    """The API prints nanoseconds; None for a line without a time, which is the rest of a longer one."""
    try:
        return datetime.fromisoformat(re.sub(r"(\.\d{1,6})\d*", r"\1", stamp).replace("Z", "+00:00"))
    except ValueError:
        return None


def serve(follower: Follower, port: int) -> ThreadingHTTPServer:
    """Answers scrapes until the process ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = exposition(follower.pods()).encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("", port), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def main(arguments: Sequence[str]) -> None:
    """Files by hand, or the cluster for ever."""
    parser = argparse.ArgumentParser(description="Count what only logs tell.")
    parser.add_argument("--namespace", default="inference")
    parser.add_argument("--resource-name", default="decode-endpoint")
    parser.add_argument("--pod-name", default="decode-endpoint-0")
    parser.add_argument("--threshold-tokens", type=int, default=4096)
    parser.add_argument("files", nargs="*", metavar="FILE")
    options = parser.parse_args(arguments)
    if options.files:
        pod = Pod(options.namespace, options.pod_name, options.resource_name, options.threshold_tokens)
        for name in options.files:
            with open(name, encoding="utf-8", errors="replace") as file:
                for line in file:
                    pod.feed(line.rstrip("\n"))
        sys.stdout.write(exposition([pod]))
        return
    follower = Follower(Cluster(), json.loads(os.environ["DPD_TARGETS"]))
    serve(follower, int(os.environ.get("DPD_PORT", "9400")))
    while True:
        try:
            follower.look()
        except (OSError, ValueError, KeyError) as error:
            print(f"cannot list pods: {error}", file=sys.stderr, flush=True)
        time.sleep(15)


if __name__ == "__main__":
    main(sys.argv[1:])
