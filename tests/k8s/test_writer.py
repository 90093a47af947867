"""What was rendered stands in an environment's folder, whatever came between, and nothing else is touched."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import k8s.writer
from hyperpod_dpd.blueprint.source import MARK
from k8s.writer import Changes, NotOurs, rendered_environments, write_environment

MARKED = f"{MARK} from environments/dev.yaml\n"
FIRST = {"app/a.yaml": "a: 1\n", "app/b.yaml": "b: 1\n", "app/kustomization.yaml": MARKED}
SECOND = {"app/a.yaml": "a: 2\n", "app/kustomization.yaml": MARKED, "new/kustomization.yaml": MARKED}


def tree(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def out(tmp_path: Path) -> Path:
    write_environment(tmp_path / "out", "dev", FIRST)
    return tmp_path / "out"


def test_first_write_makes_the_folders(tmp_path):
    changes = write_environment(tmp_path / "deep" / "out", "dev", FIRST)
    assert tree(tmp_path / "deep" / "out" / "dev") == FIRST
    assert changes == Changes(written=tuple(FIRST), removed=())
    assert os.listdir(tmp_path / "deep" / "out") == ["dev"]


def test_folder_gets_the_usual_permissions(tmp_path):
    old = os.umask(0o022)
    try:
        write_environment(tmp_path, "dev", FIRST)
    finally:
        os.umask(old)
    assert (tmp_path / "dev").stat().st_mode & 0o777 == 0o755
    assert (tmp_path / "dev/app/a.yaml").stat().st_mode & 0o777 == 0o644


def test_stale_file_goes_and_unchanged_one_is_not_touched(out):
    before = (out / "dev/app/kustomization.yaml").stat()
    changes = write_environment(out, "dev", SECOND)
    assert tree(out / "dev") == SECOND
    assert changes == Changes(written=("app/a.yaml", "new/kustomization.yaml"), removed=("app/b.yaml",))
    after = (out / "dev/app/kustomization.yaml").stat()
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)


def test_nothing_is_touched_when_nothing_changed(out):
    before = (out / "dev").stat()
    assert write_environment(out, "dev", FIRST) == Changes(written=(), removed=())
    after = (out / "dev").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_app_that_is_no_longer_rendered_goes(out):
    changes = write_environment(out, "dev", {"new/kustomization.yaml": MARKED})
    assert tree(out / "dev") == {"new/kustomization.yaml": MARKED}
    assert changes.removed == ("app/a.yaml", "app/b.yaml", "app/kustomization.yaml")
    assert not (out / "dev/app").exists()


def test_environment_without_apps_leaves_no_folder(out):
    write_environment(out, "dev", {})
    assert os.listdir(out) == []


def test_hand_edited_file_is_rendered_again(out):
    (out / "dev/app/a.yaml").write_text("a: mine\n")
    assert write_environment(out, "dev", FIRST).written == ("app/a.yaml",)
    assert tree(out / "dev") == FIRST


def test_foreign_files_stay(out):
    foreign = {
        "README.md": "mine",
        ".git/HEAD": "ref",
        "own/deployment.yaml": "kind: Deployment\n",
        "app/notes.md": "mine",
        "app/.sops.yaml": "mine",
        "app/overlay/patch.yaml": "mine",
        "gone/notes.md": "mine",
    }
    write_environment(out, "dev", {**FIRST, "gone/kustomization.yaml": MARKED})
    for name, text in foreign.items():
        (out / "dev" / name).parent.mkdir(exist_ok=True)
        (out / "dev" / name).write_text(text)
    (out / "dev/link").symlink_to("own")
    (out / "other").mkdir()
    changes = write_environment(out, "dev", SECOND)
    assert changes.removed == ("app/b.yaml", "gone/kustomization.yaml")
    assert tree(out / "dev") == {**SECOND, **foreign}
    assert (out / "dev/link").readlink() == Path("own")
    assert sorted(os.listdir(out)) == ["dev", "other"]


@pytest.mark.parametrize("make", ["folder", "link", "file"])
def test_folder_that_is_not_ours_is_refused_before_any_change(out, make):
    target = out / "dev" / "new"
    if make == "folder":
        target.mkdir()
        (target / "kustomization.yaml").write_text("resources: []\n")
    elif make == "link":
        target.symlink_to("app")
    else:
        target.write_text("mine")
    before = tree(out)
    with pytest.raises(NotOurs, match="new was not rendered by this program"):
        write_environment(out, "dev", SECOND)
    assert tree(out) == before


def test_folder_in_the_place_of_a_file_is_refused(out):
    (out / "dev/app/c.yaml").mkdir()
    with pytest.raises(NotOurs, match="is a folder where a file has to go"):
        write_environment(out, "dev", {**FIRST, "app/c.yaml": "c: 1\n"})


def test_file_in_the_place_of_the_environment_is_refused(tmp_path):
    (tmp_path / "dev").write_text("mine")
    with pytest.raises(NotOurs, match="is not a folder"):
        write_environment(tmp_path, "dev", FIRST)


@pytest.mark.parametrize(
    "path", ["../x.yaml", "x.yaml", "a/b/c.yaml", "../../x/y.yaml", ".git/config", "a/.x"]
)
def test_path_outside_an_app_folder_is_refused(tmp_path, path):
    with pytest.raises(ValueError, match="is not <app>/<file>"):
        write_environment(tmp_path, "dev", {path: ""})


def test_environment_that_is_a_link_is_written_where_it_points(tmp_path):
    (tmp_path / "gitops/dev").mkdir(parents=True)
    (tmp_path / "out").mkdir()
    (tmp_path / "out/dev").symlink_to(tmp_path / "gitops/dev")
    write_environment(tmp_path / "out", "dev", FIRST)
    assert (tmp_path / "out/dev").is_symlink()
    assert tree(tmp_path / "gitops/dev") == FIRST


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("step", range(2))
def test_interrupted_write_leaves_the_old_tree(out, monkeypatch, error, step):
    (out / "dev/README.md").write_text("mine")
    before = tree(out)
    write, calls = k8s.writer._write, []

    def failing(file: Path, text: str) -> None:
        calls.append(file)
        if len(calls) > step:
            raise error
        write(file, text)

    monkeypatch.setattr(k8s.writer, "_write", failing)
    with pytest.raises(type(error)):
        write_environment(out, "dev", SECOND)
    assert len(calls) == step + 1
    assert tree(out) == before
    assert os.listdir(out) == ["dev"]


@pytest.mark.parametrize(
    ("step", "times", "number"),
    [
        ("write_bytes", 1, signal.SIGKILL),
        ("write_bytes", 2, signal.SIGINT),
        ("replace", 1, signal.SIGKILL),
        ("replace", 2, signal.SIGTERM),
        ("unlink", 1, signal.SIGKILL),
        ("unlink", 2, signal.SIGINT),
        ("rmdir", 1, signal.SIGKILL),
    ],
)
def test_the_next_run_mends_what_a_killed_one_left(out, root, step, times, number):
    (out / "dev/README.md").write_text("mine")
    (out / "dev/app/NOTES").write_text("mine")
    write_environment(out, "dev", {**FIRST, "old/a.yaml": "a: 1\n", "old/kustomization.yaml": MARKED})
    program = f"""
import os, pathlib, sys
import k8s.writer
step, calls = pathlib.Path.{step}, []
def killed(self, *arguments):
    result = step(self, *arguments)
    calls.append(self)
    if len(calls) == {times}:
        os.kill(os.getpid(), {int(number)})
    return result
pathlib.Path.{step} = killed
k8s.writer.write_environment(pathlib.Path(sys.argv[1]), "dev", {SECOND!r})
"""
    process = subprocess.run(
        [sys.executable, "-c", program, str(out)], cwd=root, capture_output=True, check=False
    )
    assert process.returncode != 0
    mine = {"README.md": "mine", "app/NOTES": "mine"}
    found = tree(out / "dev")
    assert found.items() >= mine.items()
    if step == "write_bytes":
        assert found.items() >= FIRST.items()
    write_environment(out, "dev", SECOND)
    assert tree(out / "dev") == {**SECOND, **mine}
    assert os.listdir(out) == ["dev"]
    assert sorted(os.listdir(out / "dev")) == ["README.md", "app", "new"]


def test_rendered_environments_are_known_by_their_mark(out):
    (out / "mine/app").mkdir(parents=True)
    (out / "mine/app/kustomization.yaml").write_text("resources: []\n")
    assert rendered_environments(out) == ["dev"]
    assert rendered_environments(out / "missing") == []


def test_endless_link_is_an_error_of_the_system(tmp_path):
    (tmp_path / "out").symlink_to("out")
    with pytest.raises(OSError, match="out"):
        write_environment(tmp_path / "out", "dev", FIRST)
