"""Releases that are reported to answer wrongly without an error."""

from __future__ import annotations

import pytest

from lib.rules.rule import Severity
from tests.support.findings import findings_of


@pytest.mark.parametrize(("version", "count"), [("0.26.0", 1), ("0.26.1", 0), ("0.19.0", 0)])
def test_the_declared_version_is_compared(version, count, tmp_path) -> None:
    fragment = f'images: {{worker: {{versions: {{vllm: "{version}"}}}}}}'
    found = findings_of("DPD390", fragment, tmp_path, of="environment")
    assert [f.severity for f in found] == [Severity.WARNING] * count
    assert all("not confirmed" in hit.message for hit in found)


def test_an_image_of_unknown_contents_is_not_accused(tmp_path) -> None:
    assert findings_of("DPD390", "spec: {worker: {image: example.com/vllm:0.26.0}}", tmp_path) == []
