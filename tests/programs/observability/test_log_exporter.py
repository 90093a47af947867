"""The file that goes into the ConfigMap, run as it is there: lines in, exact counts out."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
from prometheus_client.parser import text_string_to_metric_families

from hyperpod_dpd.catalog import metrics
from hyperpod_dpd.observability.exporter import FILE, targets, texts
from tests.support.documents import ROOT
from tests.support.observed import blueprint_of

LINES = ROOT / "tests" / "unit" / "observability" / "lines"
OWN = """\
INFO [core.py:105] Initializing a V1 LLM engine (v0.19.0) with config: x, dtype=torch.bfloat16, kv_cache_dtype=auto
[INFO] Conditional routing: estimated_tokens=9000, threshold=4096, disaggregate=True
[INFO] Conditional routing: estimated_tokens=9, threshold=4096, disaggregate=False
LMCache INFO: Reqid: a, Total tokens 9000, Inference Engine computed tokens: 0, LMCache hit tokens: 0, need to load: 0
LMCache INFO: Reqid: b, Total tokens 9000, LMCache hit tokens: 8960, need to load: 8960
LMCache INFO: Reqid: c, Total tokens 12, Inference Engine computed tokens: 0, LMCache hit tokens: 0, need to load: 0
[t] LMCache INFO: [req_id=a] Retrieved 0 out of 9000 required tokens (from 9000 total tokens). size: 0.0 gb, cost 1 ms
[t] LMCache INFO: [req_id=b] Retrieved 8960 out of 8960 required tokens (from 8960 total tokens).
[t] LMCache INFO: [req_id=c] Retrieved 10 out of 20 required tokens (from 20 total tokens). size: 0.1 gb, cost 1 ms
[req_id=a] Stored 1 out of total 1 tokens. size: 0.5000 GB, cost 9 ms; offload_time: 1.0 ms, put_time: 250.0 ms
[req_id=a] Stored 1 out of total 1 tokens. size: 0.5000 GB, cost 9 ms; offload_time: 1.0 ms, put_time: 2500.0 ms
[t] LMCache WARNING: Failed to allocate memory object, retrying... (x.py:1:x)
[t] LMCache INFO: LMCache Configuration: {'enable_pd': True, 'pd_role': 'sender'}
[t] INFO Initialized NONE_HASH=b'abc' from vLLM (>= PR#20511)
[t] LMCache ERROR: P/D Disaggregation detected but PYTHONHASHSEED not set.
[t] LMCache ERROR: Failed to initialize LMCacheManager components: x. System will operate in degraded mode (recompute).
nothing of interest
"""


def counts(output: str) -> dict[tuple[str, str], float]:
    """Value by name and the labels that are not the pod's."""
    found = {}
    for family in text_string_to_metric_families(output):
        for sample in family.samples:
            own = {
                k: v for k, v in sample.labels.items() if k not in ("namespace", "resource_name", "pod_name")
            }
            found[sample.name, ",".join(f"{k}={v}" for k, v in sorted(own.items()))] = sample.value
    return found


def run(*files: Path, resource: str = "decode-x", threshold: int = 4096) -> dict[tuple[str, str], float]:
    options = ["--resource-name", resource, "--threshold-tokens", str(threshold)]
    done = subprocess.run(
        [sys.executable, "-I", str(FILE), *options, *map(str, files)],
        capture_output=True,
        text=True,
        check=True,
    )
    return counts(done.stdout)


NEAR_MISSES = """\
Reqid: a, Total tokens 9000, Inference Engine computed tokens: 8960, LMCache hit tokens: 0, need to load: 0
LMCache INFO: Reqid: b, Total tokens 4095, Inference Engine computed tokens: 0, LMCache hit tokens: 0, need to load: 0
Failed to allocate memory object
Failed to allocate memory for tensor(torch.Size([2, 62]), torch.bfloat16) because no free blocks is available
PYTHONHASHSEED is set to 123
LMCache Configuration: {'pd_role': None}
Conditional routing: estimated_tokens=many, threshold=4096, disaggregate=True
Stored 0 out of total 0 tokens. size: 0.0000 GB, cost 0.1 ms; offload_time: 0.1 ms, put_time: 0.0000 ms
Stored 1024 tokens in 3.909 seconds
"""


def test_lines_that_are_nearly_what_is_counted_count_as_nothing(tmp_path: Path) -> None:
    file = tmp_path / "near.log"
    file.write_text(NEAR_MISSES, encoding="utf-8")
    found = run(file)
    assert found.pop(("dpd_log_lines_total", "")) == 9
    assert found.pop(("dpd_log_exporter_info", "version=2")) == 1
    assert not any(found.values()), found


def test_hashes_that_differ_behind_a_space_are_two(tmp_path: Path) -> None:
    digests = []
    for seed in ("b'a b'", "b'a c'"):
        file = tmp_path / "seed.log"
        file.write_text(f"[t] INFO Initialized NONE_HASH={seed} from vLLM (>= PR#20511)\n", encoding="utf-8")
        digests += [labels for name, labels in run(file) if name == "dpd_log_none_hash_info"]
    assert len(set(digests)) == 2


def test_own_lines(tmp_path: Path) -> None:
    file = tmp_path / "own.log"
    file.write_text(OWN, encoding="utf-8")
    found = run(file)
    assert found["dpd_log_lines_total", ""] == 17
    assert found["dpd_log_router_decisions_total", "disaggregate=True"] == 1
    assert found["dpd_log_estimated_tokens_sum", ""] == 9009
    assert found["dpd_log_estimated_tokens_bucket", "le=256.0"] == 1
    assert found["dpd_log_lookups_total", "outcome=miss"] == 1
    assert found["dpd_log_lookups_total", "outcome=hit"] == 1
    for outcome in ("zero", "full", "partial"):
        assert found["dpd_log_retrieves_total", f"outcome={outcome}"] == 1
    assert found["dpd_log_wire_bytes_per_second_count", ""] == 2
    assert found["dpd_log_wire_bytes_per_second_bucket", "le=1000000000.0"] == 1
    assert found["dpd_log_alloc_retries_total", ""] == 1
    assert found["dpd_log_pd_role_info", "pd_role=sender"] == 1
    assert found["dpd_log_hash_seed_unset", ""] == 1
    assert found["dpd_log_lmcache_degraded", ""] == 1
    assert len([key for key in found if key[0] == "dpd_log_none_hash_info"]) == 1


@pytest.mark.parametrize(
    ("file", "resource", "expected"),
    [
        (
            "router-long",
            "x-inference-router",
            {
                ("dpd_log_router_decisions_total", "disaggregate=True"): 1,
                ("dpd_log_estimated_tokens_sum", ""): 5200,
            },
        ),
        (
            "router-short",
            "x-inference-router",
            {
                ("dpd_log_router_decisions_total", "disaggregate=False"): 1,
                ("dpd_log_estimated_tokens_sum", ""): 20,
            },
        ),
        ("retrieved-all", "decode-x", {("dpd_log_retrieves_total", "outcome=full"): 1}),
        ("receiver", "decode-x", {("dpd_log_pd_role_info", "pd_role=receiver"): 1}),
        ("retrieved-all-on-two-lines", "decode-x", {("dpd_log_retrieves_total", "outcome=full"): 1}),
        (
            "retrieved-nothing",
            "decode-x",
            {("dpd_log_retrieves_total", "outcome=zero"): 1, ("dpd_log_lookups_total", "outcome=hit"): 1},
        ),
        ("allocation-retry", "decode-x", {("dpd_log_alloc_retries_total", ""): 1}),
        ("allocation-retries-of-an-older-release", "decode-x", {("dpd_log_alloc_retries_total", ""): 3}),
        (
            "receiver-of-an-older-release",
            "decode-x",
            {("dpd_log_pd_role_info", "pd_role=receiver"): 1},
        ),
        (
            "retrieved-part",
            "decode-x",
            {("dpd_log_retrieves_total", "outcome=partial"): 2},
        ),
        (
            "offload",
            "decode-x",
            {("dpd_log_retrieves_total", "outcome=full"): 1, ("dpd_log_wire_bytes_per_second_count", ""): 1},
        ),
        ("hash-generation", "decode-x", {("dpd_log_hash_seed_unset", ""): 0}),
    ],
)
def test_lines_of_a_log(file: str, resource: str, expected: dict[tuple[str, str], float]) -> None:
    found = run(LINES / f"{file}.txt", resource=resource)
    assert {key: found[key] for key in expected} == expected
    others = {
        key: value
        for key, value in found.items()
        if value
        and key not in expected
        and key[0] not in ("dpd_log_lines_total", "dpd_log_exporter_info")
        and not key[0].startswith(("dpd_log_estimated_tokens", "dpd_log_wire"))
    }
    assert not others


def test_names_and_labels_are_those_of_the_contract(tmp_path: Path) -> None:
    file = tmp_path / "own.log"
    file.write_text(OWN, encoding="utf-8")
    known = metrics.exposed()
    made = run(file) | run(file, resource="x-inference-router")
    names = {name for name, _ in made}
    assert names == {name for name in known if name.startswith("dpd_log_")}
    for name, labels in made:
        assert {part.partition("=")[0] for part in labels.split(",") if part} <= known[name]


def test_it_needs_nothing_but_python(tmp_path: Path) -> None:
    for name, text in texts().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert max(map(len, text.splitlines())) < 500, "a longer line would not be a block in the manifest"
    copy = tmp_path / FILE.name
    (tmp_path / "empty.log").write_text("", encoding="utf-8")
    subprocess.run([sys.executable, "-I", "-S", str(copy), str(tmp_path / "empty.log")], check=True)


class FakeApi(BaseHTTPRequestHandler):
    """A pod that is there, its log with lines from before and after the exporter's start, one that is not ours."""

    log: ClassVar[list[str]] = []
    pods: ClassVar[list[dict[str, Any]]] = []

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        if "/log" in self.path:
            assert "container=decode-llama-70b" in self.path
            if "sinceTime" not in self.path:
                for line in self.log:
                    self.wfile.write(f"{line}\n".encode())
        else:
            self.wfile.write(json.dumps({"items": self.pods if "/inference/" in self.path else []}).encode())

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def api() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), FakeApi)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def _pod(name: str, container: str) -> dict[str, Any]:
    return {"metadata": {"name": name}, "spec": {"containers": [{"name": container}]}, "status": {}}


def test_it_follows_pods_and_counts_only_what_comes_after_its_start(api: str, tmp_path: Path) -> None:
    program = runpy.run_path(str(FILE))
    FakeApi.pods = [
        _pod("decode-llama-70b-6d4cf56db6-x2x4z", "decode-llama-70b"),
        _pod("decode-llama-70b-big-6d4cf56db6-x2x4z", "decode-llama-70b-big"),
    ]
    FakeApi.log = [
        "2020-01-01T00:00:00.123456789Z LMCache Configuration: {'pd_role': 'receiver'}",
        "2020-01-01T00:00:01Z Failed to allocate memory object, retrying...",
        "2999-01-01T00:00:00.123456789Z Failed to allocate memory object, retrying...",
    ]
    follower = program["Follower"](program["Cluster"](api, str(tmp_path)), targets(blueprint_of("dev")))
    follower.look()
    server = program["serve"](follower, 0)
    try:
        for _ in range(100):
            with urllib.request.urlopen(f"http://127.0.0.1:{server.server_address[1]}/metrics") as answer:
                found = counts(answer.read().decode())
            if found["dpd_log_alloc_retries_total", ""] and found.get(
                ("dpd_log_pd_role_info", "pd_role=receiver")
            ):
                break
            time.sleep(0.05)
        assert found["dpd_log_alloc_retries_total", ""] == 1
        assert found["dpd_log_lines_total", ""] == 1
        assert found["dpd_log_pd_role_info", "pd_role=receiver"] == 1
        assert [pod.labels["pod_name"] for pod in follower.pods()] == ["decode-llama-70b-6d4cf56db6-x2x4z"]
        FakeApi.pods = []
        follower.look()
        assert not follower.pods()
    finally:
        server.shutdown()
        server.server_close()


def test_a_restarted_container_tells_its_role_anew(api: str, tmp_path: Path) -> None:
    program = runpy.run_path(str(FILE))
    name = "decode-llama-70b-6d4cf56db6-x2x4z"
    FakeApi.log = []
    follower = program["Follower"](program["Cluster"](api, str(tmp_path)), targets(blueprint_of("dev")))
    told = []
    for restarts in (0, 0, 1):
        status = {"containerStatuses": [{"name": "decode-llama-70b", "restartCount": restarts}]}
        FakeApi.pods = [{**_pod(name, "decode-llama-70b"), "status": status}]
        follower.look()
        (pod,) = follower.pods()
        told.append(set(pod.roles))
        pod.feed("LMCache Configuration: {'pd_role': 'receiver'}")
    assert told == [set(), {"receiver"}, set()]
    FakeApi.pods = []
    follower.look()


@pytest.mark.parametrize(
    ("recording", "role", "expected"),
    [
        ("pair-healthy", "prefill", {"kv_dtype=bfloat16"}),
        ("pair-healthy", "decode", {"kv_dtype=bfloat16", "outcome=hit 2", "outcome=full 3"}),
        ("hash-seed-differs", "prefill", {"kv_dtype=bfloat16"}),
        ("hash-seed-differs", "decode", {"kv_dtype=bfloat16", "outcome=miss 2"}),
        ("dtype-differs", "prefill", {"kv_dtype=bfloat16"}),
        ("dtype-differs", "decode", {"kv_dtype=float16", "outcome=miss 1"}),
        ("degraded-at-start", "prefill", {"kv_dtype=bfloat16", "degraded"}),
        ("degraded-at-start", "decode", {"kv_dtype=bfloat16", "degraded", "outcome=miss 1"}),
    ],
)
def test_recorded_pairs(recording: str, role: str, expected: set[str]) -> None:
    """Logs of a real pair: a prefiller that looks up new prompts is healthy, and misses count on decoders alone."""
    file = ROOT / "tests" / "unit" / "observability" / "recorded" / f"{recording}.{role}.log"
    found = run(file, resource=f"{role}-x", threshold=512)
    told = {labels for (name, labels) in found if name == "dpd_log_kv_dtype_info"}
    told |= {
        f"{labels} {value:g}"
        for (name, labels), value in found.items()
        if name in ("dpd_log_lookups_total", "dpd_log_retrieves_total") and value
    }
    assert told | ({"degraded"} if found["dpd_log_lmcache_degraded", ""] else set()) == expected


def test_what_a_user_wrote_is_no_sign(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text(
        "INFO [logger.py:40] Received request cmpl-1: prompt: 'LMCache is unhealthy; Retrieved 0 out of 9 required"
        " tokens; Failed to allocate memory object, retrying', params: SamplingParams(n=1)\n",
        encoding="utf-8",
    )
    found = {key: value for key, value in run(log).items() if value}
    assert found == {("dpd_log_exporter_info", "version=2"): 1, ("dpd_log_lines_total", ""): 1}


def test_degraded_ends_at_recovered_or_with_the_process() -> None:
    program = runpy.run_path(str(FILE))
    engine = "Initializing a V1 LLM engine (v0.19.0) with config: x, dtype=torch.bfloat16, kv_cache_dtype=fp8"
    for end in ("HealthMonitor: System recovered, restoring normal operations", engine):
        pod = program["Pod"]("n", "decode-x-0", "decode-x", 512)
        pod.feed("System will operate in degraded mode (recompute).")
        assert pod.degraded == 1
        pod.feed(end)
        assert pod.degraded == 0
    assert pod.dtypes == {"fp8"}


def test_lines_of_one_moment_are_each_counted_once(api: str, tmp_path: Path) -> None:
    """The log is taken up again every few seconds, and the API repeats what it said at that moment."""
    program = runpy.run_path(str(FILE))
    line = "2999-01-01T00:00:00.5Z Failed to allocate memory object, retrying..."
    FakeApi.pods = [_pod("decode-llama-70b-6d4cf56db6-x2x4z", "decode-llama-70b")]
    FakeApi.log = [line, line, "2999-01-01T00:00:00.25Z nothing", line.replace("00.5Z", "01Z")]
    follower = program["Follower"](program["Cluster"](api, str(tmp_path)), targets(blueprint_of("dev")))
    follower.look()
    (pod,) = follower.pods()
    time.sleep(6)
    assert pod.counters["dpd_log_alloc_retries_total", ()] == 3
    FakeApi.pods = []
    follower.look()
