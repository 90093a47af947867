"""Environment documents: every fault at once, each with its line, its path and what to change."""

from __future__ import annotations

from pathlib import Path

import pytest

from lib.config import InvalidEnvironment, environment_files, load_environment
from lib.config.faults import Fault
from lib.document import UnreadableInput, dotted
from tests.support.documents import ENVIRONMENTS

SMALLEST = (ENVIRONMENTS / "dev.yaml").read_text(encoding="utf-8")


def faults(tmp_path: Path, text: str, name: str = "dev") -> list[Fault]:
    """What is wrong with ``text`` as an environment."""
    file = tmp_path / f"{name}.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidEnvironment) as caught:
        load_environment(file)
    return caught.value.faults


def the_fault(tmp_path: Path, text: str) -> Fault:
    (fault,) = faults(tmp_path, text)
    return fault


def test_the_smallest_useful_file_is_short() -> None:
    assert SMALLEST.count("\n") < 40


def test_examples_load_and_take_their_name_from_the_file() -> None:
    names = [load_environment(path).name for path in environment_files(ENVIRONMENTS)]
    assert {"dev", "prod", "staging"} <= set(names)
    assert names == sorted(names)


def test_every_fault_is_told_at_once(tmp_path: Path) -> None:
    text = (
        SMALLEST.replace('"111122223333"', "111122223333")
        .replace("us-west-2\n", "mars\n", 1)
        .replace("count: 2", 'count: "two"')
        .replace("operator: {", "operater: {")
    )
    found = {dotted(f.path): f for f in faults(tmp_path, text)}
    assert set(found) == {"account", "region", "cluster.instance_groups.system.count", "operater"}
    assert found["account"].position.line == 2
    assert "111122223333 is read as a number" in found["account"].message
    assert 'quote it: "111122223333"' in found["account"].fix
    assert "did you mean 'operator'" in found["operater"].fix
    assert "'two'" in found["cluster.instance_groups.system.count"].message


@pytest.mark.parametrize(
    ("old", "new", "path", "says"),
    [
        ("[usw2-az1, usw2-az2]", "[usw2-az1]", "network.control_plane_zones", "at least 2"),
        ("[usw2-az1, usw2-az2]", "usw2-az1", "network.control_plane_zones", "a list is needed"),
        ("[usw2-az1, usw2-az2]", "[us-west-2a, usw2-az2]", "network.control_plane_zones[0]", "'us-west-2a'"),
        ('release: "3.4"', "release: 3.4", "operator.release", "3.4 is read as a number"),
        ("count: 2", "count: 2.5", "cluster.instance_groups.system.count", "whole number"),
        ("count: 2", "count: -1", "cluster.instance_groups.system.count", "out of range"),
        ("region: us-west-2", "region:", "region", "no value"),
        ("region: us-west-2", "region: no", "region", "no is read as a truth value"),
        ("region: us-west-2", "region: us-west-2\nregion: us-east-1", "region", "written twice"),
        ("group: prefill}", "group: prefil}", "endpoints.llama-70b.prefill.instance_group", "'prefil'"),
        ("group: prefill}", "group: prefill, zone: x}", "endpoints.llama-70b.prefill.zone", "not a key here"),
        (
            "{s3: {prefix: models/llama-3.3-70b-instruct}}",
            "{}",
            "endpoints.llama-70b.model.weights",
            "exactly one of",
        ),
        ("catalogue: llama-3.3", "catalogue: lama-3.3", "endpoints.llama-70b.model.catalogue", "lama-3.3"),
        (
            "  accelerator_zones: [usw2-az2]",
            "  accelerator_zones: []",
            "network.accelerator_zones",
            "at least 1",
        ),
        ("network:\n", "network:\n  cidr: 10.0.0.1/16\n", "network.cidr", "host bits"),
        ("network:", "network: {}\nold:", "network.control_plane_zones", "missing"),
    ],
)
def test_a_fault_names_its_key_and_what_is_wrong(
    tmp_path: Path, old: str, new: str, path: str, says: str
) -> None:
    assert old in SMALLEST
    found = {dotted(f.path): f for f in faults(tmp_path, SMALLEST.replace(old, new, 1))}
    assert path in found
    assert says in found[path].message
    assert found[path].fix


def test_unions_are_reported_once_and_without_their_inner_names(tmp_path: Path) -> None:
    text = SMALLEST.replace(
        "decode: {instance_group: decode}",
        "decode: {instance_group: decode}\n    environment_variables: {A: 1}",
    )
    fault = the_fault(tmp_path, text)
    assert dotted(fault.path) == "endpoints.llama-70b.environment_variables.A"


def test_a_list_is_not_an_environment(tmp_path: Path) -> None:
    assert "is a list, a mapping is needed" in the_fault(tmp_path, "- a\n").message


def test_the_file_name_must_serve_as_a_name(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, SMALLEST, name="a-name-that-is-too-long")
    assert "at most 16" in fault.fix


def test_files_that_an_environment_names_must_exist(tmp_path: Path) -> None:
    text = SMALLEST.replace("cluster:\n", "cluster:\n  lifecycle_scripts: nowhere\n")
    assert "no folder 'nowhere'" in the_fault(tmp_path, text).message


def test_several_zones_need_a_zone_for_each_group(tmp_path: Path) -> None:
    text = SMALLEST.replace("accelerator_zones: [usw2-az2]", "accelerator_zones: [usw2-az2, usw2-az3]")
    assert {dotted(f.path) for f in faults(tmp_path, text)} == {
        f"cluster.instance_groups.{name}" for name in ("system", "prefill", "decode")
    }


def test_infinities_are_refused_as_text(tmp_path: Path) -> None:
    text = SMALLEST.replace("count: 2", "count: .inf", 1)
    assert dotted(the_fault(tmp_path, text).path) == "cluster.instance_groups.system.count"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is empty"),
        (b"# only a comment\n", "is empty"),
        (b"a: 1\n---\nb: 2\n", "several YAML documents"),
    ],
)
def test_what_cannot_be_an_environment_at_all(tmp_path: Path, data: bytes, says: str) -> None:
    file = tmp_path / "dev.yaml"
    file.write_bytes(data)
    with pytest.raises(UnreadableInput, match=says):
        load_environment(file)


def test_outputs_are_read_beside_the_environment_and_checked_too(tmp_path: Path) -> None:
    (tmp_path / "dev.yaml").write_text(SMALLEST, encoding="utf-8")
    (tmp_path / "outputs").mkdir()
    outputs = tmp_path / "outputs" / "dev.yaml"
    outputs.write_text("file_system: {id: fs-0123456789abcdef0}\n", encoding="utf-8")
    loaded = load_environment(tmp_path / "dev.yaml")
    assert loaded.outputs.file_system is not None
    outputs.write_text("file_system: {id: nonsense}\n", encoding="utf-8")
    with pytest.raises(InvalidEnvironment, match="nonsense"):
        load_environment(tmp_path / "dev.yaml")
