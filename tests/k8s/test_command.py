"""The command as people and the cdk8s command-line tool start it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from k8s.command import Destination, destination, main
from tests.support.documents import ENVIRONMENTS


@pytest.fixture
def home(tmp_path, root, monkeypatch) -> Path:
    """A checkout with dev, staging and their lifecycle scripts, as the current folder."""
    shutil.copytree(ENVIRONMENTS, tmp_path / "environments")
    for path in (tmp_path / "environments").glob("*.yaml"):
        if path.stem not in {"dev", "staging"}:
            path.unlink()
    monkeypatch.delenv("CDK8S_OUTDIR", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def tree(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_every_environment_is_written_with_one_line_each(home, capsys):
    assert main([]) == 0
    assert sorted(os.listdir(home / "dist")) == ["dev", "staging"]
    captured = capsys.readouterr()
    assert captured.out == ""
    said = [line.partition(":")[0] for line in captured.err.splitlines()]
    assert [each for each in said if each != "note"] == ["dist/dev", "dist/staging"]


def test_one_environment_alone_does_not_read_the_others(home, capsys):
    (home / "environments/staging.yaml").write_text("account: [")
    assert main(["--environment", "dev"]) == 0
    assert os.listdir(home / "dist") == ["dev"]
    assert "staging" not in capsys.readouterr().err


def test_broken_environment_is_named_and_the_others_are_written(home, capsys):
    (home / "environments/staging.yaml").write_text("acount: '1'\n")
    assert main([]) == 1
    assert os.listdir(home / "dist") == ["dev"]
    errors = [line for line in capsys.readouterr().err.splitlines() if line.startswith("error: ")]
    assert errors
    assert all(line.startswith("error: environments/staging.yaml") for line in errors)
    assert any("acount" in line for line in errors)


@pytest.mark.parametrize(
    "content", [b"", b"- a\n", b"\tx: 1\n", b"\x00\xff\xfe", b"a: 1\n---\nb: 2\n", b"a: &a [*a]\n"]
)
def test_unusable_document_is_one_clear_line_without_a_traceback(home, capsys, content):
    (home / "environments/dev.yaml").write_bytes(content)
    assert main(["--environment", "dev"]) == 1
    errors = capsys.readouterr().err.splitlines()
    assert errors
    assert all(line.startswith("error: environments/dev.yaml") for line in errors)
    assert not (home / "dist").exists()


def test_unknown_environment_lists_those_there_are(home, capsys):
    assert main(["--environment", "pord"]) == 2
    assert (
        capsys.readouterr().err
        == "error: environments holds no environment 'pord'; there are: dev, staging\n"
    )


def test_environment_can_be_a_file(home, tmp_path):
    shutil.copy(home / "environments/dev.yaml", tmp_path / "trial.yaml")
    assert main(["--environment", "trial.yaml"]) == 0
    assert os.listdir(home / "dist") == ["trial"]


def test_missing_file_is_named(home, capsys):
    assert main(["--environment", "gone.yaml"]) == 1
    assert "gone.yaml" in capsys.readouterr().err


def test_no_environment_at_all(home, capsys):
    shutil.rmtree(home / "environments")
    assert main([]) == 2
    assert "holds no environment" in capsys.readouterr().err


def test_the_folder_of_documents_is_chosen(home, capsys, monkeypatch):
    shutil.copytree(home / "environments", home / "ours")
    shutil.rmtree(home / "environments")
    assert main(["--environments", "ours", "--environment", "dev"]) == 0
    assert os.listdir(home / "dist") == ["dev"]
    monkeypatch.setenv("DPD_ENVIRONMENTS", "theirs")
    assert main([]) == 2
    assert "theirs holds no environment" in capsys.readouterr().err


def test_two_documents_of_one_name(home, capsys):
    shutil.copy(home / "environments/dev.yaml", home / "environments/dev.yml")
    assert main([]) == 2
    assert "both describe environment 'dev'" in capsys.readouterr().err


def test_out_elsewhere_leaves_dist_alone(home):
    assert main(["--environment", "dev", "--out", "gitops/clusters"]) == 0
    assert os.listdir(home / "gitops/clusters") == ["dev"]
    assert not (home / "dist").exists()


def test_order_and_repetition_of_environments_change_nothing(home):
    assert main(["--out", "a"]) == 0
    assert (
        main(["--out", "b", "--environment", "staging", "--environment", "dev", "--environment", "dev"]) == 0
    )
    assert tree(home / "a") == tree(home / "b")
    assert len(tree(home / "a")) > 4


def test_folder_of_someone_else_is_an_error_and_stays(home, capsys):
    (home / "dist/dev/platform").mkdir(parents=True)
    (home / "dist/dev/platform/own.yaml").write_text("mine")
    assert main([]) == 1
    assert tree(home / "dist/dev") == {"platform/own.yaml": b"mine"}
    assert (home / "dist/staging").is_dir()
    assert "error: dev: " in capsys.readouterr().err


def test_place_that_cannot_be_written_is_an_error(home, capsys):
    (home / "dist").write_text("a file")
    assert main(["--environment", "dev"]) == 1
    assert "dist" in capsys.readouterr().err
    assert (home / "dist").read_text() == "a file"


def test_environment_without_a_document_stays_and_is_named(home, capsys):
    main([])
    (home / "environments/staging.yaml").unlink()
    assert main([]) == 0
    assert (home / "dist/staging").is_dir()
    assert "note: dist/staging belongs to no environment any more" in capsys.readouterr().err


def test_endpoint_that_is_gone_is_removed_and_named(home, capsys):
    main(["--environment", "dev"])
    path = home / "environments/dev.yaml"
    path.write_text(path.read_text().replace("llama-70b:", "chat:"))
    assert main(["--environment", "dev"]) == 0
    apps = os.listdir(home / "dist/dev")
    assert [name for name in apps if name.startswith("endpoint-")] == ["endpoint-chat"]
    assert "removed endpoint-llama-70b/inferenceendpointconfig-llama-70b.yaml" in capsys.readouterr().err


def test_command_line_tool_gets_a_stream_in_its_scratch_folder(home, monkeypatch):
    monkeypatch.setenv("CDK8S_OUTDIR", ".build/cdk8s")
    assert main(["--environment", "dev"]) == 0
    assert os.listdir(home / ".build/cdk8s") == ["dev.yaml"]
    objects = list(yaml.safe_load_all((home / ".build/cdk8s/dev.yaml").read_text()))
    written = {name for name in tree(home / "dist/dev") if not name.endswith("/kustomization.yaml")}
    assert len(objects) == len(written) > 1


def test_destination_of_each_way_to_start(home):
    (home / "temporary").mkdir()
    dist, out = Path("dist"), Path("elsewhere")
    scratch = Path(".build/cdk8s")
    assert destination(None, None) == Destination(tree=dist, streams=None)
    assert destination(out, None) == Destination(tree=out, streams=None)
    assert destination(None, ".build/cdk8s") == Destination(tree=dist, streams=scratch)
    assert destination(out, ".build/cdk8s") == Destination(tree=out, streams=scratch)
    assert destination(None, "output-option") == Destination(tree=Path("output-option"), streams=None)
    assert destination(None, "temporary") == Destination(tree=None, streams=Path("temporary"))


def test_two_checkouts_give_the_same_bytes(root, tmp_path):
    """Separate processes, folders and hash seeds; only the locked node is named to them."""
    results = []
    for index, name in enumerate(("one", "another-folder")):
        checkout = tmp_path / name
        for part in ("k8s", "lib"):
            shutil.copytree(root / part, checkout / part, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(ENVIRONMENTS, checkout / "environments")
        environment = {
            **os.environ,
            "PYTHONHASHSEED": str(index),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": str(checkout / "lib"),
            "TZ": f"UTC-{index}",
        }
        environment.pop("CDK8S_OUTDIR", None)
        subprocess.run(
            [sys.executable, "-m", "k8s"], cwd=checkout, env=environment, check=True, capture_output=True
        )
        assert sorted(os.listdir(checkout)) == ["dist", "environments", "k8s", "lib"]
        results.append(tree(checkout / "dist"))
    assert results[0] == results[1]
    assert any("inferenceendpointconfig" in name for name in results[0])


def test_the_cdk8s_command_line_tool_leaves_the_finished_tree(root, tmp_path):
    tool = root / "node_modules/.bin/cdk8s"
    shutil.copytree(ENVIRONMENTS, tmp_path / "environments")
    for part in ("k8s", "lib", "cdk8s.yaml", "tools"):
        copy = shutil.copytree if (root / part).is_dir() else shutil.copy
        copy(root / part, tmp_path / part)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "CDK8S_CHECK_UPGRADE": "false", "PYTHONDONTWRITEBYTECODE": "1"}
    run = [tool, "synth"]
    done = subprocess.run(run, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "No manifests synthesized" not in done.stderr
    assert list((tmp_path / "dist/dev").glob("endpoint-*/inferenceendpointconfig-*.yaml"))

    (tmp_path / "environments/dev.yaml").write_text("account: [")
    done = subprocess.run(run, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "error: environments/dev.yaml" in done.stderr
    assert "Traceback" not in done.stderr


def test_interruption_leaves_the_tree_and_says_so(home, capsys, monkeypatch):
    main([])
    before = tree(home / "dist")
    path = home / "environments/dev.yaml"
    path.write_text(path.read_text().replace("llama-70b:", "chat:"))

    def interrupted(file: Path, text: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("k8s.writer._write", interrupted)
    assert main([]) == 130
    assert tree(home / "dist") == before
    assert capsys.readouterr().err.splitlines()[-1].startswith("interrupted")


@pytest.mark.parametrize(
    ("section", "key"),
    [
        ("environment_variables: {HF_TOKEN: not-a-real-one}", "HF_TOKEN"),
        ("engine: {arguments: {hf-token: x}}", "--hf-token"),
    ],
)
def test_a_secret_in_plain_text_is_not_written_even_if_acknowledged(home, capsys, section, key):
    path = home / "environments/dev.yaml"
    path.write_text(f"{path.read_text()}    {section}\n")
    assert main([]) == 1
    assert os.listdir(home / "dist") == ["staging"]
    [line] = [line for line in capsys.readouterr().err.splitlines() if line.startswith("error: ")]
    assert f"DPD420: {key} " in line and "environments/dev.yaml:" in line
    assert "not-a-real-one" not in line
    path.write_text(f"{path.read_text()}    acknowledge: {{DPD420: a word that only looks like one}}\n")
    assert main([]) == 1
    assert os.listdir(home / "dist") == ["staging"]


def test_what_environments_are_told_alike_is_said_once(home, capsys):
    assert main([]) == 0
    notes = [line for line in capsys.readouterr().err.splitlines() if line.startswith("note: ")]
    alike = [line for line in notes if "grafana_url" in line]
    assert len(alike) == 1 and alike[0].startswith("note: dev, staging: ")
    assert alike[0].endswith("run `dpd outputs pull NAME`")


def test_a_note_of_one_environment_keeps_its_name(home, capsys):
    assert main(["--environment", "dev"]) == 0
    assert "run `dpd outputs pull dev`" in capsys.readouterr().err
