"""`dpd import --parameters`: what the official templates were told becomes an environment; the rest is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from hyperpod_dpd.catalog import official_templates
from hyperpod_dpd.catalog.official_templates import Parameter
from hyperpod_dpd.cli.main import dpd
from hyperpod_dpd.importing.official import import_parameters
from hyperpod_dpd.importing.parameters import read_parameters
from hyperpod_dpd.rules.check import check
from hyperpod_dpd.view.inputs import gather
from tests.support import official

CLOUDFORMATION = [p for p in official_templates.parameters() if p.only is None]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(dpd, ["import", *arguments])


def become(values: Any, **options: Any) -> tuple[dict[str, Any], list[str]]:
    options = {"account": "111122223333", "region": None, **options}
    given = {"AvailabilityZoneIds": "use2-az1,use2-az2", **values} if isinstance(values, dict) else values
    found = import_parameters(read_parameters(given), **options)
    return found.document, list(found.notes)


@pytest.mark.parametrize("name", official.FILES)
def test_the_environment_passes_the_check(name: str, tmp_path: Path) -> None:
    report = check(gather([str(official.write(name, tmp_path))]))
    assert [f for f in report.findings if f.severity.value == "error"] == []


EXPRESSED = [p for p in CLOUDFORMATION if p.says == "expressed" and p.imported]
SWITCHES = [p for p in EXPRESSED if p.name.startswith(("Create", "Enable", "Install", "Associate"))]


@pytest.mark.parametrize(
    "parameter", [p for p in EXPRESSED if p not in SWITCHES], ids=lambda parameter: parameter.name
)
def test_each_expressed_parameter_arrives_in_the_document(parameter: Parameter) -> None:
    saying = [
        name for name in official.FILES for each in parameter.names() if official.values(name).get(each)
    ]
    assert saying, f"no file of tests/official gives {parameter.name} a value"
    documents = [official.imported(name).document for name in saying]
    assert any(official.has(document, key) for document in documents for key in parameter.keys)


@pytest.mark.parametrize("parameter", SWITCHES, ids=lambda parameter: parameter.name)
def test_each_switch_changes_the_document(parameter: Parameter) -> None:
    changed = []
    for name in official.FILES:
        values = official.values(name)
        other = "false" if values.get(parameter.name, "true") == "true" else "true"
        flipped = import_parameters(
            read_parameters({**values, parameter.name: other}), account=None, region=None
        )
        changed.append(flipped.document != official.imported(name).document)
    assert any(changed)


@pytest.mark.parametrize("field", official_templates.group_fields(), ids=lambda field: field.name)
def test_each_field_of_a_group_arrives_or_is_told(field: Parameter) -> None:
    parts = field.name.split(".")
    value: Any = SAMPLES[field.name]
    for part in reversed(parts):
        value = [{part.removesuffix("[]"): value}] if part.endswith("[]") else {part: value}
    entry = {"InstanceGroupName": "g", "InstanceType": "ml.p5.48xlarge", "InstanceCount": 1, **value}
    if parts[0] == "InstanceStorageConfigs":
        entry["InstanceStorageConfigs"] = [value["InstanceStorageConfigs"]]
    document, notes = become({"InstanceGroupSettings1": json.dumps([entry])})
    plain, _ = become({"InstanceGroupSettings1": json.dumps([{**entry, **dict.fromkeys(value)}])})
    told = [note for note in notes if note.startswith("instance group 'g'")]
    if field.says == "expressed" and field.imported:
        assert document != plain and not told
    elif field.name not in ("TargetAvailabilityZoneIds",):
        assert any(field.name.rpartition(".")[2] in note for note in told)


SAMPLES: dict[str, Any] = {
    "InstanceGroupName": "g2",
    "InstanceType": "ml.p5e.48xlarge",
    "InstanceRequirements": {"InstanceTypes": ["ml.p5e.48xlarge"]},
    "InstanceCount": 3,
    "MinInstanceCount": 1,
    "ThreadsPerCore": 1,
    "InstanceStorageConfigs.EbsVolumeConfig.VolumeSizeInGB": 700,
    "InstanceStorageConfigs.EbsVolumeConfig.VolumeKmsKeyId": "arn:aws:kms:us-east-2:111122223333:key/k",
    "InstanceStorageConfigs.EbsVolumeConfig.RootVolume": True,
    "InstanceStorageConfigs.FsxLustreConfig": {"DnsName": "d"},
    "InstanceStorageConfigs.FsxOpenZfsConfig": {"DnsName": "d"},
    "OnStartDeepHealthChecks": ["InstanceStress"],
    "EnableStressCheck": True,
    "EnableConnectivityCheck": "true",
    "TrainingPlanArn": "arn:aws:sagemaker:us-east-2:111122223333:training-plan/p",
    "CapacityRequirements": {"Spot": {}},
    "TargetAvailabilityZoneId": "use2-az2",
    "TargetAvailabilityZoneIds": ["use2-az2"],
    "OverrideVpcConfig": {"Subnets": ["subnet-0123456789abcdef0"]},
    "KubernetesConfig.Labels": {"a": "b"},
    "KubernetesConfig.Taints": [{"Key": "k", "Effect": "NoSchedule"}],
    "LifeCycleConfig": {"SourceS3Uri": "s3://sagemaker-x", "OnCreate": "on_create.sh"},
    "ExecutionRole": "arn:aws:iam::111122223333:role/r",
    "ImageId": "ami-0123456789abcdef0",
    "NetworkInterface": {"InterfaceType": "efa"},
    "ScheduledUpdateConfig": {"ScheduleExpression": "cron(0 3 ? * SAT *)"},
    "AutoPatchConfig": {"PatchingStrategy": "WhenIdle"},
    "ImageReleaseVersion": "1.0.0",
    "SlurmConfig": {"NodeType": "Compute"},
    "InstanceGroupType": "Worker",
}


def test_a_mapping_and_hyps_configuration_say_the_same_as_the_list() -> None:
    values = official.values("made")
    expected = official.imported("made").document
    assert (
        import_parameters(read_parameters({"Parameters": values}), account=None, region=None).document
        == expected
    )
    hyp = {
        "template": "cluster-stack",
        "version": 1.0,
        "availability_zone_ids": ["use2-az1", "use2-az2"],
        "instance_group_settings": [
            {
                "InstanceCount": 1,
                "InstanceGroupName": "default",
                "InstanceType": "ml.m5.4xlarge",
                "ThreadsPerCore": 1,
            }
        ],
        "node_recovery": "None",
        "create_fsx_stack": False,
        "kubernetes_version": 1.33,
        "tags": [{"Key": "team", "Value": "llm"}],
    }
    document, notes = become(hyp)
    assert document["cluster"]["instance_groups"]["default"]["count"] == 1
    assert document["cluster"]["node_recovery"] is False
    assert document["cluster"]["kubernetes_version"] == "1.33"
    assert document["tags"] == {"team": "llm"}
    assert "storage" not in document
    assert not [note for note in notes if note.startswith(("template", "version"))]


def test_what_is_not_carried_over_is_told() -> None:
    notes = official.imported("joined").notes
    told = "\n".join(notes)
    assert "RigSettings1: not supported" in told
    assert "CreateDomain: not supported" in told
    assert "FsxFileSystemId: say it with endpoints.*.model.weights.fsx.file_system_id" in told
    assert any(
        note.startswith("decided here") and "Stage" in note for note in official.imported("defaults").notes
    )


def test_unknown_names_are_told_with_the_nearest_known_one() -> None:
    _, notes = become({"VpcCDR": "10.0.0.0/16"})
    assert "VpcCDR: is no parameter of the official templates; VpcCIDR?" in notes


def test_missing_facts_of_an_existing_cluster_are_named_not_invented(tmp_path: Path) -> None:
    values = {**official.values("joined"), "OIDCProviderURLWithoutProtocol": ""}
    file = tmp_path / "p.json"
    file.write_text(json.dumps(values), encoding="utf-8")
    result = run("--parameters", str(file))
    assert result.exit_code == 1
    assert "to complete: cluster.existing.oidc_issuer" in result.output
    assert "aws eks describe-cluster --name platform" in result.output


def test_zones_of_groups_become_accelerator_zones() -> None:
    groups = [
        {"InstanceGroupName": "a", "InstanceType": "ml.p5.48xlarge", "TargetAvailabilityZoneId": "use2-az2"},
        {"InstanceGroupName": "b", "InstanceType": "ml.p5.48xlarge", "TargetAvailabilityZoneId": "use2-az3"},
        {"InstanceGroupName": "c", "InstanceType": "ml.m5.4xlarge"},
    ]
    document, _ = become({"InstanceGroupSettings1": json.dumps(groups)})
    assert document["network"]["accelerator_zones"] == ["use2-az2", "use2-az3"]
    made = document["cluster"]["instance_groups"]
    assert [group["zone"] for group in made.values()] == ["use2-az2", "use2-az3", "use2-az2"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("[]", "no parameter of the official templates"),
        ("[1, 2]", "neither a list"),
        ("just text", "neither a list"),
        ('{"Nothing": "x"}', "no parameter of the official templates"),
        ('{"InstanceGroupSettings1": "[", "AvailabilityZoneIds": "use2-az1"}', "is not JSON"),
        ('{"InstanceGroupSettings1": "{}", "AvailabilityZoneIds": "use2-az1"}', "is no list"),
        ('{"AvailabilityZoneIds": "nowhere"}', "--region"),
    ],
)
def test_files_that_are_none_end_with_one_clear_line(content: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "p.json"
    file.write_text(content, encoding="utf-8")
    result = run("--parameters", str(file))
    assert result.exit_code == 2
    assert words in result.stderr and len(result.stderr.splitlines()) == 1
    assert "Traceback" not in result.output


def rows(**values: Any) -> list[dict[str, Any]]:
    given = {**official.values("made"), **values}
    return [{"ParameterKey": key, "ParameterValue": value} for key, value in given.items()]


def written(content: Any, folder: Path) -> str:
    file = folder / "p.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    return str(file)


def test_a_name_in_the_file_cannot_write_into_the_document(tmp_path: Path) -> None:
    wanted = yaml.safe_load(run("--parameters", written(rows(), tmp_path)).stdout)
    spoiled = rows(**{"Evil\nregion: xx-north-1\nx": "y"})
    result = run("--parameters", written(spoiled, tmp_path))
    assert result.exit_code == 0
    assert yaml.safe_load(result.stdout) == wanted
    assert "Evil\\u000aregion" in result.stdout


def test_two_values_of_one_parameter_are_refused_and_the_same_one_twice_is_not(tmp_path: Path) -> None:
    twice = [*rows(VpcCIDR="10.40.0.0/16"), {"ParameterKey": "VpcCIDR", "ParameterValue": "10.9.0.0/16"}]
    result = run("--parameters", written(twice, tmp_path))
    assert result.exit_code == 2 and "VpcCIDR: is given twice" in result.stderr
    twice[-1]["ParameterValue"] = "10.40.0.0/16"
    assert run("--parameters", written(twice, tmp_path)).exit_code == 0


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("****", "hidden"),
        ("{{resolve:ssm:/network/cidr}}", "looked up at deployment"),
        ("{{resolve:secretsmanager:x:SecretString:y}}", "looked up at deployment"),
    ],
)
@pytest.mark.parametrize("name", ["VpcCIDR", "DataScientistRole1", "HelmRepoPath"])
def test_a_value_that_the_file_does_not_tell_is_not_taken_for_one(
    name: str, value: str, words: str, tmp_path: Path
) -> None:
    file = written(rows(**{name: value}), tmp_path)
    report = json.loads(run("--parameters", file, "--format", "json").stdout)
    assert value not in json.dumps(report["document"])
    assert [note for note in report["notes"] if note.startswith(f"{name}: ") and words in note]


def test_a_previous_value_is_said_to_be_one(tmp_path: Path) -> None:
    kept = [
        {"ParameterKey": "VpcCIDR", "UsePreviousValue": True} if row["ParameterKey"] == "VpcCIDR" else row
        for row in rows()
    ]
    report = json.loads(run("--parameters", written(kept, tmp_path), "--format", "json").stdout)
    assert [note for note in report["notes"] if note.startswith("VpcCIDR: keeps a previous value")]


def test_usage() -> None:
    assert run().exit_code == 2
    assert run("a.yaml", "--parameters", "b.json").exit_code == 2
    assert run("--parameters", "/nowhere/at/all.json").exit_code == 2


def test_json_and_quiet_output(tmp_path: Path) -> None:
    file = official.FOLDER / "made.json"
    report = json.loads(run("--parameters", str(file), "--format", "json").stdout)
    assert set(report) == {"document", "notes", "to_complete"}
    assert report["document"] == official.imported("made").document
    assert yaml.safe_load(run("--parameters", str(file), "-q").stdout) == report["document"]
    assert not run("--parameters", str(file), "-q").stdout.startswith("#")


@pytest.mark.parametrize(
    "spoiled", ["null", "3", '"text"', "[]", "{}", "[null]", '[{"InstanceType": 3}]', "[[[]]]"]
)
@pytest.mark.parametrize(
    "name", ["InstanceGroupSettings1", "Tags", "TieredStorageConfig", "PriorityClasses", "StorageCapacity"]
)
def test_spoiled_values_never_end_in_a_traceback(name: str, spoiled: str, tmp_path: Path) -> None:
    values = {**official.values("made"), name: spoiled}
    file = tmp_path / "p.json"
    file.write_text(json.dumps(values), encoding="utf-8")
    result = run("--parameters", str(file))
    assert result.exit_code in (0, 1, 2)
    assert result.exception is None or isinstance(result.exception, SystemExit)
