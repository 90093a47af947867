"""Add-ons of an environment against EKS's answers, which boto3 itself reads over HTTP."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hyperpod_dpd.blueprint.resolve import resolve
from hyperpod_dpd.config import load_environment
from hyperpod_dpd.live.addon_schema import has_key, objections
from hyperpod_dpd.live.addons import addons
from hyperpod_dpd.live.aws import Aws
from hyperpod_dpd.live.check import Check
from tests.support.documents import ENVIRONMENTS
from tests.support.eks_stub import Offer, healthy, serving

CNI, CERT, INFERENCE = "vpc-cni", "cert-manager", "amazon-sagemaker-hyperpod-inference"


class Proven(Aws):
    """The account without the question whose it is."""

    def _prove_account(self) -> None:
        self._clients["sts"] = None


@pytest.fixture
def offer(monkeypatch: pytest.MonkeyPatch) -> Iterator[Offer]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.delenv("AWS_PROFILE", raising=False)
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    found = healthy()
    with serving(found) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL_EKS", address)
        yield found


def checks(name: str = "dev") -> dict[str, Check]:
    loaded = load_environment(ENVIRONMENTS / f"{name}.yaml")
    return {check.subject: check for check in addons(Proven(loaded), resolve(loaded))}


def test_what_eks_offers_fits(offer: Offer) -> None:
    found = checks()
    assert {check.verdict for check in found.values()} == {"ok"}, found
    assert f"add-on {INFERENCE} values" in found
    assert "for nothing is pinned" in found[f"add-on {CNI}"].message
    assert "is pinned" in found[f"add-on {CERT}"].message
    assert any("kubernetesVersion=" in path for path in offer.asked)


def test_a_pin_that_the_region_does_not_offer(offer: Offer) -> None:
    offer.versions[CERT] = [f"v1.19.{patch}-eksbuild.1" for patch in (1, 9, 10, 2, 3)]
    check = checks()[f"add-on {CERT}"]
    assert check.verdict == "error"
    assert "from v1.19.1-eksbuild.1 to v1.19.10-eksbuild.1 are" in check.message
    assert check.fix == "pin a version under addon_versions, such as cert-manager: v1.19.10-eksbuild.1"
    assert f"add-on {CERT} values" not in checks()


def test_a_newer_version_is_told(offer: Offer) -> None:
    offer.versions[CERT].append("v1.30.0-eksbuild.1")
    check = checks()[f"add-on {CERT}"]
    assert check.verdict == "ok" and check.message.endswith("; the newest is v1.30.0-eksbuild.1")


@pytest.mark.parametrize(
    ("version", "says"),
    [
        ("v1.22.2-eksbuild.1", "pool of its pods"),
        ("v1.22.3-eksbuild.2", "pool of its pods"),
        ("v1.22.4-eksbuild.1", ""),
        ("v1.21.2-eksbuild.1", ""),
        ("v1.12.0-eksbuild.1", "below v1.18.3"),
    ],
)
def test_a_default_version_that_is_known_to_be_bad(offer: Offer, version: str, says: str) -> None:
    offer.versions[CNI] = [version, "v1.22.9-eksbuild.1"]
    check = checks()[f"add-on {CNI}"]
    assert check.verdict == ("error" if says else "ok")
    assert says in check.message
    assert not says or check.fix.endswith("vpc-cni: v1.22.9-eksbuild.1")


def test_an_addon_that_the_region_does_not_have(offer: Offer) -> None:
    del offer.versions[INFERENCE]
    found = checks()
    assert found[f"add-on {INFERENCE}"].verdict == "error"
    assert "offers none" in found[f"add-on {INFERENCE}"].message
    assert found[f"add-on {CERT}"].verdict == "ok"


def test_a_schema_without_a_key_that_the_templates_write(offer: Offer) -> None:
    del offer.schemas[INFERENCE]["properties"]["hyperpodClusterArn"]
    check = checks()[f"add-on {INFERENCE} values"]
    assert check.verdict == "error" and check.message == "the schema has no key hyperpodClusterArn"


def test_a_schema_that_wants_another_type(offer: Offer) -> None:
    offer.schemas[CNI]["properties"]["enableNetworkPolicy"] = {"type": "boolean"}
    assert checks()[f"add-on {CNI} values"].message == "enableNetworkPolicy is no boolean"


@pytest.mark.parametrize("schema", ["", "not json", None])
def test_without_a_schema_values_are_not_checked(offer: Offer, schema: str | None) -> None:
    if schema is None:
        del offer.schemas[INFERENCE]
    else:
        offer.schemas[INFERENCE] = schema
    found = checks()
    assert found[f"add-on {INFERENCE} values"].verdict == "not checked"
    assert found[f"add-on {CERT} values"].verdict == "ok"


SCHEMA = {
    "$defs": {
        "pods": {"type": "object", "additionalProperties": False, "properties": {"n": {"type": "integer"}}}
    },
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "a": {"$ref": "#/$defs/pods"},
        "level": {"enum": ["BASIC", "ADVANCED"]},
        "list": {"type": "array", "items": {"type": ["string", "null"]}},
        "open": {"type": "object"},
        "round": {"$ref": "#/properties/round"},
    },
}


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"a": {"n": 1}, "level": "BASIC", "list": ["x", None], "open": {"any": 1}, "round": 1}, []),
        ({"a": {"m": 1}}, ["the schema has no key a.m"]),
        ({"a": {"n": True}}, ["a.n is no integer"]),
        ({"b": 1}, ["the schema has no key b"]),
        ({"level": "LOW"}, ["level is none of BASIC, ADVANCED"]),
        ({"list": ["x", 1]}, ["list[1] is no string or null"]),
        ([], ["the whole is no object"]),
    ],
)
def test_values_against_a_schema(values: object, says: list[str]) -> None:
    assert list(objections(SCHEMA, values)) == says


@pytest.mark.parametrize(
    ("path", "has"), [("a.n", True), ("a.m", False), ("open.any.key", True), ("b", False)]
)
def test_keys_of_a_schema(path: str, has: bool) -> None:
    assert has_key(SCHEMA, path) is has
