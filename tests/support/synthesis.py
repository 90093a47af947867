"""Both programs run once per test process: templates by stack name and objects, for every example environment."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from hyperpod_dpd.blueprint.model import Blueprint
from hyperpod_dpd.blueprint.resolve import resolve
from hyperpod_dpd.config import environment_files, load_environment
from hyperpod_dpd.node import use_locked_node
from hyperpod_dpd.view.fingerprints import read_templates
from tests.support.documents import ENVIRONMENTS, ROOT

NAMES = tuple(path.stem for path in environment_files(ENVIRONMENTS))


@dataclass(frozen=True)
class Rendered:
    """What one environment came to."""

    blueprint: Blueprint
    templates: dict[str, dict[str, Any]]
    objects: list[dict[str, Any]]


@cache
def rendered() -> dict[str, Rendered]:
    """Every example environment, synthesised by both programs with CDK's own validation off."""
    use_locked_node()
    import aws_cdk as cdk

    from infra.stage import EnvironmentStage
    from k8s.rendering import render

    folder = Path(mkdtemp(prefix="dpd-synthesis-"))
    app = cdk.App(
        outdir=str(folder),
        analytics_reporting=False,
        builtin_cloud_formation_validation=False,
        context=json.loads((ROOT / "cdk.json").read_text(encoding="utf-8"))["context"],
    )
    blueprints = {name: resolve(load_environment(ENVIRONMENTS / f"{name}.yaml")) for name in NAMES}
    for name, blueprint in blueprints.items():
        EnvironmentStage(app, name, blueprint=blueprint)
    app.synth()
    return {
        name: Rendered(
            blueprint,
            read_templates(folder / f"assembly-{name}"),
            [item for rendered_app in render(blueprint).apps for item in rendered_app.objects],
        )
        for name, blueprint in blueprints.items()
    }
