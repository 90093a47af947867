"""What the lines of one pod say, as counts and states; the log exporter beside this file reads them.

Nothing but the standard library of a stock Python image.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence

VERSION = "2"
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
RECOVERED = re.compile(r"System recovered, restoring normal operations")
ENGINE = re.compile(r"Initializing a V1 LLM engine .*[ ,]dtype=torch\.(\w+),.*kv_cache_dtype=(\w+)")
PROMPT = re.compile(r"Received request |[ ,]prompt: ['\"]")
"""A line that holds what a user wrote: none of its text is a sign of anything."""

HISTOGRAMS = {"dpd_log_estimated_tokens": TOKEN_BOUNDS, "dpd_log_wire_bytes_per_second": WIRE_BOUNDS}


class Pod:
    """Counts and states of one pod. Its counters exist from the start, so that their first step is seen."""

    def __init__(self, namespace: str, pod_name: str, resource_name: str, threshold_tokens: int) -> None:
        self.labels = {"namespace": namespace, "resource_name": resource_name, "pod_name": pod_name}
        self.threshold_tokens = threshold_tokens
        self.router = not resource_name.startswith(("prefill-", "decode-"))
        self.decoder = resource_name.startswith("decode-")
        self.counters: dict[tuple[str, tuple[tuple[str, str], ...]], int] = {("dpd_log_lines_total", ()): 0}
        if self.router:
            for answer in ("True", "False"):
                self.counters["dpd_log_router_decisions_total", (("disaggregate", answer),)] = 0
        else:
            self.counters["dpd_log_alloc_retries_total", ()] = 0
            for outcome in ("zero", "partial", "full"):
                self.counters["dpd_log_retrieves_total", (("outcome", outcome),)] = 0
            for outcome in ("miss", "hit") if self.decoder else ():
                self.counters["dpd_log_lookups_total", (("outcome", outcome),)] = 0
        self.histograms: dict[str, tuple[list[int], list[float]]] = {}
        self.restarts = 0
        self.forget()

    def forget(self) -> None:
        """A restarted container tells its role and hash anew."""
        self.roles: set[str] = set()
        self.hashes: set[str] = set()
        self.dtypes: set[str] = set()
        self.no_seed = self.degraded = 0

    def feed(self, line: str, counts: bool = True) -> None:
        """One line. With ``counts`` false, for lines older than this process, only states are taken from it."""
        if PROMPT.search(line):
            if counts:
                self._add("dpd_log_lines_total")
            return
        if found := ENGINE.search(line):
            # Another process: what the one before said of itself is over.
            self.dtypes = {found[1] if found[2] == "auto" else found[2]}
            self.degraded = 0
        if found := ROLE.search(line):
            self.roles.add(found[1])
        if found := NONE_HASH.search(line):
            self.hashes.add(hashlib.sha256(found[1].encode()).hexdigest()[:12])
        self.no_seed |= NO_SEED.search(line) is not None
        if DEGRADED.search(line):
            self.degraded = 1
        elif RECOVERED.search(line):
            self.degraded = 0
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
            # A prefiller misses every new prompt: that is its work. What the engine has in its own prefix cache is not
            # looked for, hence not missed.
            if self.decoder and int(found[1]) - int(found[2] or 0) >= self.threshold_tokens:
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
        for dtype in sorted(self.dtypes):
            yield "dpd_log_kv_dtype_info", "dpd_log_kv_dtype_info", {"kv_dtype": dtype}, 1
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
