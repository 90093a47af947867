"""Counts what only logs tell: failed allocations, missed lookups, roles, hash seeds, the router's estimates.

Two files on a stock Python image, nothing to install. In the cluster it follows the logs of the pods named in
DPD_TARGETS through the Kubernetes API and serves the counts on :9400/metrics. By hand it reads log files:

    python dpd_log_exporter.py --resource-name decode-llama-70b --pod-name decode-llama-70b-0 FILE...
"""

from __future__ import annotations

import argparse
import json
import os
import re
import ssl
import sys
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Sequence
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from dpd_log_counts import Pod, exposition  # type: ignore[import-not-found]


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
        """Every pod of a namespace, page by page."""
        found: list[dict[str, Any]] = []
        more: dict[str, str] = {}
        while True:
            path = f"/api/v1/namespaces/{namespace}/pods"
            with self.get(path, 30, limit="500", **more) as response:
                page = json.load(response)
            found += page["items"]
            token = page.get("metadata", {}).get("continue")
            if not token:
                return found
            more = {"continue": token}


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

    def _is_followed(self, key: tuple[str, str], pod: Pod) -> bool:
        """Whether this is still the pod of that name."""
        return self.followed.get(key) is pod

    def _follow(self, key: tuple[str, str], container: str, pod: Pod) -> None:
        namespace, name = key
        since: dict[str, str] = {}
        last, at_last = None, 0
        while self._is_followed(key, pod):
            try:
                path = f"/api/v1/namespaces/{namespace}/pods/{name}/log"
                with self.cluster.get(
                    path, 3600, container=container, follow="true", timestamps="true", **since
                ) as log:
                    # A log taken up again begins with what was read, as many lines as there were at that moment.
                    resumed, known = last, at_last
                    for raw in log:
                        stamp, _, line = raw.decode("utf-8", "replace").rstrip("\n").partition(" ")
                        moment = _moment(stamp)
                        if moment is None or (resumed is not None and moment < resumed):
                            continue
                        if moment == resumed and known:
                            known -= 1
                            continue
                        pod.feed(line, counts=moment >= self.started)
                        at_last = at_last + 1 if moment == last else 1
                        last, since = moment, {"sinceTime": stamp}
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
