"""Environment documents: every fault at once, each with its line, its path and what to change."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperpod_dpd.config import InvalidEnvironment, environment_files, load_environment
from hyperpod_dpd.config.fault import Fault
from hyperpod_dpd.document import UnreadableInput, dotted
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
        ("region: us-west-2", "region:", "region", "is empty"),
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


@pytest.mark.parametrize(
    ("old", "new", "path", "says", "fix"),
    [
        (
            "region:",
            'tags: {"aws:owner": me}\nregion:',
            "tags['aws:owner']",
            "AWS keeps for itself",
            "rename",
        ),
        (
            "region:",
            'tags: {"dpd:Environment": me}\nregion:',
            "tags['dpd:Environment']",
            "know us",
            "rename",
        ),
        ("region:", "tags: {Owner: me, owner: you}\nregion:", "tags.owner", "'Owner'", "keep one"),
        ("region:", 'tags: {owner: "e\u0301"}\nregion:', "tags.owner", "U+0301", "remove"),
        ("count: 2", "count: 6759", "cluster.instance_groups.system.count", "6759", "at most 6758"),
        ("count: 2", "count: 2, ebs_gib: 99999", "cluster.instance_groups.system.ebs_gib", "99999", "16384"),
        (
            "count: 2",
            'count: 2, taints: [{key: a, value: "", effect: NoSchedule}]',
            "cluster.instance_groups.system.taints[0].value",
            "is empty",
            "remove",
        ),
        (
            "count: 2",
            "count: 2, labels: {a..b/c: d}",
            "cluster.instance_groups.system.labels['a..b/c']",
            "'a..b/c'",
            "team",
        ),
        (
            "count: 2",
            "count: 2, update: {window: 'cron(0 2 ? * SUN,MON *)', alarms: [a]}",
            "cluster.instance_groups.system.update.window",
            "SUN,MON",
            "cron(0 2 ? * SUN *)",
        ),
        (
            "count: 2",
            "count: 2, update: {window: 'cron(0 2 * * ? *)', alarms: [a]}",
            "cluster.instance_groups.system.update.window",
            "cron(0 2 * * ? *)",
            "cron(0 2 ? * SUN *)",
        ),
        (
            "region:",
            "images: {worker: {repository: 'Not/An Image'}}\nregion:",
            "images.worker.repository",
            "'Not/An Image'",
            "vllm",
        ),
        (
            "region:",
            (
                "secrets: {hf: {keys: {token: {name: "
                "'arn:aws:secretsmanager:eu-west-1:111122223333:secret:a-AbCdEf'}}}}\nregion:"
            ),
            "secrets.hf.keys.token.name",
            "eu-west-1",
            "replica",
        ),
        ("region:", 'tags: {owner: "*"}\nregion:', "tags.owner", "'*'", "correct"),
        ("region:", 'tags: {owner: ""}\nregion:', "tags.owner", "is empty", "give a value"),
        (
            "count: 2",
            'count: 2, labels: {"a b": c}',
            "cluster.instance_groups.system.labels['a b']",
            "'a b'",
            "team",
        ),
        (
            "count: 2",
            'count: 2, labels: {a: "c d"}',
            "cluster.instance_groups.system.labels.a",
            "'c d'",
            "serving",
        ),
        ("  llama-70b:", "  Llama 70b:", "endpoints['Llama 70b']", "'Llama 70b'", "write it like llama-70b"),
        (
            "system: {",
            "sys tem: {",
            "cluster.instance_groups['sys tem']",
            "'sys tem'",
            "write it like prefill",
        ),
        (
            "    prefill: {instance_group",
            "    environment_variables: {1A: x}\n    prefill: {instance_group",
            "endpoints.llama-70b.environment_variables['1A']",
            "'1A'",
            "write it like VLLM_LOGGING_LEVEL",
        ),
        (
            "    prefill: {instance_group",
            "    traffic: {input_tokens: {p50: 90, p95: 10}}\n    prefill: {instance_group",
            "endpoints.llama-70b.traffic.input_tokens.p95",
            "10 is less than p50 (90)",
            "percentiles grow",
        ),
        (
            "    prefill: {instance_group",
            "    traffic: {trace: nowhere.csv}\n    prefill: {instance_group",
            "endpoints.llama-70b.traffic.trace",
            "no file 'nowhere.csv'",
            "correct the path",
        ),
        (
            "    prefill: {instance_group",
            '    routing: {strategy: ""}\n    prefill: {instance_group',
            "endpoints.llama-70b.routing.strategy",
            "is empty",
            "remove the key",
        ),
        (
            "cluster:\n",
            "cluster:\n  admin_role_arns: [arn:aws:iam::111122223333:role/a, arn:aws:iam::111122223333:role/a]\n",
            "cluster.admin_role_arns[1]",
            "listed twice",
            "once",
        ),
        (
            "cluster:\n",
            f"cluster:\n  lifecycle_scripts: {'x' * 5000}\n",
            "cluster.lifecycle_scripts",
            "there is no folder",
            "correct the path",
        ),
    ],
)
def test_what_a_later_step_would_trip_over_is_refused_here(
    tmp_path: Path, old: str, new: str, path: str, says: str, fix: str
) -> None:
    fault = the_fault(tmp_path, SMALLEST.replace(old, new, 1))
    assert dotted(fault.path) == path
    assert says in fault.message
    assert fix in fault.fix


def test_an_existing_network_is_named_by_real_ids_and_ranges(tmp_path: Path) -> None:
    existing = (
        "network:\n  existing:\n    vpc_id: vpc-0a1b2c3d4e5f67890\n    cidrs: [10.0.0.0/77]\n"
        "    control_plane_subnets: {usw2-az1: subnet-1, usw2-az2: subnet-0a1b2c3d4e5f67890}\n"
        "    accelerator_subnets: {usw2-az2: subnet-0a1b2c3d4e5f67891}\n"
    )
    ranges, subnet = faults(tmp_path, SMALLEST.replace("network:\n", existing, 1))
    assert dotted(ranges.path) == "network.existing.cidrs[0]"
    assert "'77' is not a valid netmask" in ranges.message
    assert "10.192.0.0/16" in ranges.fix
    assert dotted(subnet.path) == "network.existing.control_plane_subnets.usw2-az1"
    assert "subnet-0a1b2c3d" in subnet.fix


def test_texts_that_may_be_empty_stay_so(tmp_path: Path) -> None:
    text = SMALLEST.replace("count: 2", 'count: 2, labels: {team: ""}', 1).replace(
        "    prefill: {instance_group",
        '    endpoint_name: ""\n    environment_variables: {EXTRA: ""}\n    prefill: {instance_group',
        1,
    )
    file = tmp_path / "dev.yaml"
    file.write_text(text, encoding="utf-8")
    assert load_environment(file).environment.endpoints["llama-70b"].endpoint_name == ""


def test_an_account_is_to_be_quoted(tmp_path: Path) -> None:
    fault = the_fault(tmp_path, SMALLEST.replace('"111122223333"', '"123"', 1))
    assert fault.fix == 'write it like "111122223333"'


def test_the_text_of_the_outputs_is_checked_too(tmp_path: Path) -> None:
    (tmp_path / "dev.yaml").write_text(SMALLEST, encoding="utf-8")
    (tmp_path / "outputs").mkdir()
    outputs = tmp_path / "outputs" / "dev.yaml"
    outputs.write_text(
        "zone_names: {usw2-az1: us-west-2a}\nzone_names: {}\n---\nvpc_id: vpc-1\n", encoding="utf-8"
    )
    with pytest.raises(InvalidEnvironment) as caught:
        load_environment(tmp_path / "dev.yaml")
    twice, second = caught.value.faults
    assert "written twice" in twice.message and twice.file == str(outputs)
    assert "second YAML document" in second.message
