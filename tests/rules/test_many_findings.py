"""One rule that finds the same thing everywhere does not bury what the others find."""

from __future__ import annotations

from pathlib import Path

from hyperpod_dpd.rules.engine import MOST_MATCHES
from tests.support.documents import check_value, manifest


def test_a_flood_of_one_rule_is_cut_and_says_so(tmp_path: Path) -> None:
    value = manifest()
    value["spec"]["tags"] = [{"key": f"k{i}", "value": i} for i in range(3 * MOST_MATCHES)]
    found = [f for f in check_value(value, tmp_path).findings if f.id == "DPD103"]
    assert len(found) == MOST_MATCHES + 1
    assert [f for f in found if "no more are listed" in f.message]


def test_an_override_of_the_name_is_refused_and_nothing_breaks(tmp_path: Path) -> None:
    from tests.support.documents import environment

    document = environment()
    patch = [{"op": "replace", "path": "/metadata/name", "value": "other"}]
    document["overrides"] = [{"kind": "InferenceEndpointConfig", "name": "llama-70b", "patch": patch}]
    found = check_value(document, tmp_path).findings
    assert any(f.id == "DPD002" and "names the object" in f.message for f in found)
    assert not any(f.id == "DPD001" for f in found)
