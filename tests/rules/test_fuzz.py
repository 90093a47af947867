"""Whatever is given: no exception, no rule that fails. `--hypothesis-profile=long` tries 10,000 examples of each."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperpod_dpd.catalog.versions import OperatorRelease
from hyperpod_dpd.cli.github import workflow_commands
from hyperpod_dpd.cli.sarif import as_sarif
from hyperpod_dpd.cli.text import write_report
from hyperpod_dpd.rules.check import Options, check
from hyperpod_dpd.view.inputs import gather
from tests.support.documents import environment, manifest, spoiled
from tests.support.templates import template
from tests.support.trees import mangled, trees, words

PROD, DEV = manifest("prod"), manifest("dev")
RELEASE = OperatorRelease.parse("3.4")
HEAD = {"apiVersion": PROD["apiVersion"], "kind": PROD["kind"]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


def judge(folder: Path, data: bytes | Any, *, name: str = "dev.yaml", previous: Any = None) -> None:
    """Checks ``data`` (bytes, or a value written as JSON) and writes the report in every format."""
    file = folder / name
    file.write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
    before = None
    if previous is not None:
        (folder / "previous.json").write_text(json.dumps(previous), encoding="utf-8")
        before = gather([str(folder / "previous.json")])
    inputs = gather([str(file)])
    report = check(inputs, Options(operator=RELEASE, previous=before))
    crashed = [found.message for found in report.findings if found.id == "DPD001"]
    assert not crashed, crashed
    for found in report.findings:
        assert found.line >= 1 and found.column >= 1 and found.fix and found.message, found
    json.dumps(report.as_json())
    json.dumps(as_sarif(report, inputs.unreadable))
    list(workflow_commands(report, inputs.unreadable))
    with redirect_stdout(io.TextIOWrapper(io.BytesIO(), encoding="utf-8")):
        write_report(report, quiet=False, verbose=True)


@given(data=st.one_of(st.binary(max_size=200), st.text(max_size=200).map(lambda text: text.encode("utf-8"))))
def test_any_bytes(folder: Path, data: bytes) -> None:
    judge(folder, data)


LINES = """\
apiVersion: inference.sagemaker.aws.amazon.com/v1
kind: InferenceEndpointConfig
spec:
  pdSpec:
    prefillSpec: &a
    decodingSpec: *a
      args: [--x, 'y']
metadata: {name: a}
---
...
  worker: {args: >
items:
- a: 1
kind: List
? a
: b
\t
  - <<: *a
%YAML 1.1
!t x
account: '111122223333'
endpoints:
  a: {}
Resources: {A: {Type: AWS::S3::Bucket}}
#
''
""".splitlines()


@given(lines=st.lists(st.sampled_from(LINES), max_size=14))
def test_any_arrangement_of_lines(folder: Path, lines: list[str]) -> None:
    judge(folder, "\n".join(lines).encode())


@given(value=st.one_of(trees(words(PROD)), trees(words(PROD)).map(lambda tree: {**HEAD, "spec": tree})))
def test_any_tree(folder: Path, value: Any) -> None:
    judge(folder, value)


@given(value=st.one_of(mangled(PROD), mangled(DEV)))
def test_any_spoiled_manifest(folder: Path, value: Any) -> None:
    judge(folder, value)


@given(value=st.one_of(mangled(environment("prod")), mangled(environment("dev"))))
def test_any_spoiled_environment(folder: Path, value: Any) -> None:
    judge(folder, value)


@given(value=mangled(template()))
def test_any_spoiled_template(folder: Path, value: Any) -> None:
    judge(folder, value, name="stack.template.json")


@given(before=mangled(DEV, changes=2), after=mangled(DEV, changes=2))
def test_any_change(folder: Path, before: Any, after: Any) -> None:
    judge(folder, after, previous=before)


@given(endpoint=mangled(DEV, changes=2), made=mangled(template(), changes=2))
def test_any_pair(folder: Path, endpoint: Any, made: Any) -> None:
    assembly = folder / "assembly-dev"
    assembly.mkdir(exist_ok=True)
    (assembly / "iec.yaml").write_text(json.dumps(endpoint), encoding="utf-8")
    (assembly / "stack.template.json").write_text(json.dumps(made), encoding="utf-8")
    report = check(gather([str(assembly)]), Options(operator=RELEASE))
    assert not [found.message for found in report.findings if found.id == "DPD001"]


CRASHED_ONCE = [
    "spec: {worker: {args: {--max-model-len: -8}}}",
    "kind: [Service]",
    "spec: {pdSpec: {decodingSpec: {args: {--max-model-len: -2}}}}",
]


@pytest.mark.parametrize("fragment", CRASHED_ONCE)
def test_what_made_a_rule_crash_does_so_no_more(folder: Path, fragment: str) -> None:
    judge(folder, spoiled(fragment))
