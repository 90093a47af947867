"""What the rules say of one side of a rule's example, whatever the example is a part of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from hyperpod_dpd.catalog.versions import OperatorRelease
from hyperpod_dpd.document import dump_yaml
from hyperpod_dpd.rules.check import Options, check
from hyperpod_dpd.rules.rule import Rule
from hyperpod_dpd.view.crd import read_crd
from hyperpod_dpd.view.inputs import gather
from tests.support.crds import definition
from tests.support.documents import check_change, check_value, ids, manifest, spoiled
from tests.support.merging import merged
from tests.support.pairs import sound_template, write_pair
from tests.support.templates import judge_templates, spoiled_template

KINDS = (
    *("manifest", "environment", "object", "template", "pair", "change", "environment change", "removal"),
    *("two manifests", "crd"),
)
"""What an example may be a part of, as ``of`` of a rule names it."""


def judged(rule: Rule, fragment: str, folder: Path) -> set[str]:
    """Ids of the rules that fire where ``fragment`` is put into the healthy base of the rule's example."""
    assert rule.example is not None
    value = yaml.safe_load(fragment)
    match rule.example.of:
        case "manifest" | "environment" as of:
            return ids(check_value(spoiled(fragment, of=of), folder, options=_options(rule)))
        case "object":
            return ids(check_value(value, folder))
        case "template":
            return {found.id for found in judge_templates(folder, spoiled_template(fragment))}
        case "pair":
            template = merged(sound_template(), value.get("template") or {})
            return ids(check(gather(write_pair(folder, template, _manifest(value.get("manifest"))))))
        case "change":
            return ids(check_change(spoiled(rule.example.previous), spoiled(fragment), folder))
        case "environment change":
            earlier = spoiled(rule.example.previous or "{}", of="environment")
            return ids(check_change(earlier, spoiled(fragment, of="environment"), folder))
        case "removal":
            before = [_manifest(each) for each in yaml.safe_load(rule.example.previous)]
            return ids(check_change(before, [_manifest(each) for each in value], folder))
        case "two manifests":
            for name in ("team-a", "team-b"):
                own = merged(_manifest(value), {"metadata": {"namespace": name}})
                (folder / f"{name}.yaml").write_text(dump_yaml(own), encoding="utf-8")
            return ids(check(gather([str(folder)])))
        case "crd":
            file = folder / "definition.yaml"
            file.write_text(dump_yaml(definition(value.get("definition"))), encoding="utf-8")
            crd = read_crd(str(file))
            return ids(check_value(_manifest(value.get("manifest")), folder, options=Options(crd=crd)))
    raise AssertionError(f"{rule.id}: nothing is known of '{rule.example.of}'")


def _manifest(fragment: Any) -> dict[str, Any]:
    result: dict[str, Any] = merged(manifest(), fragment or {})
    return result


def _options(rule: Rule) -> Options | None:
    """A rule about a release needs one to be declared; manifests do not name theirs."""
    return Options(operator=OperatorRelease.parse("3.4")) if "operator" in rule.tags else None
