"""The memory budget: the published table, the refusals, and that more of anything never leaves more."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperpod_dpd.sizing.errors import SizingError
from hyperpod_dpd.sizing.geometry import read_geometry
from hyperpod_dpd.sizing.gpu_memory import (
    GIB,
    InstanceFacts,
    MemoryAssumptions,
    MemoryRequest,
    gib_to_bytes,
    memory_budget,
)
from hyperpod_dpd.sizing.memory_assumptions import default_assumptions

KV = 40_960
WEIGHTS = 70_553_706_496 * 2 // 8
ASSUMED = MemoryAssumptions(
    activation_bytes=gib_to_bytes("5.6"),
    non_torch_bytes=gib_to_bytes("0.6"),
    slack_bytes=gib_to_bytes(2),
    error_margin_bytes=gib_to_bytes(2),
    warning_margin_bytes=gib_to_bytes(4),
    source="the planning table",
)


def gpu(gib: str, gpus: int = 8) -> InstanceFacts:
    return InstanceFacts(name="a node", gpus=gpus, gpu_memory_bytes=gib_to_bytes(gib))


def request(gib: str, buffer_gib: int, **changes) -> MemoryRequest:
    base = MemoryRequest(
        role="decode",
        instance=gpu(gib),
        tensor_parallel_size=8,
        weight_bytes=WEIGHTS,
        kv_bytes_per_token=KV,
        buffer_bytes=buffer_gib * GIB,
    )
    return replace(base, **changes)


# Llama 70B in 16 bits over eight ranks. The table's "79.6" is 81,559 MiB as drivers report it.
@pytest.mark.parametrize(
    ("memory", "buffer", "utilization", "kv_gib", "sequences"),
    [
        ("79.6474609375", 8, 87, "46.7", 74),
        ("79.6474609375", 16, 77, "38.7", 61),
        ("79.6474609375", 32, 57, "22.8", 36),
        ("140.4", 8, 92, "106.5", 170),
        ("140.4", 16, 87, "99.5", 159),
        ("140.4", 32, 75, "82.7", 132),
        ("180", 8, 94, "146.6", 234),
        ("180", 16, 90, "139.4", 222),
        ("180", 32, 81, "123.2", 197),
        ("268.6", 8, 96, "235.2", 376),
        ("268.6", 16, 93, "227.2", 363),
        ("268.6", 32, 87, "211.1", 337),
    ],
)
def test_table_of_the_planning_reference(memory, buffer, utilization, kv_gib, sequences):
    budget = memory_budget(request(memory, buffer), ASSUMED)
    assert budget.largest_utilization_hundredths == utilization
    assert f"{budget.kv_bytes / GIB:.1f}" == kv_gib
    assert budget.concurrency(16_384) == sequences


@pytest.mark.parametrize(
    ("buffer", "utilization", "severity"),
    [
        (8, 75, None),
        (16, 75, "warning"),  # 3.9 GiB left
        (32, 75, "error"),  # 91.7 GiB of 79.6
        (8, 90, "error"),  # vLLM's default: 71.6 + 8 leaves nothing
        (32, 56, "warning"),
        (8, 87, "warning"),
        (8, 84, None),
    ],
)
def test_margins_on_an_80_gib_gpu(buffer, utilization, severity):
    budget = memory_budget(request("79.6", buffer, utilization_hundredths=utilization), ASSUMED)
    assert (budget.severity, budget.fits) == (severity, severity != "error")
    if severity is not None:
        assert f"{budget.calm_utilization_hundredths / 100:.2f}" in budget.problems[0]


def test_the_buffer_counts_on_both_roles():
    budgets = [memory_budget(request("79.6", 8, role=role), ASSUMED) for role in ("prefill", "decode")]
    assert {budget.largest_utilization_hundredths for budget in budgets} == {87}
    assert [budget.role for budget in budgets] == ["prefill", "decode"]


def test_weights_that_do_not_fit():
    budget = memory_budget(request("79.6", 8, weight_bytes=811_706_777_600 // 8), ASSUMED)
    assert (budget.severity, budget.kv_bytes, budget.kv_tokens, budget.largest_max_model_len) == (
        "error",
        0,
        0,
        0,
    )
    assert "94.5" in "".join(budget.explanation)
    assert "quantised weights" in budget.problems[0]


def test_a_cache_smaller_than_one_request():
    tight = memory_budget(request("79.6", 8, utilization_hundredths=30, max_model_len=131_072), ASSUMED)
    assert tight.severity == "error"
    assert "131,072" in tight.problems[0]
    assert memory_budget(request("79.6", 8, max_model_len=131_072), ASSUMED).severity is None


def test_more_ranks_than_gpus():
    budget = memory_budget(request("79.6", 8, tensor_parallel_size=16), ASSUMED)
    assert budget.severity == "error"
    assert "16 ranks" in budget.problems[0]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, 1_221_992),  # the cache: 0.87 of 79.6 GiB less 22.6 GiB, in 40,960-byte tokens
        ({"max_position_tokens": 131_072}, 131_072),
        ({"max_position_tokens": 131_072, "buffer_capacity_tokens": 104_704}, 104_704),
    ],
)
def test_the_longest_safe_request_is_the_least_of_three(changes, expected):
    budget = memory_budget(request("79.6", 8, **changes), ASSUMED)
    share = gib_to_bytes("79.6") * 87 // 100
    by_hand = (share - WEIGHTS - ASSUMED.activation_bytes - ASSUMED.non_torch_bytes) // KV
    assert budget.kv_tokens == by_hand
    assert budget.largest_max_model_len == (by_hand if not changes else expected)


def test_recurrent_state_costs_concurrency():
    plain = memory_budget(request("79.6", 8), ASSUMED)
    hybrid = memory_budget(request("79.6", 8, state_bytes_per_sequence=100 * 2**20), ASSUMED)
    assert hybrid.concurrency(1000) == hybrid.kv_bytes // (1000 * KV + 100 * 2**20)
    assert hybrid.concurrency(1000) < plain.concurrency(1000)


def test_the_explanation_adds_up():
    lines = "\n".join(memory_budget(request("79.6", 8), ASSUMED).explanation)
    for part in ("79.6 GiB", "8.0 GiB", "0.87", "16.4 GiB", "5.6 GiB", "0.6 GiB", "the planning table"):
        assert part in lines


def test_default_assumptions_differ_by_family(llama_70b):
    llama = default_assumptions(read_geometry(llama_70b))
    dense = default_assumptions(read_geometry({**llama_70b, "model_type": "qwen3"}))
    moe = default_assumptions(read_geometry({**llama_70b, "model_type": "mixtral", "num_local_experts": 8}))
    tenths = [assumed.activation_bytes * 10 / GIB for assumed in (llama, dense, moe)]
    assert [round(value) for value in tenths] == [48, 56, 80]
    assert "unconfirmed" in llama.source


gibs = st.integers(1, 300)


@given(gibs, gibs, st.integers(0, 100), st.integers(0, 100), st.integers(0, 100))
def test_the_largest_utilization_is_safe_and_the_next_is_not(memory, buffer, weights, activation, slack):
    assumed = replace(ASSUMED, activation_bytes=activation * GIB, slack_bytes=slack * GIB)
    budget = memory_budget(request(str(memory), buffer, weight_bytes=weights * GIB), assumed)
    total = memory * GIB
    u = budget.largest_utilization_hundredths
    if u:
        assert total * u + (buffer + slack) * GIB * 100 <= total * 100
    assert total * (u + 1) + (buffer + slack) * GIB * 100 > total * 100
    assert 0 <= budget.kv_bytes <= total
    more = memory_budget(request(str(memory), buffer + 1, weight_bytes=weights * GIB), assumed)
    assert more.kv_tokens <= budget.kv_tokens


@pytest.mark.parametrize(("value", "expected"), [("79.6", 85_469_849_190), (80, 80 * GIB), (0.5, GIB // 2)])
def test_gib_in_whole_bytes(value, expected):
    assert gib_to_bytes(value) == expected


@pytest.mark.parametrize("value", ["-1", "eighty", "nan", "1/0"])
def test_not_a_number_of_gib(value):
    with pytest.raises(SizingError):
        gib_to_bytes(value)


@pytest.mark.parametrize(
    "changes",
    [
        {"weight_bytes": -1},
        {"kv_bytes_per_token": 0},
        {"buffer_bytes": 1.5},
        {"utilization_hundredths": 0},
        {"utilization_hundredths": 101},
        {"tensor_parallel_size": 0},
    ],
)
def test_impossible_requests(changes):
    with pytest.raises(SizingError):
        memory_budget(request("79.6", 8, **changes), ASSUMED)


def test_a_sequence_has_a_token():
    with pytest.raises(SizingError, match="at least 1 token"):
        memory_budget(request("79.6", 8), ASSUMED).concurrency(0)
