"""Every key of the document changes something that can be seen: a finding, a manifest or a template."""

from __future__ import annotations

import json

import pytest

from tests.agreement.every_key.evidence import Case, cases, lines, template_lines
from tests.support.command import dpd

CASES = cases()
IN_TEMPLATES = [case for case in CASES if case.layer == "template"]
ELSEWHERE = [case for case in CASES if case.layer != "template"]


def keys_of_the_schema() -> set[str]:
    """`Section.key` for each key that `dpd schema` lists."""
    schema = json.loads(dpd("schema").out)
    sections = {"Environment": schema, **schema["$defs"]}
    return {f"{name}.{key}" for name, section in sections.items() for key in section.get("properties", {})}


def test_every_key_has_its_evidence() -> None:
    known = [case.key for case in CASES]
    assert sorted(keys_of_the_schema() - set(known)) == [], "keys without evidence"
    assert sorted(set(known) - keys_of_the_schema()) == [], "evidence of keys that are gone"
    assert len(known) == len(set(known))


def judge(case: Case, before: frozenset[str], after: frozenset[str]) -> None:
    without, with_it = (after, before) if case.hides else (before, after)
    assert case.shown_in(with_it)
    assert not case.shown_in(without), "there whatever the key says"


@pytest.mark.parametrize("case", ELSEWHERE, ids=lambda case: case.key)
def test_it_shows_in_findings_or_manifests(case: Case) -> None:
    assert not [line for line in lines(case.before(), "manifest") if line.startswith("refused")]
    judge(case, lines(case.before(), case.layer), lines(case.after(), case.layer))


@pytest.fixture(scope="module")
def templates() -> dict[str, frozenset[str]]:
    """Lines of the templates by document, each document made once, all in one app."""
    documents = {json.dumps(each) for case in IN_TEMPLATES for each in (case.before(), case.after())}
    named = {f"document-{index}": text for index, text in enumerate(sorted(documents))}
    found = template_lines({name: json.loads(text) for name, text in named.items()})
    return {text: found[name] for name, text in named.items()}


@pytest.mark.parametrize("case", IN_TEMPLATES, ids=lambda case: case.key)
def test_it_shows_in_templates(case: Case, templates: dict[str, frozenset[str]]) -> None:
    judge(case, templates[json.dumps(case.before())], templates[json.dumps(case.after())])
