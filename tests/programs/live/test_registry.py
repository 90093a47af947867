"""`dpd images pin` against a registry on loopback that asks for tokens as Docker Hub and ECR Public do."""

from __future__ import annotations

import hashlib
import json
import shutil
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml
from click.testing import CliRunner

from hyperpod_dpd.catalog.worker_images import parse_reference
from hyperpod_dpd.cli.main import dpd
from hyperpod_dpd.live.registry import MANIFEST_TYPES, Registry, RegistryFault
from tests.support.documents import ENVIRONMENTS

ROOT = Path(__file__).resolve().parents[3]


def manifest(seed: str, *, index: bool = True, architecture: str = "amd64") -> bytes:
    kind = MANIFEST_TYPES[0] if index else MANIFEST_TYPES[2]
    body = {"schemaVersion": 2, "mediaType": kind, "annotations": {"seed": seed}}
    if index:
        body["manifests"] = [{"platform": {"architecture": architecture, "os": "linux"}}]
    return json.dumps(body).encode()


class Stub(ThreadingHTTPServer):
    """A registry: its images, how it asks who you are, and what was asked of it."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.images: dict[str, bytes] = {}
        self.auth = "docker-hub"  # or "ecr-public", "basic", "none"
        self.token_key = "token"
        self.failures: list[int] = []
        self.digest_header: str | None = "true"
        self.asked: list[tuple[str, str | None]] = []
        self.moved_to: str | None = None

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    server: Stub

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        stub, address = self.server, urlsplit(self.path)
        given = self.headers.get("Authorization")
        stub.asked.append((self.path, given))
        if stub.failures:
            self.answer(stub.failures.pop(0), b"busy", {"Retry-After": "7"})
        elif address.path.startswith("/token"):
            self.token({key: value[0] for key, value in parse_qs(address.query).items()}, given)
        elif (challenge := self.challenge(given, address.path)) is not None:
            self.answer(401, b"{}", {"WWW-Authenticate": challenge})
        elif stub.moved_to:
            self.answer(307, b"", {"Location": f"{stub.moved_to}{self.path}"})
        else:
            self.manifest(address.path)

    def challenge(self, given: str | None, path: str) -> str | None:
        stub = self.server
        if stub.auth == "none":
            return None
        if stub.auth == "basic":
            return None if given == "Basic dXNlcjpwYXNz" else 'Basic realm="private"'
        if stub.auth == "ecr-public":
            right, rest = "Bearer public", f'service="{stub.host}",scope="aws"'
        else:
            repository = path.removeprefix("/v2/").rpartition("/manifests/")[0]
            right = f"Bearer for-{repository}"
            rest = f'service="registry.test",scope="repository:{repository}:pull"'
        return None if given == right else f'Bearer realm="http://{stub.host}/token",{rest}'

    def token(self, query: dict[str, str], given: str | None) -> None:
        if self.server.auth == "ecr-public":
            assert query == {"service": self.server.host, "scope": "aws"}
            token = "public"
        else:
            assert query["service"] == "registry.test"
            token = f"for-{query['scope'].split(':')[1]}"
        self.answer(200, json.dumps({self.server.token_key: token}).encode(), {})

    def manifest(self, path: str) -> None:
        assert MANIFEST_TYPES[0] in self.headers["Accept"]
        body = self.server.images.get(path.removeprefix("/v2/").replace("/manifests/", ":"))
        if body is None:
            self.answer(404, b"{}", {})
            return
        stated = self.server.digest_header
        digest = f"sha256:{hashlib.sha256(body).hexdigest()}" if stated == "true" else stated
        kind = json.loads(body).get("mediaType", "text/html") if body.startswith(b"{") else "text/html"
        headers = {"Content-Type": kind, **({"Docker-Content-Digest": digest} if digest else {})}
        self.answer(200, body, headers)

    def answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def stub() -> Iterator[Stub]:
    yield from serving()


@pytest.fixture
def another() -> Iterator[Stub]:
    yield from serving()


def serving() -> Iterator[Stub]:
    server = Stub()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


def resolve(stub: Stub, name: str = "owner/worker:v1", **options: object) -> str:
    waits: list[float] = []
    registry = Registry(wait=waits.append, tries=3, **options)  # type: ignore[arg-type]
    return registry.digest(parse_reference(f"{stub.host}/{name}"))


def sha(body: bytes) -> str:
    return f"sha256:{hashlib.sha256(body).hexdigest()}"


@pytest.mark.parametrize("auth", ["docker-hub", "ecr-public", "none"])
@pytest.mark.parametrize("token_key", ["token", "access_token"])
def test_digest_of_a_tag_through_each_way_of_asking_for_a_token(
    stub: Stub, auth: str, token_key: str
) -> None:
    stub.auth, stub.token_key = auth, token_key
    stub.images["owner/worker:v1"] = manifest("a")
    assert resolve(stub) == sha(manifest("a"))


def test_one_token_serves_a_whole_run(stub: Stub) -> None:
    stub.auth = "ecr-public"
    stub.images |= {"a/b:1": manifest("1"), "a/b:2": manifest("2")}
    registry = Registry()
    for tag in "12":
        registry.digest(parse_reference(f"{stub.host}/a/b:{tag}"))
    assert sum(path.startswith("/token") for path, _ in stub.asked) == 1


def test_private_registry_gets_the_credentials(stub: Stub) -> None:
    stub.auth = "basic"
    stub.images["owner/worker:v1"] = manifest("a")
    assert resolve(stub, credentials=lambda host: ("user", "pass") if host == stub.host else None)
    with pytest.raises(RegistryFault, match="refuses access; log in"):
        resolve(stub)


def test_digest_is_that_of_the_answer_where_the_registry_states_none(stub: Stub) -> None:
    stub.digest_header = None
    stub.images["owner/worker:v1"] = manifest("a", index=False)
    assert resolve(stub) == sha(manifest("a", index=False))


def test_answer_that_is_not_what_the_registry_states_is_refused(stub: Stub) -> None:
    stub.digest_header = "sha256:" + "0" * 64
    stub.images["owner/worker:v1"] = manifest("a")
    with pytest.raises(RegistryFault, match="do not use it"):
        resolve(stub)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"<html>", "no manifest"),
        (b"{}", "no manifest"),
        (manifest("a", architecture="arm64"), "is made for arm64, and our nodes are amd64"),
    ],
)
def test_what_no_node_could_run_is_refused(stub: Stub, body: bytes, says: str) -> None:
    stub.images["owner/worker:v1"] = body
    with pytest.raises(RegistryFault, match=says):
        resolve(stub)


def test_unknown_tag_is_named(stub: Stub) -> None:
    with pytest.raises(RegistryFault, match=r"owner/worker:v1: the registry has no such repository or tag"):
        resolve(stub)


def test_busy_registry_is_asked_again_after_the_time_it_names(stub: Stub) -> None:
    stub.auth, stub.failures = "none", [429, 503]
    stub.images["owner/worker:v1"] = manifest("a")
    waits: list[float] = []
    Registry(wait=waits.append, tries=3).digest(parse_reference(f"{stub.host}/owner/worker:v1"))
    assert waits == [7.0, 7.0]
    stub.failures = [500, 500, 500]
    with pytest.raises(RegistryFault, match="status 500"):
        resolve(stub)


def test_unreachable_registry_is_one_clear_line(stub: Stub) -> None:
    reference = parse_reference("127.0.0.1:1/owner/worker:v1")
    with pytest.raises(RegistryFault, match=r"127\.0\.0\.1:1 cannot be used"):
        Registry(wait=lambda _: None, tries=2).digest(reference)


def test_credentials_do_not_follow_a_redirect_elsewhere(stub: Stub, another: Stub) -> None:
    stub.auth, another.auth = "docker-hub", "none"
    stub.moved_to = f"http://{another.host}"
    another.images["owner/worker:v1"] = manifest("a")
    assert resolve(stub) == sha(manifest("a"))
    assert [given for _, given in another.asked] == [None]


def test_token_is_never_fetched_in_the_clear(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    registry = Registry()
    image = parse_reference(f"{stub.host}/owner/worker:v1")
    with pytest.raises(RegistryFault, match="not encrypted"):
        registry._authorization(['Bearer realm="http://auth.example.com/token",service="x"'], image)


@pytest.fixture
def home(tmp_path: Path, stub: Stub, monkeypatch: pytest.MonkeyPatch) -> Path:
    """dev with its worker image in the stub's registry, and its lock elsewhere."""
    shutil.copytree(ENVIRONMENTS, tmp_path / "environments")
    path = tmp_path / "environments/dev.yaml"
    value = yaml.safe_load(path.read_text())
    value["images"] = {"worker": {"repository": f"{stub.host}/owner/worker", "tag": "v1"}}
    value["observability"] = {"log_exporter": False}
    path.write_text(yaml.safe_dump(value))
    stub.images["owner/worker:v1"] = manifest("a")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DOCKER_CONFIG", str(tmp_path / "none"))
    monkeypatch.setattr("time.sleep", lambda _: None)
    return tmp_path


def pin(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(dpd, ["images", "pin", "dev", *arguments])
    return done.exit_code, done.output


def test_pin_writes_the_lock_and_everything_is_rendered_by_digest(home: Path, stub: Stub) -> None:
    from hyperpod_dpd.blueprint.resolve import resolve as blueprint
    from hyperpod_dpd.config import load_environment
    from k8s.layout import files
    from k8s.rendering import render

    tagged = f"{stub.host}/owner/worker:v1"
    assert pin()[0] == 0
    lock = json.loads((home / "environments/locks/dev.json").read_text())
    assert lock["images"][tagged]["digest"] == sha(manifest("a"))
    tree = files(render(blueprint(load_environment(Path("environments/dev.yaml")))))
    places = [line.strip() for text in tree.values() for line in text.splitlines() if "/owner/worker" in line]
    assert len(places) == 2  # the endpoint, and the pods that pull beforehand
    assert all(f"{tagged}@{sha(manifest('a'))}" in line for line in places), places


def test_the_log_exporter_is_pinned_too(home: Path, stub: Stub) -> None:
    from hyperpod_dpd.blueprint.resolve import resolve as blueprint
    from hyperpod_dpd.config import load_environment
    from k8s.rendering import render

    path = home / "environments/dev.yaml"
    value = yaml.safe_load(path.read_text())
    value["observability"] = {"log_exporter_image": f"{stub.host}/owner/python:3"}
    path.write_text(yaml.safe_dump(value))
    stub.images["owner/python:3"] = manifest("p")
    assert pin()[0] == 0
    rendered = render(blueprint(load_environment(path)))
    [deployment] = [i for app in rendered.apps for i in app.objects if i["kind"] == "Deployment"]
    [container] = deployment["spec"]["template"]["spec"]["containers"]
    assert container["image"] == f"{stub.host}/owner/python:3@{sha(manifest('p'))}"


@pytest.mark.parametrize("registry", ["mirror", "pull-through"])
def test_the_lock_names_images_at_their_origin_and_copies_are_pulled_by_its_digest(
    registry: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hyperpod_dpd.blueprint.resolve import resolve as blueprint
    from hyperpod_dpd.config import load_environment

    path = home / "environments/dev.yaml"
    value = yaml.safe_load(path.read_text())
    value["images"] = {"registry": registry}
    path.write_text(yaml.safe_dump(value))
    asked = []

    def digest(_: Registry, image: object) -> str:
        asked.append(str(image))
        return "sha256:" + "7" * 64

    monkeypatch.setattr(Registry, "digest", digest)
    assert pin()[0] == 0
    assert asked == ["public.ecr.aws/deep-learning-containers/vllm:server-hyperpod-cuda-v1.1"]
    [plan] = blueprint(load_environment(path)).endpoints
    assert plan.image.startswith("111122223333.dkr.ecr.us-west-2.amazonaws.com/dpd-dev")
    assert plan.image.endswith("@sha256:" + "7" * 64)


def test_moved_tag_is_told_and_check_writes_nothing(home: Path, stub: Stub) -> None:
    pin()
    assert pin("--check") == (0, f"{stub.host}/owner/worker:v1@{sha(manifest('a'))} (unchanged)\n")
    before = (home / "environments/locks/dev.json").read_bytes()
    stub.images["owner/worker:v1"] = manifest("b")
    status, output = pin("--check")
    assert status == 1 and f"was {sha(manifest('a'))}" in output
    assert (home / "environments/locks/dev.json").read_bytes() == before
    assert pin("--missing")[0] == 0
    assert (home / "environments/locks/dev.json").read_bytes() == before
    assert pin()[0] == 0
    assert sha(manifest("b")) in (home / "environments/locks/dev.json").read_text()


def test_fault_keeps_what_was_locked(home: Path, stub: Stub) -> None:
    pin()
    before = (home / "environments/locks/dev.json").read_bytes()
    stub.images.clear()
    status, output = pin("--format", "json")
    assert status == 1
    assert json.loads(output)["errors"][0].endswith("look for a misspelling")
    assert (home / "environments/locks/dev.json").read_bytes() == before


def test_a_registry_that_has_nothing_is_not_nothing_to_pin(home: Path, stub: Stub) -> None:
    stub.images.clear()
    status, output = pin()
    assert status == 1 and "error: " in output and "nothing to pin" not in output


def test_digest_of_the_document_is_not_resolved(home: Path, stub: Stub) -> None:
    path = home / "environments/dev.yaml"
    value = yaml.safe_load(path.read_text())
    value["images"]["worker"]["digest"] = "sha256:" + "1" * 64
    path.write_text(yaml.safe_dump(value))
    assert pin() == (0, "nothing to pin: every image is named by digest in the document\n")
    assert stub.asked == []


def test_spoiled_lock_is_a_fault_of_the_environment(home: Path) -> None:
    (home / "environments/locks").mkdir()
    (home / "environments/locks/dev.json").write_text('{"images": {"x": {"digest": "sha256:short"}}}')
    status, output = pin()
    assert status == 1 and "locks/dev.json" in output and "Traceback" not in output


def test_docker_login_and_ecr_are_where_credentials_come_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hyperpod_dpd.live import registry_credentials

    auths = {"example.com": {"auth": "dXNlcjpwYXNz"}, "https://index.docker.io/v1/": {"auth": "aHViOng="}}
    (tmp_path / "config.json").write_text(json.dumps({"auths": auths}))
    monkeypatch.setenv("DOCKER_CONFIG", str(tmp_path))
    assert registry_credentials.find("example.com") == ("user", "pass")
    assert registry_credentials.find("docker.io") == ("hub", "x")
    assert registry_credentials.find("other.example.com") is None
    import moto

    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    with moto.mock_aws():
        found = registry_credentials.find("111122223333.dkr.ecr.us-west-2.amazonaws.com")
    assert found is not None and found[0] == "AWS"
