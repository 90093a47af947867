"""The smaller verbs: help with examples, the catalogue, the schema, and a start for a new user."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest
import yaml

from hyperpod_dpd.catalog import regions
from hyperpod_dpd.cli.main import VERBS
from hyperpod_dpd.config.cluster import Cluster, InstanceGroup
from hyperpod_dpd.config.environment import Environment
from hyperpod_dpd.config.network import Network
from hyperpod_dpd.document import dump_yaml
from tests.support.command import dpd
from tests.support.documents import ENVIRONMENTS, environment


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_help_of_every_verb_shows_an_example(verb: str) -> None:
    outcome = dpd(verb, "--help")
    assert outcome.status == 0
    assert f"dpd {verb}" in outcome.out.split("Example", 1)[1]


def test_a_near_miss_of_a_verb_is_named() -> None:
    assert "did you mean 'check'" in dpd("chekc").err


def test_rules_lists_and_explains() -> None:
    records = json.loads(dpd("rules", "--format", "json").out)
    assert records["date"]
    record = next(r for r in records["rules"] if r["id"] == "DPD401")
    assert record["severity"] == "error" and record["why"] and record["fix"] and record["sources"]
    explained = dpd("rules", "dpd401").out
    for heading in (
        "What it checks",
        "Why it matters",
        "When this is fine",
        "Fix",
        "Before",
        "After",
        "Sources",
    ):
        assert heading in explained
    assert dpd("rules", "DPD999").status == 2


def test_the_list_of_rules_is_by_topic_with_the_date_of_its_facts() -> None:
    from hyperpod_dpd.catalog import catalog_date

    lines = dpd("rules").out.splitlines()
    topics = [line for line in lines if line and not line.startswith(" ") and "DPD" not in line][1:-1]
    assert (
        topics[:2] == ["Engine", "Schema and identity"] and "Agreement of templates and manifests" in topics
    )
    assert (
        catalog_date() in lines[-1] and len(json.loads(dpd("rules", "--format", "json").out)["rules"]) >= 120
    )
    columns = {line.index(word) for line in lines for word in (" error ", " warning ") if word in line[:20]}
    assert len(columns) == 1
    quiet = dpd("rules", "-q").out.splitlines()
    assert all(line.startswith("DPD") for line in quiet)


def test_the_schema_accepts_the_examples_and_refuses_what_load_refuses() -> None:
    schema = json.loads(dpd("schema").out)
    validator = jsonschema.Draft202012Validator(schema)
    for path in ENVIRONMENTS.glob("*.yaml"):
        validator.validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    value = yaml.safe_load((ENVIRONMENTS / "dev.yaml").read_text(encoding="utf-8"))
    value["network"]["control_plane_zones"] = ["us-west-2a"]
    assert not validator.is_valid(value)


def test_init_writes_a_file_that_passes_and_never_overwrites(tmp_path: Path) -> None:
    folder = str(tmp_path / "environments")
    assert dpd("init", "mine", "--folder", folder, "--region", "us-east-2").status == 0
    file = tmp_path / "environments" / "mine.yaml"
    outcome = dpd("check", str(file))
    assert outcome.status == 0
    assert outcome.out.splitlines()[-1].startswith("0 errors, 0 warnings,")
    text = file.read_text(encoding="utf-8")
    assert dpd("init", "mine", "--folder", folder).status == 2
    assert file.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("given", "left"),
    [
        ((), "account and region"),
        (("--account", "123456789012"), "region"),
        (("--account", "123456789012", "--region", "us-west-2"), ""),
    ],
)
def test_init_asks_only_for_what_was_not_given(given: tuple[str, ...], left: str, tmp_path: Path) -> None:
    told = dpd("init", "mine", "--folder", str(tmp_path), *given).out
    assert told.endswith(f"`dpd check {tmp_path / 'mine.yaml'}`\n")
    assert (f"your own {left} " in told) if left else ("your own" not in told)


def test_init_names_every_section_and_every_key_of_the_cloud_side() -> None:
    text = dpd("init", "mine", "--stdout").out
    for section in (Environment, Network, Cluster, InstanceGroup):
        for key in section.model_fields:
            assert re.search(rf"\b{key}\b", text), f"{section.__name__}.{key}"


@pytest.mark.parametrize("region", [r.name for r in regions.all() if len(r.zone_ids) > 1])
def test_init_writes_a_passing_file_for_every_region_or_says_why_not(region: str, tmp_path: Path) -> None:
    result = dpd("init", "mine", "--folder", str(tmp_path), "--region", region)
    if result.status == 0:
        assert dpd("check", "-q", str(tmp_path / "mine.yaml")).status == 0
    else:
        assert "is not known to have" in result.err


@pytest.mark.parametrize("arguments", [("Bad_Name",), ("a" * 17,), ("x", "--region", "mars-1")])
def test_init_refuses_what_check_would_refuse(arguments: tuple[str, ...], tmp_path: Path) -> None:
    assert dpd("init", *arguments, "--folder", str(tmp_path)).status == 2
    assert not list(tmp_path.iterdir())


def test_every_verb_takes_the_common_options() -> None:
    for verb in ("check", "rules", "schema", "kv", "init"):
        helped = dpd(verb, "--help").out
        assert "--format" in helped and "-q, --quiet" in helped, verb


def test_init_and_schema_keep_to_their_formats(tmp_path: Path) -> None:
    folder = str(tmp_path)
    assert json.loads(dpd("init", "one", "--folder", folder, "--format", "json").out)["wrote"].endswith(
        "one.yaml"
    )
    assert dpd("init", "two", "--folder", folder, "-q").out == ""
    assert json.loads(dpd("schema", "-q").out) == json.loads(dpd("schema", "--format", "json").out)


@pytest.mark.parametrize(
    ("option", "value", "says"),
    [
        ("--account", "123", "not 12 digits"),
        ("--account", "\u0661" * 12, "not 12 digits"),
        ("--model", "llama-99", "llama-3.3-70b-instruct"),
        ("--region", "mars-1", "us-west-2"),
    ],
)
def test_init_writes_no_file_that_check_would_refuse(
    tmp_path: Path, option: str, value: str, says: str
) -> None:
    result = dpd("init", "mine", "--folder", str(tmp_path), option, value)
    assert result.status == 2
    assert option in result.err and says in result.err
    assert not list(tmp_path.iterdir())


def test_a_fault_that_shows_late_is_no_internal_error(tmp_path: Path) -> None:
    """Verbs that load an environment themselves meet what only the blueprint can see."""
    value = environment()
    value["endpoints"]["llama-70b"]["model"] = {
        "name": "odd",
        "config": "empty.json",
        "weights": {"s3": {"prefix": "models/odd"}},
    }
    (tmp_path / "dev.yaml").write_text(dump_yaml(value), encoding="utf-8")
    (tmp_path / "empty.json").write_text("", encoding="utf-8")
    result = dpd("runbook", "walkthrough", str(tmp_path / "dev.yaml"))
    assert result.status == 1
    assert "endpoints.llama-70b.model.config: empty.json:1:1: is not JSON" in result.err
    assert "internal error" not in result.err
