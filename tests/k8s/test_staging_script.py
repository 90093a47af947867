"""The staging program against an S3 that answers like S3 and a repository that can break."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import boto3
import moto
import pytest

ROOT = Path(__file__).resolve().parents[2]
COMMIT = "c" * 40
BUCKET = "models"


@pytest.fixture
def program() -> ModuleType:
    spec = importlib.util.spec_from_file_location("stage_weights", ROOT / "k8s/scripts/stage_weights.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Any:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    with moto.mock_aws():
        client = boto3.client("s3")
        client.create_bucket(Bucket=BUCKET)
        yield client


class Repository:
    """A stand-in for the client's module: files, and what it hands out instead of some of them."""

    def __init__(self, files: dict[str, bytes], *, commit: str = COMMIT) -> None:
        self.files, self.commit = files, commit
        self.broken: dict[str, bytes] = {}
        self.fetched: list[str] = []

    def HfApi(self) -> Repository:
        return self

    def model_info(self, repository: str, *, revision: str, files_metadata: bool) -> Any:
        assert (repository, revision, files_metadata) == ("owner/model", COMMIT, True)
        return SimpleNamespace(sha=self.commit, siblings=[self.sibling(name) for name in self.files])

    def sibling(self, name: str) -> Any:
        content = self.files[name]
        large = name.endswith(".safetensors")
        return SimpleNamespace(
            rfilename=name,
            size=len(content),
            blob_id=hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest(),
            lfs=SimpleNamespace(sha256=hashlib.sha256(content).hexdigest()) if large else None,
        )

    def hf_hub_download(self, repository: str, name: str, *, revision: str, local_dir: Path) -> str:
        self.fetched.append(name)
        path = local_dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.broken.get(name, self.files[name]))
        return str(path)


FILES = {
    "model-1.safetensors": b"a" * 3000,
    "model-2.safetensors": b"b" * 2000,
    "config.json": b"{}",
    "original/params.json": b"[]",
    "README.md": b"not wanted",
}


@pytest.fixture
def run(program: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    def go(repository: Repository, *more: str) -> int:
        monkeypatch.setitem(sys.modules, "huggingface_hub", repository)
        arguments = ["--repository=owner/model", f"--commit={COMMIT}", f"--bucket={BUCKET}", "--prefix=a/b/"]
        arguments += ["--include=*.safetensors", "--include=*.json", f"--disk={tmp_path}", "--disk-gib=1"]
        result: int = program.main([*arguments, *more])
        return result

    return go


def contents(s3: Any) -> dict[str, bytes]:
    keys = [item["Key"] for item in s3.list_objects_v2(Bucket=BUCKET).get("Contents", [])]
    return {key: s3.get_object(Bucket=BUCKET, Key=key)["Body"].read() for key in keys}


def test_matching_files_are_copied_and_the_disk_is_free_again(run: Any, s3: Any, tmp_path: Path) -> None:
    assert run(Repository(FILES)) == 0
    wanted = {f"a/b/{name}": text for name, text in FILES.items() if name != "README.md"}
    assert contents(s3) == wanted
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    head = s3.head_object(Bucket=BUCKET, Key="a/b/model-1.safetensors", ChecksumMode="ENABLED")
    assert head["ChecksumSHA256"]
    assert head["Metadata"] == {"source-checksum": f"sha256:{hashlib.sha256(b'a' * 3000).hexdigest()}"}


def test_second_run_copies_nothing(run: Any, s3: Any) -> None:
    run(Repository(FILES))
    again = Repository(FILES)
    run(again)
    assert again.fetched == []


def test_a_stopped_run_goes_on_where_it_was(run: Any, s3: Any) -> None:
    first = Repository(FILES)
    first.broken["model-2.safetensors"] = b"cut off"
    with pytest.raises(RuntimeError, match=r"model-2\.safetensors: downloaded sha256:"):
        run(first, "--parallel=1")
    assert "a/b/model-2.safetensors" not in contents(s3)
    assert "a/b/model-1.safetensors" in contents(s3)
    second = Repository(FILES)
    run(second)
    assert "model-1.safetensors" not in second.fetched and "model-2.safetensors" in second.fetched


def test_an_object_with_other_content_of_the_same_size_is_replaced(run: Any, s3: Any) -> None:
    s3.put_object(Bucket=BUCKET, Key="a/b/config.json", Body=b"xx", Metadata={"source-checksum": "git:0"})
    run(Repository(FILES))
    assert contents(s3)["a/b/config.json"] == b"{}"


def test_small_files_are_verified_too(run: Any, s3: Any) -> None:
    repository = Repository(FILES)
    repository.broken["config.json"] = b"[]"
    with pytest.raises(RuntimeError, match=r"config\.json: downloaded git:"):
        run(repository)


def test_moved_revision_is_refused(run: Any, s3: Any) -> None:
    with pytest.raises(SystemExit, match="answers with commit"):
        run(Repository(FILES, commit="d" * 40))


def test_nothing_that_matches_is_said(run: Any, s3: Any) -> None:
    with pytest.raises(SystemExit, match="no file that matches"):
        run(Repository({"README.md": b"x"}))


def test_file_larger_than_the_disk_is_said_before_any_download(
    run: Any, s3: Any, program: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "GIB", 1024)
    repository = Repository(FILES)
    with pytest.raises(SystemExit, match=r"needs 3 GiB of disk; raise staging\.disk_gib"):
        run(repository)
    assert repository.fetched == []


def test_files_in_flight_never_exceed_the_disk(
    run: Any, s3: Any, program: ModuleType, monkeypatch: Any
) -> None:
    import threading

    monkeypatch.setattr(program, "GIB", 1000)
    files = {f"m{index}.safetensors": bytes([index]) * 600 for index in range(6)}
    lock, now, most = threading.Lock(), [0], [0]

    class Counting(Repository):
        def hf_hub_download(self, repository: str, name: str, **rest: Any) -> str:
            with lock:
                now[0] += 600
                most[0] = max(most[0], now[0])
            return super().hf_hub_download(repository, name, **rest)

    original = program.Staging.copy

    def copy(self: Any, file: Any) -> None:
        original(self, file)
        with lock:
            now[0] -= 600

    monkeypatch.setattr(program.Staging, "copy", copy)
    run(Counting(files), "--parallel=4", "--include=*")
    assert len(contents(s3)) == 6
    assert most[0] <= 1000


def test_missing_package_is_installed_beside_and_a_present_one_is_not(
    program: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[list[str]] = []
    monkeypatch.setattr(program.subprocess, "run", lambda command, check: calls.append(command))
    monkeypatch.setattr(sys, "path", list(sys.path))
    program.provide(["json==1"], tmp_path)
    assert calls == []
    program.provide(["json==1", "surely_not_here==2.0"], tmp_path)
    assert calls[0][-1] == "surely_not_here==2.0" and "json==1" not in calls[0]
    assert str(tmp_path) in calls[0] and sys.path[0] == str(tmp_path)
