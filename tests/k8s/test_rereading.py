"""Every rendered string re-reads as the same string with a YAML 1.1 and a YAML 1.2 reader."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from k8s.layout import KUSTOMIZATION, files
from k8s.rendering import render

# fmt: off
AWKWARD = [
    "y", "n", "Y", "N", "yes", "no", "on", "off", "true", "False", "null", "~", "0", "00", "0o7",
    "0x1F", "0b1", "1e3", "1.0", ".5", "1_000", "1e400", "12:30", "190:20:30", "2026-01-01", "=", "<<",
    ".inf", ".NaN", "+1", "8589934592", "9007199254740993", "-", "---", "...", "?", "#", "|", ">", "'",
    '"', "\\", "&", "*", "!", "%", "@", "`", "{a", "[a", "a:", ":a", "a,b", "", " ", " a", "a ", "a: b",
    "a #b", "- a", "? a", "a\nb", "\n", "a\n\n", "\ta", "a\tb", "\r", "a\r\nb", "\x00", "\x07",
    "\x1b[0m", "\x7f", "\x85", "\xa0", "\u2028", "\u2029", "\ufeff", "\ufffe", "é", "日本", "😀",
    "x" * 5000, "a " * 300, "{{ x }}", "${Token[TOKEN.1]}", "$(HOME)", "%s", "<% %>", "\\n", "\\u0041",
]
# fmt: on


def both_readers(text: str) -> tuple[Any, Any]:
    return yaml.safe_load(text), YAML(typ="safe", pure=True).load(text)


def test_every_rendered_file_reads_the_same_in_both(environment, rendered):
    objects = {
        (i["kind"], i["metadata"].get("namespace"), i["metadata"]["name"]): i
        for app in rendered[environment].apps
        for i in app.objects
    }
    for path, text in files(rendered[environment]).items():
        old, new = both_readers(text)
        assert old == new, path
        if not path.endswith(KUSTOMIZATION):
            metadata = old["metadata"]
            assert old == objects[old["kind"], metadata.get("namespace"), metadata["name"]], path


@given(values=st.lists(st.text(max_size=60), min_size=1, max_size=40))
@example(values=AWKWARD)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_a_user_writes_reads_back(plan, with_endpoints, values):
    variables = {f"V{index}": value for index, value in enumerate(values)}
    manifest = replace(
        plan.manifest,
        environment=variables,
        arguments=tuple(values),
        annotations={f"note/{index}": value for index, value in enumerate(values)},
    )
    environment = render(with_endpoints(replace(plan, manifest=manifest)))
    text = files(environment)[f"{plan.app}/inferenceendpointconfig-{plan.name}.yaml"]
    for item in both_readers(text):
        read = {each["name"]: each["value"] for each in item["spec"]["worker"]["environmentVariables"]}
        assert read == variables
        assert item["spec"]["worker"]["args"] == values
        assert manifest.annotations.items() <= item["metadata"]["annotations"].items()
