"""Synthesis as a whole: the same bytes every time, and accepted by both linters."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.infra import blueprints
from tests.infra.conftest import Synthesised, edge_blueprints, example_blueprints, synthesise

STRICT = {"@aws-cdk/core:validateAgainstDefaultRules": True}


def templates(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*.template.json")}


def test_the_same_bytes_in_another_folder_and_order(tmp_path: Path, scripts: Path) -> None:
    made = [*example_blueprints(), *edge_blueprints(scripts)]
    synthesise(made, tmp_path / "first")
    synthesise(made[::-1], tmp_path / "other" / "second")
    first = templates(tmp_path / "first")
    assert first == templates(tmp_path / "other" / "second")
    assert len({name.split("/")[0] for name in first}) == len(made)


def test_one_environment_alone_is_the_same_as_among_others(
    tmp_path: Path, environments: dict[str, Synthesised]
) -> None:
    alone = synthesise([blueprints.production("full")], tmp_path / "out")["full"]
    assert alone.templates == environments["full"].templates


@pytest.mark.slow
def test_cdk_validation_finds_nothing_with_its_warnings_as_errors(tmp_path: Path, scripts: Path) -> None:
    made = [*example_blueprints(), *edge_blueprints(scripts)]
    synthesise(made, tmp_path / "out", builtin_cloud_formation_validation=True, context=STRICT)


@pytest.mark.slow
def test_cdk_validation_would_find_a_type_that_the_region_lacks(tmp_path: Path) -> None:
    bare = blueprints.unusual()
    groups = tuple(replace(g, linter_refuses=False) for g in bare.cluster.groups)
    bare = replace(bare, cluster=replace(bare.cluster, groups=groups))
    with pytest.raises(RuntimeError, match="E3644"):
        synthesise([bare], tmp_path / "out", builtin_cloud_formation_validation=True, context=STRICT)


@pytest.mark.slow
def test_cfn_lint_finds_nothing(environments: dict[str, Synthesised]) -> None:
    by_region: dict[str, list[str]] = {}
    for environment in environments.values():
        paths = [str(p) for p in environment.assembly.glob("*.template.json")]
        by_region.setdefault(environment.blueprint.region, []).extend(paths)
    for region, paths in by_region.items():
        # W3005: BucketDeployment waits twice for its role, in code that is not ours.
        command = [str(Path(sys.executable).with_name("cfn-lint")), "-r", region, "-i", "W3005", "--", *paths]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stdout + result.stderr
