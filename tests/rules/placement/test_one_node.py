"""Prefill and decode on one node, where pods are smaller than nodes."""

from __future__ import annotations

import pytest
import yaml

from tests.support.findings import findings_in_case, findings_of


def roles(prefill: int, decode: int, **selectors: dict[str, str] | None) -> str:
    def role(gpus: int, selector: dict[str, str] | None) -> dict[str, object]:
        amount = {"nvidia.com/gpu": str(gpus)}
        return {"nodeSelector": selector, "resources": {"requests": amount, "limits": amount}}

    pd = {
        "prefillSpec": role(prefill, selectors.get("first")),
        "decodingSpec": role(decode, selectors.get("second")),
    }
    return yaml.safe_dump({"spec": {"pdSpec": pd}})


@pytest.mark.parametrize(
    ("prefill", "decode", "count"), [(4, 4, 1), (2, 2, 1), (8, 8, 0), (8, 4, 0), (4, 5, 0)]
)
def test_two_pods_that_fit_one_node(prefill, decode, count, tmp_path) -> None:
    assert len(findings_of("DPD290", roles(prefill, decode), tmp_path)) == count


def test_selectors_keep_the_roles_apart(tmp_path) -> None:
    label = "sagemaker.amazonaws.com/instance-group-name"
    apart = roles(4, 4, first={label: "prefill"}, second={label: "decode"})
    assert findings_of("DPD290", apart, tmp_path) == []
    same = roles(4, 4, first={label: "gpu"}, second={label: "gpu"})
    (hit,) = findings_of("DPD290", same, tmp_path)
    assert hit.path == "spec.pdSpec.decodingSpec.resources" and "4 of the 8 GPUs" in hit.message


def test_one_group_for_both_in_an_environment(tmp_path) -> None:
    fragment = """
cluster: {instance_groups: {decode: null, prefill: {count: 2}}}
endpoints:
  llama-70b:
    prefill: {instance_group: prefill, gpus: 4}
    decode: {instance_group: prefill, gpus: 4}
"""
    (hit,) = findings_of("DPD290", fragment, tmp_path, of="environment")
    assert hit.path == "endpoints.llama-70b.decode"


def test_awss_example_takes_whole_nodes(tmp_path) -> None:
    assert findings_in_case("DPD290", "complete-pair", tmp_path) == []
