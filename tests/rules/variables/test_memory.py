"""Rules on GPU memory: what stays free, whether the weights fit, and room for one request."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.hits import hits, not_checked, variable

PAGE = 10_485_760
GIB = 2**30


def utilization(value: float | str, buffer: int = 8 * GIB) -> str:
    return (
        f"spec: {{worker: {{args: {{--gpu-memory-utilization: {value}}}, "
        f"environmentVariables: [{{name: PD_BUFFER_SIZE, value: '{buffer}'}}]}}}}"
    )


@pytest.mark.parametrize(
    ("value", "buffer", "severity"),
    [
        (0.75, 8 * GIB, None),
        (0.75, 16 * GIB, "warning"),  # 3.9 GiB left on an H100
        (0.75, 32 * GIB, "error"),  # AWS's advice, which cannot start
        (0.84, 8 * GIB, None),
        (0.85, 8 * GIB, "warning"),
        (0.87, 8 * GIB, "warning"),
        (0.88, 8 * GIB, "error"),
        (0.95, 8 * GIB, "error"),
        (0.54, 32 * GIB, None),
    ],
)
def test_memory_left_on_an_h100(value: float, buffer: int, severity: str | None, tmp_path: Path) -> None:
    found = hits("DPD408", utilization(value, buffer), tmp_path)
    assert [f.severity for f in found] == ([severity] if severity else [])
    if found:
        assert found[0].path.startswith("spec.worker.args")
        assert "prefill and decode on ml.p5.48xlarge" in found[0].message


def test_the_fix_is_the_largest_safe_utilisation(tmp_path: Path) -> None:
    (found,) = hits("DPD408", utilization(0.9), tmp_path)
    assert "0.84 (0.87 is the largest safe value)" in found.fix
    assert not hits("DPD408", utilization(0.84), tmp_path)
    (found,) = hits("DPD408", utilization(0.75, 32 * GIB), tmp_path)
    assert "0.54 (0.57 is the largest safe value)" in found.fix


def test_a_buffer_larger_than_the_gpu(tmp_path: Path) -> None:
    (found,) = hits("DPD408", utilization(0.5, 90 * GIB), tmp_path)
    assert "exceed it by" in found.message
    assert found.fix.startswith("lower PD_BUFFER_SIZE")


def test_an_absent_flag_is_a_warning_on_the_default(tmp_path: Path) -> None:
    (found,) = hits("DPD408", "spec: {worker: {args: {--gpu-memory-utilization: null}}}", tmp_path)
    assert found.severity == "warning"
    assert "vLLM's default" in found.message


@pytest.mark.parametrize("role", ["prefill", "decode"])
def test_each_role_is_judged_with_its_own_arguments(role: str, tmp_path: Path) -> None:
    key = {"prefill": "prefillSpec", "decode": "decodingSpec"}[role]
    fragment = f"spec: {{pdSpec: {{{key}: {{args: ['--gpu-memory-utilization=0.92']}}}}}}"
    (found,) = hits("DPD408", fragment, tmp_path)
    assert found.path == f"spec.pdSpec.{key}.args[0]"
    assert found.message.startswith(f"{role} on")


def test_the_instance_type_decides(tmp_path: Path) -> None:
    for kind in ("ml.p5en.48xlarge", "ml.p6-b200.48xlarge"):
        fragment = f"{utilization(0.9)}\n---".removesuffix("\n---").replace(
            "spec: {", f"spec: {{instanceType: {kind}, ", 1
        )
        assert not hits("DPD408", fragment, tmp_path)


def test_no_instance_type_at_all_is_not_checked(tmp_path: Path) -> None:
    fragment = "spec: {instanceType: null}"
    notes = not_checked(fragment, tmp_path)
    assert "cluster" in notes
    assert "DPD408" in notes


def test_several_instance_types_are_left_to_the_rule_on_placement(tmp_path: Path) -> None:
    fragment = "spec: {instanceType: null, instanceTypes: [ml.p5.48xlarge, ml.p5en.48xlarge]}"
    assert not hits("DPD408", fragment, tmp_path)


def test_an_environment_is_judged_at_its_own_key(tmp_path: Path) -> None:
    fragment = "endpoints: {llama-70b: {engine: {gpu_memory_utilization: 0.9}}}"
    (found,) = hits("DPD408", fragment, tmp_path, of="environment")
    assert found.path == "endpoints.llama-70b.engine.gpu_memory_utilization"
    assert found.severity == "error"


def test_without_a_model_the_margin_is_judged_still(tmp_path: Path) -> None:
    fragment = "metadata: {annotations: null}\n" + utilization(0.9).replace(
        "spec: {", "spec: {modelName: house, modelSourceConfig: {modelLocation: models/house}, ", 1
    )
    assert [f.severity for f in hits("DPD408", fragment, tmp_path)] == ["error"]


def model(key: str, args: str = "") -> str:
    rest = f"\nspec: {{worker: {{args: {{{args}}}}}}}" if args else ""
    return f"metadata: {{annotations: {{dpd.check/model: {key}}}}}{rest}"


@pytest.mark.parametrize(
    ("fragment", "severity"),
    [
        (model("llama-3.1-405b-instruct"), "error"),
        (model("llama-3.1-405b-instruct", "--quantization: fp8"), None),
        (model("llama-3.1-405b-instruct-fp8"), None),
        (model("deepseek-v3"), "error"),
        (model("qwen3-235b-a22b"), "warning"),  # 54.7 GiB of 59.7, an estimated 8.6 for the pass
        (model("llama-3.3-70b-instruct", "--tensor-parallel-size: 2"), "error"),
        (model("llama-3.3-70b-instruct", "--gpu-memory-utilization: 0.27"), "warning"),
        (model("llama-3.3-70b-instruct", "--tensor-parallel-size: 4"), None),
    ],
)
def test_weights(fragment: str, severity: str | None, tmp_path: Path) -> None:
    found = hits("DPD409", fragment, tmp_path)
    assert [f.severity for f in found] == ([severity] if severity else [])


def test_too_large_weights_come_with_advice_on_fp8(tmp_path: Path) -> None:
    (found,) = hits("DPD409", model("llama-3.1-405b-instruct"), tmp_path)
    assert "94.5 GiB" in found.message
    assert "FP8" in found.fix
    (found,) = hits("DPD409", model("deepseek-v3"), tmp_path)
    assert "FP8" not in found.fix


def test_larger_gpus_hold_them(tmp_path: Path) -> None:
    fragment = model("llama-3.1-405b-instruct") + "\nspec: {instanceType: ml.p6-b200.48xlarge}"
    assert not hits("DPD409", fragment, tmp_path)


def test_weights_of_no_known_dtype_are_not_checked(tmp_path: Path) -> None:
    notes = not_checked(model("mistral-medium-3.5-128b"), tmp_path)
    assert "size of the weights: DPD409, DPD410" in notes


@pytest.mark.parametrize(
    ("args", "severity"),
    [
        ("--max-model-len: 131072, --gpu-memory-utilization: 0.75", None),
        ("--max-model-len: 131072, --gpu-memory-utilization: 0.25", "error"),
        ("--max-model-len: 131072, --gpu-memory-utilization: 0.30", "warning"),
        ("--max-model-len: 131072, --gpu-memory-utilization: 0.31, --kv-cache-dtype: fp8", None),
        ("--max-model-len: 16384, --gpu-memory-utilization: 0.30", None),
        ("--max-model-len: 131072, --gpu-memory-utilization: 0.15", None),  # the weights do not fit
    ],
)
def test_room_for_one_request(args: str, severity: str | None, tmp_path: Path) -> None:
    found = hits("DPD410", model("llama-3.3-70b-instruct", args), tmp_path)
    assert [f.severity for f in found] == ([severity] if severity else [])


def test_room_is_judged_per_role(tmp_path: Path) -> None:
    fragment = (
        "spec: {worker: {args: {--max-model-len: 131072}}, "
        "pdSpec: {prefillSpec: {args: {--gpu-memory-utilization: 0.25}}}}"
    )
    (found,) = hits("DPD410", fragment, tmp_path)
    assert found.message.startswith("prefill on")


def test_the_size_of_the_buffer_in_pages_counts(tmp_path: Path) -> None:
    """Less than one page is never allocated: it does not count against the margin."""
    free = 79.6 * GIB * 0.25
    buffer = int(free - 4 * GIB) // PAGE * PAGE
    assert not hits("DPD408", utilization(0.75, buffer + PAGE - 1), tmp_path)
    assert hits("DPD408", utilization(0.75, buffer + PAGE), tmp_path)


def test_a_buffer_without_a_number_is_left_alone(tmp_path: Path) -> None:
    assert not hits("DPD408", variable("PD_BUFFER_SIZE", "32Gi"), tmp_path)
