"""Values that stand elsewhere: references to variables, ConfigMaps and Secrets in the same tree."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from hyperpod_dpd.rules.check import check
from hyperpod_dpd.view.inputs import gather
from tests.support.documents import spoiled
from tests.support.hits import hits, not_checked

ARGS = (
    "spec: {{worker: {{args: {{--tensor-parallel-size: $({})}}, "
    "environmentVariables: [{{name: TP, value: '{}'}}]}}}}"
)


def test_a_reference_that_resolves_is_judged_as_its_value(tmp_path: Path) -> None:
    assert hits("DPD502", ARGS.format("TP", 16), tmp_path)
    assert not hits("DPD502", ARGS.format("TP", 8), tmp_path)


def test_a_reference_that_does_not_resolve_is_not_known(tmp_path: Path) -> None:
    fragment = ARGS.format("ELSEWHERE", 8)
    assert not hits("DPD502", fragment, tmp_path)
    assert not hits("DPD503", fragment, tmp_path)
    assert "value of a variable" in not_checked(fragment, tmp_path)


def test_a_variable_that_refers_to_another(tmp_path: Path) -> None:
    entries = "{name: SEED, value: '1'}, {name: LMCACHE_ENABLE_ASYNC_LOADING, value: $(SEED)}"
    assert hits("DPD427", f"spec: {{worker: {{environmentVariables: [{entries}]}}}}", tmp_path)


@pytest.mark.parametrize(
    ("kind", "key", "data"),
    [
        ("ConfigMap", "configMapKeyRef", {"data": {"min": "512"}}),
        ("Secret", "secretKeyRef", {"stringData": {"min": "512"}}),
        ("Secret", "secretKeyRef", {"data": {"min": "NTEy"}}),
    ],
)
def test_what_stands_beside_the_endpoint_is_followed(kind: str, key: str, data, tmp_path: Path) -> None:
    name = "LMCACHE_MIN_RETRIEVE_TOKENS"
    entry = f"{{name: {name}, valueFrom: {{{key}: {{name: settings, key: min}}}}}}"
    endpoint = spoiled(f"spec: {{worker: {{environmentVariables: [{entry}]}}}}", of="manifest", name="dev")
    namespace = endpoint["metadata"].get("namespace", "default")
    beside = {
        "apiVersion": "v1",
        "kind": kind,
        "metadata": {"name": "settings", "namespace": namespace},
        **data,
    }
    for other, expected in ((beside, "DPD427"), (beside | {"metadata": {"name": "other"}}, "DPD429")):
        file = tmp_path / f"{expected}.yaml"
        file.write_text(yaml.safe_dump_all([endpoint, other]))
        found = [f for f in check(gather([str(file)])).findings if f.id in ("DPD427", "DPD429")]
        assert [f.id for f in found] == [expected]
        assert kind != "Secret" or "512" not in found[0].message
