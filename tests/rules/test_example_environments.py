"""The environments that tests begin with stay free of findings but for notes, whatever rules are added."""

from __future__ import annotations

import pytest

from hyperpod_dpd.rules.check import check
from hyperpod_dpd.rules.rule import Severity
from hyperpod_dpd.view.inputs import gather
from tests.support.documents import ENVIRONMENTS


@pytest.mark.parametrize("path", sorted(ENVIRONMENTS.glob("*.yaml")), ids=lambda path: path.stem)
def test_an_example_has_notes_only(path) -> None:
    found = check(gather([str(path)])).findings
    loud = [f for f in found if f.severity is not Severity.INFO and not f.acknowledged]
    assert [(f.id, f.path, f.message) for f in loud] == []
