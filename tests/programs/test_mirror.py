"""`dpd images mirror`: what is copied, how the tools are called, and that neither secrets nor work get lost."""

from __future__ import annotations

import base64
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from hyperpod_dpd.blueprint.mirroring import Copy, NoMirror, copies
from hyperpod_dpd.blueprint.registry import plan_images
from hyperpod_dpd.catalog.worker_images import parse_reference
from hyperpod_dpd.cli.main import dpd
from hyperpod_dpd.config import LoadedEnvironment, load_environment
from hyperpod_dpd.live import copy_tools, mirror
from hyperpod_dpd.live.registry import RegistryFault
from tests.support import registry_stub
from tests.support.documents import ENVIRONMENTS, ROOT
from tests.support.registry_stub import RegistryStub

DIGEST = "sha256:" + "ab" * 32
OTHER = "sha256:" + "cd" * 32
ECR = "222233334444.dkr.ecr.us-east-1.amazonaws.com"
SECRET = "c2VjcmV0LXRva2Vu"


@pytest.fixture
def loaded() -> LoadedEnvironment:
    return load_environment(ENVIRONMENTS / "closed-network.yaml")


@pytest.fixture
def stub() -> Iterator[RegistryStub]:
    with registry_stub.running() as found:
        yield found


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder first on PATH in which the three tools are fakes; the file that they write their calls to."""
    folder, calls = tmp_path / "bin", tmp_path / "calls.jsonl"
    folder.mkdir()
    for name in copy_tools.TOOLS:
        program = folder / name
        text = (ROOT / "tests/support/fake_copy_tool.py").read_text(encoding="utf-8")
        program.write_text(f"#!{sys.executable}\n{text}", encoding="utf-8")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("FAKE_TOOL_CALLS", str(calls))
    monkeypatch.setenv("FAKE_TOOL_TAGS", str(tmp_path / "tags.json"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("DOCKER_CONFIG", raising=False)
    return calls


def called(calls: Path, what: str = "copy") -> list[dict[str, Any]]:
    lines = calls.read_text(encoding="utf-8").splitlines() if calls.exists() else []
    return [each for each in map(json.loads, lines) if what in each["arguments"]]


def carried(stub: RegistryStub, folder: Path) -> list[str]:
    """Fills the stub with what closed-network needs, as a registry that images are carried in; the targets."""
    loaded = load_environment(environment_file(folder))
    tags, targets = {}, []
    for copy in copies(loaded, source=stub.host):
        tag = str(copy.source.tag)
        tags[stub.add(copy.source.repository, tag, copy.source.repository)] = tag
        targets.append(f"{copy.target.repository}:{tag}")
    (folder / "tags.json").write_text(json.dumps(tags), encoding="utf-8")
    return targets


def environment_file(folder: Path) -> Path:
    """closed-network without the digest in the document, so that tags decide."""
    file = folder / "closed-network.yaml"
    if not file.exists():
        text = (ENVIRONMENTS / "closed-network.yaml").read_text(encoding="utf-8")
        lines = [
            line for line in text.splitlines() if not line.startswith(("images:", "  worker:", "    digest:"))
        ]
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(dpd, ["images", "mirror", *map(str, arguments)])


def test_sources_are_named_at_their_origin_and_targets_in_the_environments_own_repositories(
    loaded: LoadedEnvironment,
) -> None:
    found = {str(copy.source): copy for copy in copies(loaded)}
    worker = found["public.ecr.aws/deep-learning-containers/vllm:server-hyperpod-cuda-v1.1"]
    assert str(worker.target) == (
        f"{ECR}/dpd-closed-network/deep-learning-containers/vllm:server-hyperpod-cuda-v1.1"
    )
    assert worker.digest == loaded.environment.images.worker.digest
    assert {
        "public.ecr.aws/docker/library/python:3.12-slim",
        "nvcr.io/nvidia/k8s-device-plugin:v0.16.1",
    } <= set(found)
    assert {copy.target.repository for copy in found.values()} <= {
        repository.name for repository in plan_images(loaded).repositories
    }


def test_every_image_that_is_rendered_from_the_mirror_is_copied_into_it(loaded: LoadedEnvironment) -> None:
    from hyperpod_dpd.blueprint.resolve import resolve
    from k8s.rendering import render

    def images(value: Any) -> Iterator[str]:
        if isinstance(value, dict):
            for key, each in value.items():
                if key == "image" and isinstance(each, str):
                    yield each
                else:
                    yield from images(each)
        elif isinstance(value, list):
            for each in value:
                yield from images(each)

    rendered = [item for app in render(resolve(loaded)).apps for item in app.objects]
    pulled = {parse_reference(image).repository for image in images(rendered)}
    assert pulled and all(name.startswith("dpd-closed-network/") for name in pulled)
    assert pulled <= {copy.target.repository for copy in copies(loaded)}


def test_a_registry_may_carry_the_images_between_two_machines(loaded: LoadedEnvironment) -> None:
    [first, *_] = copies(loaded, target="carry.example.com:5000")
    assert str(first.source).startswith("nvcr.io/")
    assert str(first.target) == "carry.example.com:5000/dpd-closed-network/nvidia/k8s-device-plugin:v0.16.1"
    [second, *_] = sorted(
        copies(loaded, source="carry.example.com:5000"), key=lambda each: "nvidia" not in str(each.source)
    )
    assert str(second.source) == str(first.target)
    assert second.target.registry == ECR


@pytest.mark.parametrize("name", ["dev", "existing-cluster"])
def test_an_environment_without_a_mirror_says_so(name: str) -> None:
    loaded = load_environment(ENVIRONMENTS / f"{name}.yaml")
    with pytest.raises(NoMirror, match=r"images\.registry: mirror"):
        copies(loaded)
    result = run(ENVIRONMENTS / f"{name}.yaml")
    assert result.exit_code == 1 and "no mirror to fill" in result.stderr


def test_an_image_without_a_tag_gets_one_that_keeps_it(loaded: LoadedEnvironment) -> None:
    images = loaded.environment.images
    worker = images.worker.model_copy(update={"repository": "registry.example.com/vllm", "digest": DIGEST})
    changed = loaded.environment.model_copy(update={"images": images.model_copy(update={"worker": worker})})
    [copy] = [c for c in copies(replace(loaded, environment=changed)) if "example" in c.source.registry]
    assert copy.source.tag is None and copy.digest == DIGEST
    assert copy.target.tag == "sha256-" + "ab" * 8


class Known:
    """A registry of which everything is known beforehand."""

    def __init__(self, found: dict[str, str]) -> None:
        self.found = found

    def find(self, image: Any) -> str | None:
        return self.found.get(str(image))

    def digest(self, image: Any) -> str:
        if str(image) not in self.found:
            raise RegistryFault(f"{image}: unknown")
        return self.found[str(image)]


def one(target: str = f"{ECR}/dpd/a:1", digest: str | None = DIGEST) -> Copy:
    return Copy(source=parse_reference("public.ecr.aws/a:1"), target=parse_reference(target), digest=digest)


@pytest.mark.parametrize(
    ("target", "there", "state"),
    [
        (f"{ECR}/dpd/a:1", None, "missing"),
        (f"{ECR}/dpd/a:1", DIGEST, "present"),
        (f"{ECR}/dpd/a:1", OTHER, "conflict"),
        ("carry.example.com/dpd/a:1", OTHER, "missing"),
    ],
)
def test_what_the_target_holds_decides(target: str, there: str | None, state: str) -> None:
    registry: Any = Known({target: there} if there else {})
    [row] = mirror.planned([one(target)], registry)
    assert mirror.compared(row, registry).state == state


def test_a_digest_that_nobody_tells_is_asked_for_at_the_source() -> None:
    registry: Any = Known({"public.ecr.aws/a:1": OTHER})
    assert [row.digest for row in mirror.planned([one(digest=None)], registry)] == [OTHER]
    nobody: Any = Known({})
    [row] = mirror.planned([one(digest=None)], nobody)
    assert (row.digest, row.state) == (None, "unknown") and "unknown" in row.why


SOURCE, TARGET = f"public.ecr.aws/a@{DIGEST}", f"{ECR}/dpd/a:1"


@pytest.mark.parametrize(
    ("name", "command"),
    [
        (
            "skopeo",
            f"skopeo copy --all --preserve-digests --retry-times 3 docker://{SOURCE} docker://{TARGET}",
        ),
        ("crane", f"crane copy {SOURCE} {TARGET}"),
        ("oras", f"oras copy {SOURCE} {TARGET}"),
    ],
)
def test_each_tool_copies_by_digest(name: str, command: str) -> None:
    [row] = mirror.planned([one()], Known({}))  # type: ignore[arg-type]
    tool = copy_tools.TOOLS[name]
    assert tool.copy(mirror.source_by_digest(row), str(row.copy.target)) == command.split(" ")
    login = tool.login(ECR, "AWS")
    assert "--password-stdin" in login and ECR in login and "AWS" in login


def test_loopback_registries_are_asked_without_tls() -> None:
    skopeo, oras = copy_tools.TOOLS["skopeo"], copy_tools.TOOLS["oras"]
    assert "--dest-tls-verify=false" in skopeo.copy("a.example.com/b", "127.0.0.1:5000/b")
    assert "--src-tls-verify=false" not in skopeo.copy("a.example.com/b", "127.0.0.1:5000/b")
    assert "--from-plain-http" in oras.copy("localhost:5000/b", "a.example.com/b")


def test_credentials_of_the_user_are_lent_and_no_store_is_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = {
        "auths": {"quay.io": {"auth": "eDp5"}},
        "credsStore": "desktop",
        "credHelpers": {"ghcr.io": "gh"},
    }
    (tmp_path / "config.json").write_text(json.dumps(given), encoding="utf-8")
    monkeypatch.setenv("DOCKER_CONFIG", str(tmp_path))
    with copy_tools.credentials_folder(["nvcr.io"]) as folder:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        assert folder.stat().st_mode & 0o077 == 0
    assert not folder.exists()
    assert config == {"auths": given["auths"], "credHelpers": {"ghcr.io": "gh", "nvcr.io": "desktop"}}
    for spoiled in ("[]", "{", ""):
        (tmp_path / "config.json").write_text(spoiled, encoding="utf-8")
        with copy_tools.credentials_folder([]) as folder:
            assert json.loads((folder / "config.json").read_text(encoding="utf-8")) == {"auths": {}}


@pytest.mark.parametrize("tool", ["skopeo", "crane", "oras"])
def test_a_run_copies_what_is_missing_and_nothing_twice(
    tool: str, tools: Path, stub: RegistryStub, tmp_path: Path
) -> None:
    targets = carried(stub, tmp_path)
    file = environment_file(tmp_path)
    with registry_stub.running() as into:
        arguments = (file, "--from", stub.host, "--to", into.host, "--tool", tool)
        assert run(*arguments, "--check").exit_code == 1
        first = run(*arguments, "--run")
        assert first.exit_code == 0, first.output
        assert f"{len(targets)} copied" in first.stdout
        held = {f"{repository}:{tag}" for repository, tag in into.manifests}
        assert held == set(targets)
        for repository, tag in into.manifests:
            assert into.digest(repository, tag) == stub.digest(repository, tag)
        assert [each["tool"] for each in called(tools)] == [tool] * len(targets)
        again = run(*arguments, "--run")
        assert again.exit_code == 0 and f"{len(targets)} present" in again.stdout
        assert len(called(tools)) == len(targets)
        assert run(*arguments, "--check").exit_code == 0


def test_a_failing_tool_is_told_with_what_it_said_and_the_others_are_tried(
    tools: Path, stub: RegistryStub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    targets = carried(stub, tmp_path)
    monkeypatch.setenv("FAKE_TOOL", "fail")
    with registry_stub.running() as into:
        result = run(environment_file(tmp_path), "--from", stub.host, "--to", into.host, "--run")
    assert result.exit_code == 1
    assert f"{len(targets)} failed" in result.stdout
    assert "ended with 7" in result.stderr and "connection reset" in result.stderr
    assert "npx cdk deploy" not in result.stderr
    assert len(called(tools)) == len(targets)


def test_another_digest_after_the_copy_is_a_failure(
    tools: Path, stub: RegistryStub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    carried(stub, tmp_path)
    monkeypatch.setenv("FAKE_TOOL", "spoil")
    with registry_stub.running() as into:
        result = run(environment_file(tmp_path), "--from", stub.host, "--to", into.host, "--run")
    assert result.exit_code == 1 and "after the copy, not sha256:" in result.stderr


def test_an_interrupt_ends_the_tool_and_the_next_run_goes_on(
    tools: Path, stub: RegistryStub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    targets = carried(stub, tmp_path)
    with registry_stub.running() as into:
        arguments = [str(environment_file(tmp_path)), "--from", stub.host, "--to", into.host, "--run"]
        program = [
            sys.executable,
            "-c",
            "from hyperpod_dpd.cli.main import main; main()",
            "images",
            "mirror",
            *arguments,
        ]
        process = subprocess.Popen(
            program,
            cwd=ROOT,
            env={**os.environ, "FAKE_TOOL": "hang"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            # A shell's background job ignores SIGINT, and so would the child.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        hangs = Path(f"{tools}.hangs")
        for _ in range(600):
            if hangs.exists() or process.poll() is not None:
                break
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all in the foreground
        out, err = process.communicate(timeout=60)
        assert process.returncode == 130, err
        assert f"{len(targets)} not reached" in out and "goes on with what is missing" in err
        assert "Traceback" not in err
        assert into.manifests == {}
        monkeypatch.setenv("FAKE_TOOL", "copy")
        assert run(*arguments).exit_code == 0
        assert len(into.manifests) == len(targets)


@pytest.fixture
def ecr(monkeypatch: pytest.MonkeyPatch) -> Known:
    """AWS and ECR as the verb asks them: a token for the environment's account, and a registry without images."""
    from hyperpod_dpd.live import aws, registry

    token = base64.b64encode(f"AWS:{SECRET}".encode()).decode()
    answer = {"authorizationData": [{"authorizationToken": token}]}
    monkeypatch.setattr(aws.Aws, "call", lambda *_, **__: answer)
    known = Known({})
    monkeypatch.setattr(registry, "Registry", lambda **_: known)
    return known


def test_the_token_of_ecr_goes_to_the_tool_on_standard_input_and_nowhere_else(
    tools: Path, ecr: Known, tmp_path: Path
) -> None:
    loaded = load_environment(environment_file(tmp_path))
    for copy in copies(loaded):
        ecr.found[str(copy.source)] = DIGEST
        ecr.found[str(copy.target)] = DIGEST
    result = run(environment_file(tmp_path), "--run", "--tool", "crane")
    assert result.exit_code == 0, result.output
    [login] = called(tools, "login")
    assert login["input"] == SECRET
    assert login["arguments"] == ["auth", "login", ECR, "-u", "AWS", "--password-stdin"]
    calls = [{**each, "input": None} for each in called(tools, "login") + called(tools)]
    assert SECRET not in result.output + json.dumps(calls)


def test_a_refused_login_ends_with_one_line(
    tools: Path, ecr: Known, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_LOGIN_STATUS", "1")
    for copy in copies(load_environment(environment_file(tmp_path))):
        ecr.found[str(copy.source)] = DIGEST
    result = run(environment_file(tmp_path), "--run")
    assert result.exit_code == 2 and result.stderr.startswith("error: ")
    assert SECRET not in result.output and not called(tools)


def test_a_moved_tag_of_ecr_is_a_conflict_that_is_left_alone(tools: Path, ecr: Known, tmp_path: Path) -> None:
    for copy in copies(load_environment(environment_file(tmp_path))):
        ecr.found[str(copy.source)] = DIGEST
        ecr.found[str(copy.target)] = OTHER
    result = run(environment_file(tmp_path), "--run")
    assert result.exit_code == 1 and "conflict" in result.stdout and "tags cannot be moved" in result.stderr
    assert not called(tools)


def test_a_copy_that_ecr_refuses_names_the_stack_with_the_repositories(
    tools: Path, ecr: Known, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_TOOL", "fail")
    for copy in copies(load_environment(environment_file(tmp_path))):
        ecr.found[str(copy.source)] = DIGEST
    result = run(environment_file(tmp_path), "--run")
    assert result.exit_code == 1 and "npx cdk deploy 'closed-network/images'" in result.stderr


def test_no_aws_credentials_end_with_one_line(
    tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_PROFILE", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    result = run(environment_file(tmp_path), "--run")
    assert result.exit_code == 2 and len(result.stderr.splitlines()) == 1
    assert "credentials" in result.stderr


@pytest.mark.parametrize(
    "host", ["x$(date)", "a b", "x;y", "https://carry.example.com", "carry/", "-x", "'", "x:y"]
)
@pytest.mark.parametrize("option", ["--to", "--from"])
def test_what_is_no_host_comes_near_no_name_and_no_script(option: str, host: str, tmp_path: Path) -> None:
    result = run(environment_file(tmp_path), "--script", f"{option}={host}")
    assert result.exit_code == 2
    assert "HOST:PORT" in result.stderr and not result.stdout


def test_without_a_tool_the_way_out_is_a_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    result = run(ENVIRONMENTS / "closed-network.yaml", "--run")
    assert result.exit_code == 2 and "--script" in result.stderr


def test_the_plan_as_text_and_as_json(ecr: Known, tmp_path: Path) -> None:
    found = copies(load_environment(environment_file(tmp_path)))
    for copy in found:
        ecr.found[str(copy.source)] = DIGEST
    text = run(environment_file(tmp_path))
    assert text.exit_code == 0
    for copy in found:
        assert f"{copy.source}\n  {DIGEST}\n  -> {copy.target}\n" in text.stdout
    assert "nothing is copied" in text.stdout
    report = json.loads(run(environment_file(tmp_path), "--format", "json").stdout)
    assert report["environment"] == "closed-network"
    assert [image["target"] for image in report["images"]] == [str(copy.target) for copy in found]
    assert {image["state"] for image in report["images"]} == {"unchecked"}
    check = run(environment_file(tmp_path), "--check")
    assert check.exit_code == 1 and check.stdout.count("(missing)") == len(found)


def test_a_plan_with_an_unknown_digest_is_told_and_fails(ecr: Known, tmp_path: Path) -> None:
    result = run(environment_file(tmp_path))
    assert result.exit_code == 1 and "digest not known" in result.stdout
    assert run(environment_file(tmp_path), "--script").exit_code == 1


@pytest.mark.parametrize("tool", ["skopeo", "crane", "oras"])
def test_the_script_logs_in_by_standard_input_and_skips_what_is_there(
    tool: str, ecr: Known, tmp_path: Path
) -> None:
    found = copies(load_environment(environment_file(tmp_path)))
    for copy in found:
        ecr.found[str(copy.source)] = DIGEST
    result = run(environment_file(tmp_path), "--script", "--tool", tool)
    assert result.exit_code == 0
    assert f"aws ecr get-login-password --region us-east-1 | {tool}" in result.stdout
    assert "--password-stdin" in result.stdout and SECRET not in result.stdout
    for copy in found:
        source = f"{copy.source.registry}/{copy.source.repository}"
        assert f"mirror '{copy.target}' '{source}' '{DIGEST}'" in result.stdout
    shell = shutil.which("sh")
    assert shell is not None
    assert subprocess.run([shell, "-n"], input=result.stdout, text=True, check=False).returncode == 0
