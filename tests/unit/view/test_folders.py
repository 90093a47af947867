"""Walking a folder: every file is judged, skipped with a note, or makes the run fail; none hides the others."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from hyperpod_dpd.document import dump_yaml
from hyperpod_dpd.view import folders
from tests.support.command import Outcome, dpd
from tests.support.documents import manifest

KIND = "apiVersion: inference.sagemaker.aws.amazon.com/v1\nkind: InferenceEndpointConfig\n"
CHART = KIND + "metadata:\n  name: {{ .Values.name }}\n{{- if .Values.more }}\nspec: {}\n{{- end }}\n"
OTHERS_CHART = "kind: Service\n{{- if .Values.more }}\nspec: {}\n{{- end }}\n"

SKIPPED: dict[str, tuple[str, bytes, str, str]] = {
    "template of an endpoint": ("a.yaml", CHART.encode(), "warning", "still to be filled in, of an Inf"),
    "template of another object": ("a.yaml", OTHERS_CHART.encode(), "info", "still to be filled in"),
    "helpers": ("_helpers.yaml", b'{{ include "a" . }}\n', "info", "still to be filled in"),
    "jinja": ("a.yml", b"{% for x in y %}\na: {{ x }}\n{% endfor %}\n", "info", "still to be filled in"),
    "values with our keys": (
        "values.yaml",
        b"region: us-west-2\ncluster: {name: x}\nnetwork: {vpc: y}\nimage: z\n",
        "info",
        "neither an environment nor Kube",
    ),
    "one of our keys": ("values.yaml", b"cluster: foo\n", "info", "neither an environment nor Kube"),
    "envsubst": ("pvc.yaml", b"kind: X\nmetadata: { name: ${A}, namespace: ${B} }\n", "info", "filled in"),
    "make": ("pvc.yaml", b"kind: X\nmetadata: { name: @NAME@ }\n", "info", "filled in"),
    "terraform": ("a.yaml", b"kind: X\n%{ if x }\nspec: {}\n%{ endif }\n", "info", "filled in"),
    "other brackets": ("a.yaml", b"kind: X\nspec: [[ .Spec ]\n", "info", "filled in"),
    "endpoint with variables": (
        "a.yaml",
        KIND.encode() + b"metadata: { name: ${A}, namespace: ${B} }\n",
        "warning",
        "of an Inf",
    ),
    "a role that names the resource": (
        "a.yaml",
        b"kind: ClusterRole\nrules:\n- apiGroups: [inference.sagemaker.aws.amazon.com, {{ x }}-y]\n",
        "info",
        "filled in",
    ),
    "a definition that names the kind": (
        "a.yaml",
        (
            b"kind: CustomResourceDefinition\nspec:\n  names:\n"
            b"    kind: InferenceEndpointConfig\n  x: {{ x }}-y\n"
        ),
        "info",
        "filled in",
    ),
    "values": ("values.yaml", b"name: x\nreplicas: 2\n", "info", "neither an environment nor Kube"),
    "chart": ("Chart.yaml", b"apiVersion: v2\nname: c\nversion: 1.0.0\n", "info", "neither an environment"),
    "operations": ("patch.yaml", b"- {op: replace, path: /spec/replicas, value: 3}\n", "info", "neither"),
    "strategic patch": ("patch.yaml", b"spec: {replicas: 3}\n", "info", "neither an environment"),
    "json": ("package.json", b'{"name": "x"}', "info", "one file that is neither"),
    "json with comments": ("tsconfig.json", b'{\n// c\n"a": 1,\n}', "info", "is not valid YAML"),
    "several json values": ("lines.json", b'{"a": 1}\n{"b": 2}\n', "info", "is not valid YAML"),
    "binary": ("a.yaml", b"a: \0\n", "warning", "as it is binary"),
    "latin-1": ("a.yaml", b"a: caf\xe9\n", "warning", "as it is not UTF-8"),
    "too large": ("a.yaml", b"a" * 9_000_000, "warning", "as it is 9,000,000 bytes"),
    "too deep": ("a.json", b"[" * 150 + b"]" * 150, "warning", "nested deeper than 100"),
    "endless": ("a.yaml", b"a: &x [*x]\n", "warning", "nested deeper than 100"),
}


def check(folder: Path, *more: str) -> tuple[Outcome, list[dict[str, Any]]]:
    """What `dpd check` says of a folder, and its notes on what it left out."""
    outcome = dpd("check", str(folder), "--format", "json", *more)
    findings = json.loads(outcome.out)["findings"]
    return outcome, [found for found in findings if found["id"] == "DPD009"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one sound manifest in a folder of its own, which is judged last."""
    (tmp_path / "zone").mkdir()
    (tmp_path / "zone" / "sound.yaml").write_text(dump_yaml(manifest()), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("case", SKIPPED, ids=lambda case: case.replace(" ", "-"))
def test_a_file_of_another_tool_is_skipped_and_the_others_are_judged(case: str, folder: Path) -> None:
    name, data, severity, words = SKIPPED[case]
    (folder / name).write_bytes(data)
    outcome, (note,) = check(folder)
    assert (outcome.status, outcome.err) == (0, "")
    assert note["severity"] == severity
    assert note["message"].startswith("skipped") and words in note["message"]
    assert name in note["file"] or name in note["message"]
    assert json.loads(outcome.out)["summary"]["files"] == 1
    assert any(f["file"].endswith("sound.yaml") for f in json.loads(outcome.out)["findings"])


@pytest.mark.parametrize(
    "case", [c for c in SKIPPED if c not in {"chart"}], ids=lambda case: case.replace(" ", "-")
)
def test_the_same_file_named_by_the_user_is_an_error(case: str, tmp_path: Path) -> None:
    name, data, _, _ = SKIPPED[case]
    (tmp_path / name).write_bytes(data)
    outcome = dpd("check", str(tmp_path / name))
    assert outcome.status == 2
    assert outcome.err.startswith(f"error: {tmp_path / name}:") and outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: 1\n\tb: 2\n", "tab character"),
        (
            "<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> other\n",
            "1:1: is not valid YAML: the marks of a merge",
        ),
        (KIND + "spec: [\n", "is not valid YAML"),
    ],
)
def test_broken_yaml_is_never_skipped(text: str, words: str, folder: Path) -> None:
    (folder / "a.yaml").write_text(text, encoding="utf-8")
    outcome, notes = check(folder)
    assert (outcome.status, notes) == (2, [])
    assert words in outcome.err
    assert any(f["file"].endswith("sound.yaml") for f in json.loads(outcome.out)["findings"])


def test_broken_json_of_an_endpoint_is_never_skipped(folder: Path) -> None:
    (folder / "a.json").write_text('{"kind": "InferenceEndpointConfig",, }', encoding="utf-8")
    assert check(folder)[0].status == 2


def test_a_sound_folder_has_no_note(folder: Path) -> None:
    outcome, notes = check(folder)
    assert (outcome.status, notes) == (0, [])


@pytest.mark.parametrize("name", ["node_modules", ".venv", ".git", "outputs", "locks"])
def test_folders_of_tools_and_of_late_facts_are_not_walked(name: str, folder: Path) -> None:
    (folder / name).mkdir()
    (folder / name / "a.yaml").write_text("account: [")
    outcome, notes = check(folder)
    assert (outcome.status, notes) == (0, [])


def test_files_of_other_tools_share_one_note(folder: Path) -> None:
    for index in range(8):
        (folder / f"{index}.json").write_text("{}", encoding="utf-8")
    (folder / "two.yaml").write_text(dump_yaml(manifest()) + "---\nvalues: 1\n", encoding="utf-8")
    _, (note,) = check(folder)
    assert "9 files that are" in note["message"] and note["message"].endswith("4.json and 4 more")


def test_a_folder_without_anything_of_ours_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "values.yaml").write_text("a: 1\n", encoding="utf-8")
    outcome, (note,) = check(tmp_path)
    assert outcome.status == 2 and "holds nothing to judge" in outcome.err
    assert "values.yaml" in note["message"]


def test_links_are_told_and_a_loop_ends(folder: Path) -> None:
    (folder / "self").symlink_to(folder)
    (folder / "gone.yaml").symlink_to(folder / "nowhere.yaml")
    (folder / "round.yaml").symlink_to(folder / "round.yaml")
    (folder / "alias.yaml").symlink_to(folder / "zone" / "sound.yaml")
    outcome, notes = check(folder)
    assert outcome.status == 0 and json.loads(outcome.out)["summary"]["files"] == 2
    told = {Path(note["file"]).name: note["message"] for note in notes}
    assert told == {
        "self": "skipped: a link to a folder, which is not followed",
        "gone.yaml": "skipped: a link that leads to no file",
        "round.yaml": "skipped: a link that leads to no file",
    }


@pytest.mark.parametrize("key", ["patches", "patchesJson6902", "patchesStrategicMerge"])
def test_what_a_kustomization_lays_over_others_is_no_object_of_its_own(key: str, folder: Path) -> None:
    (folder / "overlay").mkdir()
    entry = "../shared/part.yaml" if key == "patchesStrategicMerge" else "{path: ../shared/part.yaml}"
    (folder / "overlay" / "kustomization.yaml").write_text(
        f"apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [x]\n{key}: [{entry}]\n",
        encoding="utf-8",
    )
    (folder / "shared").mkdir()
    part = folder / "shared" / "part.yaml"
    part.write_text(KIND + "metadata: {name: x}\nspec: {replicas: 3}\n", encoding="utf-8")
    outcome, (note,) = check(folder)
    assert outcome.status == 0
    assert note["file"] == str(part) and "lays this patch over" in note["message"]
    part.rename(folder / "shared" / "unlisted.yaml")
    outcome, notes = check(folder)
    assert (outcome.status, notes) == (1, [])


@pytest.mark.parametrize("name", ["pipe.yaml", "kustomization.yaml", "Kustomization"])
def test_a_pipe_in_a_folder_is_not_waited_for(name: str, folder: Path) -> None:
    os.mkfifo(folder / name)
    outcome, notes = check(folder)
    assert outcome.status == 0
    assert ["a pipe" in note["message"] for note in notes] == ([True] if name.endswith(".yaml") else [])


def test_what_may_not_be_read_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "a.yaml").write_text("a: 1\n", encoding="utf-8")
    real = Path.open

    def opened(self: Path, *how: Any, **more: Any) -> Any:
        if self.name == "a.yaml":
            raise PermissionError(13, "Permission denied")
        return real(self, *how, **more)

    monkeypatch.setattr(Path, "open", opened)
    outcome, (note,) = check(folder)
    assert (outcome.status, note["severity"]) == (0, "warning")
    assert "Permission denied" in note["message"]


def test_a_folder_that_cannot_be_listed_hides_nothing_else(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "closed").mkdir()
    real = Path.iterdir

    def iterdir(self: Path) -> Any:
        if self.name == "closed":
            raise PermissionError(13, "Permission denied")
        return real(self)

    monkeypatch.setattr(Path, "iterdir", iterdir)
    outcome, (note,) = check(folder)
    assert outcome.status == 0
    assert note["file"].endswith("closed") and "cannot be read: Permission denied" in note["message"]
    assert json.loads(outcome.out)["summary"]["files"] == 1
    assert dpd("check", str(folder / "closed")).status == 2


def test_import_tells_what_it_skips_too(folder: Path) -> None:
    (folder / "a.yaml").write_text(CHART, encoding="utf-8")
    outcome = dpd("import", str(folder))
    assert outcome.status == 0 and "endpoints:" in outcome.out
    assert "a.yaml: skipped: a template" in outcome.err


def test_strict_counts_what_may_be_ours(folder: Path) -> None:
    (folder / "a.json").write_text("{}", encoding="utf-8")
    other = check(folder, "--strict")[0].status
    (folder / "b.yaml").write_text(CHART, encoding="utf-8")
    assert check(folder, "--strict")[0].status == 1
    assert other == dpd("check", str(folder / "zone"), "--strict").status


def test_every_pattern_of_a_template_is_seen() -> None:
    for text in (b"{{ a }}", b"{% if %}", b"<%= a %>", b"#@ data"):
        assert folders._MARKS.search(b"x: 1\n" + text), text


def test_templates_share_one_note(folder: Path) -> None:
    for index in range(7):
        (folder / f"{index}.yaml").write_text(OTHERS_CHART, encoding="utf-8")
    _, (note,) = check(folder)
    assert "7 templates that are" in note["message"] and note["message"].endswith("4.yaml and 2 more")


def test_a_charts_templates_are_skipped_even_where_every_mark_stands_in_quotes(folder: Path) -> None:
    templates = folder / "chart" / "templates"
    templates.mkdir(parents=True)
    (folder / "chart" / "Chart.yaml").write_text(
        "apiVersion: v2\nname: c\nversion: 1.0.0\n", encoding="utf-8"
    )
    quoted = dump_yaml({**manifest(), "metadata": {"name": "{{ .Values.name }}"}})
    (templates / "endpoint.yaml").write_text(quoted, encoding="utf-8")
    (templates / "service.yaml").write_text('kind: Service\nmetadata: {name: "{{ .Values.name }}"}\n')
    (templates / "plain.yaml").write_text(dump_yaml(manifest()), encoding="utf-8")
    outcome, notes = check(folder)
    assert outcome.status == 0 and json.loads(outcome.out)["summary"]["files"] == 2
    told = {Path(note["file"]).name: note["severity"] for note in notes}
    assert told == {"endpoint.yaml": "warning", folder.name: "info"}


def test_a_variable_does_not_excuse_broken_yaml(folder: Path) -> None:
    (folder / "a.yaml").write_text("a: ${B}\n\tb: 2\n", encoding="utf-8")
    assert check(folder)[0].status == 2
