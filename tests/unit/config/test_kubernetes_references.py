"""What the Kubernetes parts of a document may not say, because no API server or no reader could use it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from hyperpod_dpd.config import InvalidEnvironment, load_environment
from tests.support.documents import ENVIRONMENTS
from tests.support.merging import merged

ROOT = Path(__file__).resolve().parents[3]
COMMIT = "0123456789abcdef0123456789abcdef01234567"


def faults(tmp_path: Path, change: dict[str, Any]) -> list[tuple[str, str]]:
    """Path and message of every fault of dev with ``change`` put in."""
    base = yaml.safe_load((ENVIRONMENTS / "dev.yaml").read_text())
    path = tmp_path / "dev.yaml"
    path.write_text(json.dumps(merged(base, change)))
    try:
        load_environment(path)
    except InvalidEnvironment as error:
        return [(".".join(map(str, fault.path)), fault.message) for fault in error.faults]
    return []


def endpoint(**change: Any) -> dict[str, Any]:
    return {"endpoints": {"llama-70b": change}}


def second(weights: dict[str, Any]) -> dict[str, Any]:
    """Another endpoint beside dev's own, both with ``weights`` of the same form."""
    model = {"catalogue": "llama-3.3-70b-instruct", "weights": weights}
    roles = {"prefill": {"instance_group": "prefill"}, "decode": {"instance_group": "decode"}}
    return {"model": model, **roles}


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (
            endpoint(environment_variables={"X": {"secret": "Bad Name", "key": "k"}}),
            "environment_variables.X.secret",
        ),
        (
            endpoint(environment_variables={"X": {"secret": "name", "key": "a b"}}),
            "environment_variables.X.key",
        ),
        (endpoint(model={"weights": {"s3": None, "volume": {"claim": "My Claim"}}}), "weights.volume.claim"),
        ({"secrets": {"s": {"keys": {"clé": {"name": "x"}}}}}, "secrets.s.keys.clé"),
        ({"secrets": {"s": {"keys": {"..": {"name": "x"}}}}}, "secrets.s.keys..."),
        ({"routes": {"r": {"weights": {"llama-70b": 1}, "host": "a..b"}}}, "routes.r.host"),
    ],
)
def test_names_that_kubernetes_refuses(tmp_path: Path, change: dict[str, Any], where: str) -> None:
    [(path, message)] = faults(tmp_path, change)
    assert path.endswith(where)
    assert "does not have the form" in message


@pytest.mark.parametrize(
    "repository",
    [
        "https://user:pass@git.example.com/x.git",
        "https://token@git.example.com/x.git",
        "https://git.example.com/x.git?private_token=x",
        "https://git.example.com/x.git#x",
    ],
)
@pytest.mark.parametrize("of", ["delivery", "chart"])
def test_repositories_hold_no_credentials(tmp_path: Path, repository: str, of: str) -> None:
    if of == "delivery":
        change: dict[str, Any] = {"delivery": {"kind": "flux", "repository": repository}}
    else:
        change = {"operator": {"install": "helm", "chart": {"commit": COMMIT, "repository": repository}}}
    [(path, _)] = faults(tmp_path, change)
    assert path == ("delivery.repository" if of == "delivery" else "operator.chart.repository")


@pytest.mark.parametrize(
    "repository",
    ["https://git.example.com/x.git", "ssh://git@git.example.com/x.git", "git@git.example.com:x.git"],
)
def test_addresses_alone_are_fine(tmp_path: Path, repository: str) -> None:
    assert faults(tmp_path, {"delivery": {"kind": "flux", "repository": repository}}) == []


@pytest.mark.parametrize(
    "text", ["dist; rm -rf ~", "$(id)", "a b", "-k", "a//b", "`id`", "it's", "/etc", "a\\nb"]
)
@pytest.mark.parametrize("of", ["delivery", "chart", "dependencies"])
def test_folders_that_reach_a_shell_line_hold_no_shell(tmp_path: Path, text: str, of: str) -> None:
    chart = {"commit": COMMIT, "path": text}
    change: dict[str, Any] = {
        "delivery": {"delivery": {"path": text}},
        "chart": {"operator": {"install": "helm", "chart": chart}},
        "dependencies": {"cluster": {"dependencies": {"chart": chart}}},
    }[of]
    [(path, message)] = faults(tmp_path, change)
    assert path.endswith(".path") and "does not have the form" in message


@pytest.mark.parametrize(
    "text", ["https://git.example.com/x;id", "git@git.example.com:x$(id)", "ssh://-oProxyCommand=x"]
)
def test_repositories_hold_no_shell(tmp_path: Path, text: str) -> None:
    [(path, _)] = faults(tmp_path, {"delivery": {"kind": "flux", "repository": text}})
    assert path == "delivery.repository"


@pytest.mark.parametrize("text", ["models/x; id", "models/$(id)", "a b"])
def test_a_prefix_holds_no_shell(tmp_path: Path, text: str) -> None:
    [(path, _)] = faults(tmp_path, endpoint(model={"weights": {"s3": {"prefix": text}}}))
    assert path.endswith("weights.s3.prefix")


@pytest.mark.parametrize(("folder", "refused"), [("/a", False), ("/b", True), (None, True)])
def test_one_claim_is_one_folder(tmp_path: Path, folder: str | None, refused: bool) -> None:
    def weights(path: str | None) -> dict[str, Any]:
        return {"s3": None, "volume": {"claim": "nvme", **({"host_path": path} if path else {})}}

    change = endpoint(model={"weights": weights("/a")})
    change["endpoints"]["other"] = second({"volume": weights(folder)["volume"]})
    found = faults(tmp_path, change)
    assert [path for path, _ in found] == (["endpoints.other.model.weights.volume"] if refused else [])


@pytest.mark.parametrize(
    ("staging", "refused"),
    [
        ({"commit": COMMIT}, False),
        ({"commit": COMMIT, "model_id": "meta-llama/Llama-3.3-70B-Instruct"}, False),
        ({"commit": "f" * 40}, True),
        ({"commit": COMMIT, "model_id": "other/model"}, True),
    ],
)
def test_one_prefix_holds_one_commit(tmp_path: Path, staging: dict[str, Any], refused: bool) -> None:
    change = endpoint(model={"weights": {"s3": {"prefix": "models/x"}, "staging": {"commit": COMMIT}}})
    change["endpoints"]["other"] = second({"s3": {"prefix": "/models/x/"}, "staging": staging})
    found = faults(tmp_path, change)
    assert [path for path, _ in found] == (["endpoints.other.model.weights.staging"] if refused else [])


@pytest.mark.parametrize(
    "patch",
    [
        {"op": "remove", "path": "/metadata"},
        {"op": "replace", "path": "/metadata", "value": {"name": "other"}},
        {"op": "move", "path": "/metadata/x", "source": "/metadata/name"},
        {"op": "remove", "path": "/kind"},
    ],
)
def test_no_override_takes_an_objects_name(tmp_path: Path, patch: dict[str, Any]) -> None:
    found = faults(tmp_path, {"overrides": [{"kind": "Namespace", "name": "inference", "patch": [patch]}]})
    assert ["names the object" in message for _, message in found] == [True]
