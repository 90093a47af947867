"""`dpd check`: exit status, text and JSON as the command contract states, and no traceback on any input."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from hyperpod_dpd.document import dump_yaml
from tests.support import found
from tests.support.command import dpd
from tests.support.documents import ENVIRONMENTS, environment, manifest, spoiled

DEV = str(ENVIRONMENTS / "dev.yaml")
FINDING_KEYS = {
    "id", "severity", "title", "message", "why", "fix", "sources", "file", "line", "column", "path", "object",
    "acknowledged",
}  # fmt: skip


def write(folder: Path, value: object, name: str = "dev.yaml") -> str:
    file = folder / name
    file.write_text(dump_yaml(value), encoding="utf-8")
    return str(file)


def test_a_healthy_environment_exits_0() -> None:
    outcome = dpd("check", DEV)
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out.splitlines()[-1].startswith("0 errors, 0 warnings,")


TWO_ZONES = """
network: {accelerator_zones: [usw2-az2, usw2-az1]}
cluster: {instance_groups: {system: {zone: usw2-az2}, prefill: {zone: usw2-az2}, decode: {zone: usw2-az1}}}
"""
TWO_SELECTORS = """
endpoints:
  llama-70b:
    prefill: {node_selector: {topology.kubernetes.io/zone: us-west-2a}}
    decode: {node_selector: {topology.kubernetes.io/zone: us-west-2b}}
"""
IEC = b"apiVersion: inference.sagemaker.aws.amazon.com/v1\nkind: InferenceEndpointConfig\n"

# One changed value for each first rule: what it is said in, the rule, the place, part of the fix, the status.
SPOILINGS = [
    ("environment", 'endpoints: {llama-70b: {environment_variables: {PYTHONHASHSEED: "1"}}}', "DPD401",
     "endpoints.llama-70b.environment_variables.PYTHONHASHSEED", 'to "0"', 1),
    ("manifest", "spec: {worker: {environmentVariables: [{name: -PYTHONHASHSEED}]}}", "DPD401",
     "spec.worker.environmentVariables", 'to "0"', 1),
    ("environment", "endpoints: {llama-70b: {routing: {strategy: kvaware}}}", "DPD601",
     "endpoints.llama-70b.invocation_path", "v1/completions", 1),
    ("environment", "cluster: {instance_groups: {prefill: {instance_type: ml.g6e.48xlarge}}}", "DPD201",
     "cluster.instance_groups.prefill.instance_type", "ml.p5.48xlarge", 1),
    ("manifest", "spec: {pdSpec: {prefillSpec: {resources: {requests: {cpu: null}, limits: {cpu: null}}}}}", "DPD701",
     "spec.pdSpec.prefillSpec.resources", "repeat cpu and memory", 0),
    ("environment", "endpoints: {llama-70b: {placement: {same_zone: false}}}", "DPD202",
     "endpoints.llama-70b.placement.same_zone", "true", 1),
    ("environment", TWO_ZONES, "DPD203",
     "endpoints.llama-70b.decode.instance_group", "one zone", 1),
    ("environment", TWO_SELECTORS, "DPD203",
     "endpoints.llama-70b.decode.node_selector['topology.kubernetes.io/zone']", "one zone", 1),
    ("environment", "endpoints: {llama-70b: {prefill: {arguments: {tensor-parallel-size: 4}}}}", "DPD501",
     "endpoints.llama-70b.prefill.arguments.tensor-parallel-size", "once", 1),
    ("environment", "endpoints: {llama-70b: {cache: {pd_buffer_bytes: 536870912}}}", "DPD402",
     "endpoints.llama-70b.cache.pd_buffer_bytes", "671088640", 1),
    ("environment", "endpoints: {llama-70b: {decode: {replicas: 2}}}", "DPD702",
     "endpoints.llama-70b.decode.replicas", "replicas to 1", 1),
]  # fmt: skip


@pytest.mark.parametrize(("of", "fragment", "rule", "path", "fix", "status"), SPOILINGS)
def test_one_changed_value_gives_its_rule_its_place_and_its_fix(
    tmp_path: Path, of: str, fragment: str, rule: str, path: str, fix: str, status: int
) -> None:
    file = write(tmp_path, spoiled(fragment, of=of))
    outcome = dpd("check", file, "--format", "json")
    found = {f["id"]: f for f in json.loads(outcome.out)["findings"]}
    assert rule in found
    assert found[rule]["path"].startswith(path)
    assert fix in found[rule]["fix"]
    assert found[rule]["line"] > 1
    assert outcome.status == status


def test_json_has_the_contracts_keys_and_counts(tmp_path: Path) -> None:
    file = write(tmp_path, spoiled("endpoints: {llama-70b: {decode: {replicas: 3}}}", of="environment"))
    result = json.loads(dpd("check", file, "--format", "json").out)
    assert all(set(f) == FINDING_KEYS for f in result["findings"])
    assert set(result["summary"]) == {"error", "warning", "info", "acknowledged", "files"}
    errors = [f for f in result["findings"] if f["severity"] == "error" and f["acknowledged"] is None]
    assert result["summary"]["error"] == len(errors) > 0
    assert result["summary"]["files"] == 1


def test_text_says_place_what_why_and_fix_without_colour(tmp_path: Path) -> None:
    file = write(tmp_path, spoiled("spec: {pdSpec: {decodingSpec: {replicas: 2}}}"))
    out = dpd("check", file).out
    assert f"{file}:" in out and " error DPD702 2 decoders" in out
    for label in ("at:", "why:", "fix:", "source:"):
        assert label in out
    assert "\x1b" not in out


def test_quiet_is_one_line_a_finding(tmp_path: Path) -> None:
    file = write(tmp_path, spoiled("spec: {pdSpec: {decodingSpec: {replicas: 2}}}"))
    lines = dpd("check", "-q", file).out.splitlines()
    assert all(" DPD" in line for line in lines[:-1])


def test_notes_take_one_line_unless_more_is_asked_for(tmp_path: Path) -> None:
    file = write(tmp_path, manifest())
    short = dpd("check", file).out.splitlines()
    assert all(": note DPD" in line for line in short[:-1])
    assert "why:" in dpd("check", "-v", file).out
    assert len(dpd("check", "-q", file).out.splitlines()) == 1


def test_strict_counts_warnings(tmp_path: Path) -> None:
    fragment = "spec: {pdSpec: {decodingSpec: {resources: {requests: {cpu: null}, limits: {cpu: null}}}}}"
    file = write(tmp_path, spoiled(fragment))
    assert dpd("check", file).status == 0
    assert dpd("check", "--strict", file).status == 1


def test_standard_input_lists_and_json_are_read(tmp_path: Path) -> None:
    bad = spoiled("spec: {pdSpec: {decodingSpec: {replicas: 2}}}")
    wrapped = {"apiVersion": "v1", "kind": "List", "items": [manifest(), bad]}
    outcome = dpd("check", "-", "--format", "json", stdin=json.dumps(wrapped).encode())
    (found,) = [f for f in json.loads(outcome.out)["findings"] if f["id"] == "DPD702"]
    assert (found["file"], found["path"]) == ("-", "items[1].spec.pdSpec.decodingSpec.replicas")
    assert outcome.status == 1


def test_all_paths_are_checked_and_the_highest_status_wins(tmp_path: Path) -> None:
    bad = write(tmp_path, spoiled("spec: {pdSpec: {decodingSpec: {replicas: 2}}}"), "bad.yaml")
    outcome = dpd("check", str(tmp_path / "missing.yaml"), bad, DEV)
    assert outcome.status == 2
    assert "missing.yaml: no such file" in outcome.err
    assert "DPD702" in outcome.out


def test_folders_are_walked_and_other_files_in_them_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    write(tmp_path / "deep" / "er", manifest(), "iec.yaml")
    (tmp_path / "values.yaml").write_text("some: values\n", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("no YAML", encoding="utf-8")
    outcome = dpd("check", str(tmp_path))
    assert outcome.status == 0
    assert "1 file" in outcome.out


BAD_INPUT = {
    "empty": (b"", 2, "is empty"),
    "only-comments": (b"# nothing\n", 2, "is empty"),
    "list": (b"- a\n- b\n", 2, "neither an environment"),
    "text": (b"hello\n", 2, "neither an environment"),
    "tabs": (b"account:\n\t- b\n", 2, "a tab is used for indentation"),
    "binary": (b"\x00\x01\x02", 2, "is binary"),
    "latin-1": (b"account: \xe9\n", 2, "is not UTF-8"),
    "too-large": (b"a: b\n" * 2_200_000, 2, "at most"),
    "broken": (b"a: [1, 2\n", 2, "is not valid YAML"),
    "template": (b"account: {{ account }}\n", 2, "'{{ }}'"),
    "unknown-key": (b"account: '111122223333'\nfoo: 1\n", 1, "'foo' is not a key here"),
    "numeric-account": (b"account: 111122223333\n", 1, "is read as a number"),
    "octal-account": (b"account: 000011112222\n", 1, "000011112222 is read as a number"),
    "duplicate-keys": (b"region: us-west-2\nregion: us-east-1\n", 1, "written twice"),
    "anchors": (b"account: &a ['1']\nregion: *a\n", 1, "a string is needed"),
    "merge-of-nothing": (b"<<: 3\nregion: us-west-2\n", 2, "merges mappings only"),
    "iec-list-spec": (IEC + b"spec: []\n", 1, "DPD"),
    "iec-null": (IEC, 1, "DPD"),
    "kind-only": (b"kind: InferenceEndpointConfig\n", 1, "DPD101"),
}  # fmt: skip


@pytest.mark.parametrize(("data", "status", "says"), BAD_INPUT.values(), ids=BAD_INPUT.keys())
def test_bad_input_is_told_in_one_way(tmp_path: Path, data: bytes, status: int, says: str) -> None:
    file = tmp_path / "dev.yaml"
    file.write_bytes(data)
    outcome = dpd("check", str(file))
    assert outcome.status == status
    assert says in outcome.out + outcome.err
    assert "Traceback" not in outcome.out + outcome.err
    assert "internal error" not in outcome.err
    assert "DPD001" not in outcome.out


def test_an_empty_folder_and_a_missing_file_exit_2(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.yaml"):
        outcome = dpd("check", str(path))
        assert outcome.status == 2
        assert outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [("check",), ("check", "--nonsense", "x"), ("chekc", "x"), ("check", "x", "--operator", "new")],
)
def test_wrong_usage_exits_2_with_a_hint(arguments: tuple[str, ...]) -> None:
    outcome = dpd(*arguments)
    assert outcome.status == 2
    assert "Traceback" not in outcome.err
    assert outcome.err


def test_the_complete_example_passes_with_warnings_only(tmp_path: Path) -> None:
    file = tmp_path / "example.yaml"
    file.write_text(found.complete_pair(), encoding="utf-8")
    outcome = dpd("check", str(file), "--format", "json")
    warned = sorted(f["id"] for f in json.loads(outcome.out)["findings"] if f["severity"] == "warning")
    assert outcome.status == 0
    assert warned == ["DPD701", "DPD701", "DPD705", "DPD705", "DPD901"]


def test_the_mixed_advice_names_every_fault_at_once() -> None:
    outcome = dpd("check", str(found.file_of("mixed-advice")), "--format", "json")
    told = {f["id"] for f in json.loads(outcome.out)["findings"]}
    assert outcome.status == 1
    assert {"DPD103", "DPD601", "DPD701", "DPD702", "DPD901"} <= told


class TestAcknowledgements:
    """On an environment, on one endpoint, or on a manifest; counted and shown; faults of their own are findings."""

    TWO = "endpoints: {{llama-70b: {{decode: {{replicas: 2}}, acknowledge: {{{}}}}}}}"

    def check(self, tmp_path: Path, fragment: str) -> tuple[int, dict[str, dict[str, object]]]:
        """Status and findings by rule of dev with ``fragment`` put in."""
        value = spoiled("cluster: {instance_groups: {decode: {count: 2}}}", of="environment")
        import yaml

        from tests.support.merging import merged

        file = write(tmp_path, merged(value, yaml.safe_load(fragment)))
        outcome = dpd("check", file, "--format", "json")
        return outcome.status, {f["id"]: f for f in json.loads(outcome.out)["findings"]}

    def test_a_reason_turns_an_error_into_an_accepted_one(self, tmp_path: Path) -> None:
        status, found = self.check(tmp_path, self.TWO.format('DPD702: "load test 41 shows an even spread"'))
        assert found["DPD702"]["acknowledged"] == "load test 41 shows an even spread"
        assert status == 0

    def test_the_environment_may_accept_for_all_endpoints(self, tmp_path: Path) -> None:
        fragment = '{endpoints: {llama-70b: {decode: {replicas: 2}}}, acknowledge: {DPD702: "tested"}}'
        status, found = self.check(tmp_path, fragment)
        assert (status, found["DPD702"]["acknowledged"]) == (0, "tested")

    @pytest.mark.parametrize(
        ("entry", "rule"),
        [
            ('DPD702: ""', "DPD005"),
            ('DPD799: "x"', "DPD004"),
            ('DPD902: "x"', "DPD007"),
            ('DPD401: "x"', "DPD006"),
        ],
    )
    def test_a_faulty_acknowledgement_is_a_finding_at_its_line(
        self, tmp_path: Path, entry: str, rule: str
    ) -> None:
        _, found = self.check(tmp_path, self.TWO.format(entry))
        assert found[rule]["path"] == f"endpoints.llama-70b.acknowledge.{entry[:6]}"

    def test_the_manifest_carries_what_the_environment_accepted(self, tmp_path: Path) -> None:
        import yaml

        from hyperpod_dpd.blueprint.resolve import resolve
        from hyperpod_dpd.config import load_environment
        from tests.support.merging import merged

        value = merged(environment(), yaml.safe_load(self.TWO.format('DPD702: "even spread; see report 41"')))
        (plan,) = resolve(load_environment(Path(write(tmp_path, value)))).endpoints
        file = write(tmp_path, plan.rendered(), "rendered.yaml")
        found = {f["id"]: f for f in json.loads(dpd("check", file, "--format", "json").out)["findings"]}
        assert found["DPD702"]["acknowledged"] == "even spread; see report 41"

    @pytest.mark.parametrize(
        ("text", "reasons"),
        [
            ("DPD701: a; DPD705: b", {"DPD701": "a", "DPD705": "b"}),
            ("DPD701: a\nDPD705: b\n", {"DPD701": "a", "DPD705": "b"}),
            ("DPD701: see; URL: https://x/y; JIRA-12: ok", {"DPD701": "see; URL: https://x/y; JIRA-12: ok"}),
            (
                "DPD701: as decided in PR890: fine; see wiki;",
                {"DPD701": "as decided in PR890: fine; see wiki"},
            ),
            ("DPD701: a; DP705: b", {"DPD701": "a", "DP705": "b"}),
            ("DPD701; DPD705:", {"DPD701": "", "DPD705": ""}),
            ("role-cpu-memory: x", {"role-cpu-memory": ""}),
            (" ; ", {}),
        ],
    )
    def test_the_annotation_is_cut_at_ids_only(self, text: str, reasons: dict[str, str]) -> None:
        from hyperpod_dpd.rules.acknowledge import from_annotation

        assert {each.rule: each.reason for each in from_annotation(text, ())} == reasons

    def test_a_reason_with_a_colon_after_a_semicolon_comes_through_the_manifest(self, tmp_path: Path) -> None:
        import yaml

        from hyperpod_dpd.blueprint.resolve import resolve
        from hyperpod_dpd.config import load_environment
        from tests.support.merging import merged

        reason = "even spread; URL: https://wiki/41"
        value = merged(environment(), yaml.safe_load(self.TWO.format(f'DPD702: "{reason}"')))
        (plan,) = resolve(load_environment(Path(write(tmp_path, value)))).endpoints
        file = write(tmp_path, plan.rendered(), "rendered.yaml")
        found = {f["id"]: f for f in json.loads(dpd("check", file, "--format", "json").out)["findings"]}
        assert found["DPD702"]["acknowledged"] == reason and "DPD004" not in found


def test_a_rule_that_crashes_is_a_finding_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    from hyperpod_dpd.rules import engine, registry

    def broken(_: object):
        raise RuntimeError("boom")
        yield

    whole = registry.rules_for

    def with_one_broken(kinds: object):
        return tuple(replace(r, check=broken) if r.rule.id == "DPD401" else r for r in whole(kinds))

    monkeypatch.setattr(engine.registry, "rules_for", with_one_broken)
    file = write(tmp_path, spoiled("spec: {pdSpec: {decodingSpec: {replicas: 2}}}"))
    outcome = dpd("check", file, "--format", "json")
    found = {f["id"]: f for f in json.loads(outcome.out)["findings"]}
    assert "DPD401" in found["DPD001"]["message"] and "boom" in found["DPD001"]["message"]
    assert "DPD702" in found
    assert outcome.status == 1


def test_a_missing_fact_is_one_note(tmp_path: Path) -> None:
    value = spoiled(
        "metadata: {annotations: null}\nspec: {modelName: unknown-thing, modelSourceConfig: {modelLocation: somewhere}}"
    )
    outcome = dpd("check", write(tmp_path, value), "--format", "json")
    notes = [
        f for f in json.loads(outcome.out)["findings"] if f["id"] == "DPD003" and "model" in f["message"]
    ]
    assert len(notes) == 1
    assert "DPD402" in notes[0]["message"]
    assert "dpd.check/model" in notes[0]["fix"]


def test_an_endpoint_that_is_left_out_is_not_passed_over_silently(tmp_path: Path) -> None:
    shutil.copytree(ENVIRONMENTS / "lifecycle", tmp_path / "lifecycle")
    outcome = dpd("check", write(tmp_path, environment("prod"), "prod.yaml"), "--format", "json")
    (note,) = [f for f in json.loads(outcome.out)["findings"] if f["path"] == "endpoints.llama-70b"]
    assert (note["id"], note["severity"]) == ("DPD003", "info")
    assert "left out" in note["message"] and "dpd outputs pull prod" in note["fix"]


def test_a_document_cannot_steer_the_terminal_or_break_a_line(tmp_path: Path) -> None:
    file = tmp_path / "dev.yaml"
    text = (ENVIRONMENTS / "dev.yaml").read_text(encoding="utf-8")
    file.write_text(text + '"\\e[31mred\\nkey": 1\n', encoding="utf-8")
    outcome = dpd("check", "-q", str(file))
    assert outcome.status == 1
    assert "\x1b" not in outcome.out
    assert "'\\u001b[31mred\\u000akey' is not a key here" in outcome.out


def test_an_empty_path_is_not_the_current_folder() -> None:
    outcome = dpd("check", "")
    assert outcome.status == 2
    assert "names no file" in outcome.err


def test_an_environment_has_a_file_of_its_own(tmp_path: Path) -> None:
    """Synthesis refuses such a file, so check does too; it still says what else it sees."""
    text = (ENVIRONMENTS / "dev.yaml").read_text(encoding="utf-8")
    file = tmp_path / "dev.yaml"
    file.write_text(f"{text}---\n{text.replace('count: 2', 'coun: 2', 1)}", encoding="utf-8")
    outcome = dpd("check", "-q", str(file))
    assert outcome.status == 2
    assert "holds several YAML documents; an environment is one" in outcome.err
    assert "'coun' is not a key here" in outcome.out


def test_a_name_that_points_nowhere_does_not_silence_the_rules(tmp_path: Path) -> None:
    fragment = (
        "{cluster: {lifecycle_scripts: nowhere}, endpoints: {llama-70b: {routing: {strategy: kvaware}}}}"
    )
    outcome = dpd("check", write(tmp_path, spoiled(fragment, of="environment")), "--format", "json")
    assert {"DPD002", "DPD601"} <= {f["id"] for f in json.loads(outcome.out)["findings"]}
