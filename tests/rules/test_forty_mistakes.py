"""Forty mistakes that people make in a document: each gives the one finding that they can act on, and no other."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from hyperpod_dpd.document import read_documents
from hyperpod_dpd.rules.check import check
from hyperpod_dpd.rules.finding import Finding
from hyperpod_dpd.rules.rule import Severity
from hyperpod_dpd.view.inputs import Inputs
from tests.support.documents import ENVIRONMENTS

TEXT = """\
account: "111122223333"
region: us-west-2
network:
  control_plane_zones: [usw2-az1, usw2-az2]
  accelerator_zones: [usw2-az2]
cluster:
  api_access: {public_cidrs: [203.0.113.0/24]}
  instance_groups:
    system: {instance_type: ml.m5.4xlarge, count: 2}
    prefill: {instance_type: ml.p5.48xlarge, count: 1}
    decode: {instance_type: ml.p5.48xlarge, count: 1}
operator: {release: "3.4"}
endpoints:
  llama-70b:
    model:
      catalogue: llama-3.3-70b-instruct
      weights: {s3: {prefix: models/llama}}
    prefill: {instance_group: prefill}
    decode: {instance_group: decode}
    cache: {pd_buffer_bytes: 8587837440}
    engine: {max_model_len_tokens: 16384}
    routing: {threshold_tokens: 4096}
"""

MISTAKES = yaml.safe_load((Path(__file__).parent / "forty_mistakes.yaml").read_text(encoding="utf-8"))


def judged(text: str, folder: Path) -> list[Finding]:
    """Errors and warnings of a document."""
    (document,) = read_documents(text, "dev.yaml")
    report = check(Inputs(environments=[(document, folder / "dev.yaml")]))
    return [found for found in report.findings if found.severity is not Severity.INFO]


def test_the_document_without_a_mistake_is_clean(tmp_path: Path) -> None:
    assert judged(TEXT, tmp_path) == []
    assert (ENVIRONMENTS / "dev.yaml").is_file()


def test_there_are_forty() -> None:
    assert len(MISTAKES) >= 40
    assert len({yaml.dump(mistake) for mistake in MISTAKES}) == len(MISTAKES)


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda each: str(each["write"])[:50])
def test_one_mistake_is_one_finding_with_its_place_and_its_cure(
    mistake: dict[str, str], tmp_path: Path
) -> None:
    assert mistake["instead_of"] in TEXT
    text = TEXT.replace(mistake["instead_of"], mistake["write"])
    found = judged(text, tmp_path)
    assert [(each.id, each.path) for each in found] == [(mistake["id"], mistake["at"])], [
        (each.id, each.path, each.message) for each in found
    ]
    assert mistake["says"] in found[0].message
    assert mistake["cure"] in found[0].fix


def test_faults_of_shape_do_not_hide_what_the_rules_see(tmp_path: Path) -> None:
    text = TEXT.replace("count: 2", "cout: 2").replace("[usw2-az2]", "[use1-az2]")
    assert [each.id for each in judged(text, tmp_path)] == ["DPD224", "DPD010"]
