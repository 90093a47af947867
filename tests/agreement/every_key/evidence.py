"""Where a value of a document shows: findings, manifests and templates, each as lines that can be compared."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import yaml

from hyperpod_dpd.blueprint.resolve import resolve
from hyperpod_dpd.config import InvalidEnvironment, load_environment
from hyperpod_dpd.document import dump_yaml
from hyperpod_dpd.node import use_locked_node
from hyperpod_dpd.rules.check import check
from hyperpod_dpd.view.fingerprints import read_templates
from hyperpod_dpd.view.inputs import gather
from tests.support.documents import ENVIRONMENTS, environment
from tests.support.merging import merged

HERE = Path(__file__).parent
NAME = "keys"
LAYERS = ("finding", "manifest", "template")
"""Cheapest first."""


@dataclass(frozen=True, slots=True)
class Case:
    """One key: ``given`` is put into the environment ``of``, then ``put`` as well; only then ``line`` shows.

    ``hides`` turns it round: the line is there with the default, and gone with ``put``.
    """

    key: str
    of: str
    given: Mapping[str, Any]
    put: Mapping[str, Any]
    layer: str
    line: str
    hides: bool = False
    part: str = ""
    """Where given, ``line`` is how a long line begins and this stands somewhere in it."""

    def shown_in(self, found: frozenset[str]) -> bool:
        if not self.part:
            return self.line in found
        return any(self.part in each for each in found if each.startswith(self.line))

    def before(self) -> dict[str, Any]:
        result: dict[str, Any] = merged(environment(self.of), dict(self.given))
        return result

    def after(self) -> dict[str, Any]:
        result: dict[str, Any] = merged(self.before(), dict(self.put))
        return result


def cases() -> list[Case]:
    """The table, in the order of its files."""
    bases = yaml.safe_load((HERE / "bases.yaml").read_text(encoding="utf-8"))
    found = []
    for file in sorted((HERE / "cases").glob("*.yaml")):
        for key, entry in yaml.safe_load(file.read_text(encoding="utf-8")).items():
            base = bases[entry.get("base", "dev")]
            at = entry.get("at", "").split(".") if "at" in entry else []
            given = merged(base.get("given", {}), _nested(at, entry.get("given", {})))
            kind = "hides" if "hides" in entry else "shows"
            ((layer, line),) = entry[kind].items()
            put = _nested(at, entry["with"])
            found.append(
                Case(key, base["of"], given, put, layer, line, kind == "hides", entry.get("part", ""))
            )
    return found


def _nested(at: list[str], value: Any) -> Any:
    for name in reversed(at):
        value = {name: value}
    return value


def lines(value: Any, layer: str) -> frozenset[str]:
    """What the document ``value`` comes to at ``layer``."""
    return _lines(json.dumps(value, sort_keys=False), layer)


@cache
def _lines(text: str, layer: str) -> frozenset[str]:
    path = _written(text)
    return frozenset(_findings(path) if layer == "finding" else _manifests(path))


def template_lines(values: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    """The same of the templates, for documents by name, all in one app."""
    use_locked_node()
    import aws_cdk as cdk

    from infra.stage import EnvironmentStage

    folder = Path(mkdtemp(prefix="dpd-every-key-"))
    app = cdk.App(
        outdir=str(folder / "out"),
        analytics_reporting=False,
        tree_metadata=False,
        builtin_cloud_formation_validation=False,
    )
    for name, value in values.items():
        blueprint = resolve(load_environment(_written(json.dumps(value))))
        EnvironmentStage(app, name, blueprint=blueprint)
    app.synth()
    found = {
        name: frozenset(
            line
            for template in read_templates(folder / "out" / f"assembly-{name}").values()
            for logical_id, resource in template.get("Resources", {}).items()
            for line in flat(resource, f"{resource['Type']} {logical_id}", {"Metadata"})
        )
        for name in values
    }
    shutil.rmtree(folder)
    return found


def _written(text: str) -> Path:
    folder = Path(mkdtemp(prefix="dpd-every-key-"))
    for beside in (ENVIRONMENTS / "lifecycle", HERE / "models"):
        shutil.copytree(beside, folder / beside.name)
    (folder / "outputs").mkdir()
    shutil.copy(HERE / "outputs.yaml", folder / "outputs" / f"{NAME}.yaml")
    path = folder / f"{NAME}.yaml"
    path.write_text(dump_yaml(json.loads(text)), encoding="utf-8")
    return path


def _findings(path: Path) -> Iterator[str]:
    for found in check(gather([str(path)])).findings:
        place = f"{found.id} {found.path}{' acknowledged' if found.acknowledged else ''}"
        yield from (place, f"{place}: {found.message}")


def _manifests(path: Path) -> Iterator[str]:
    from k8s.rendering import render

    try:
        rendered = render(resolve(load_environment(path)))
    except InvalidEnvironment as error:
        yield from (f"refused {'.'.join(map(str, fault.path))}" for fault in error.faults)
        return
    for app in rendered.apps:
        for item in app.objects:
            yield from flat(item, f"{app.name} {item['kind']} {item['metadata']['name']}")
    for note in rendered.notes:
        yield f"note {note.subject}"


def flat(value: Any, where: str, without: frozenset[str] | set[str] = frozenset()) -> Iterator[str]:
    """One line for each value, and for each line of a long one."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            if key not in without and not str(key).endswith("document-digest"):
                yield from flat(inner, f"{where} {key}" if " " not in key else f"{where} '{key}'", without)
    elif isinstance(value, list) and value:
        for inner in value:
            yield from flat(inner, f"{where} []", without)
    else:
        for line in str(value).splitlines() or [""]:
            yield f"{where}: {line.strip()}"
