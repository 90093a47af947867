"""Published configs with every single field spoiled in turn: a figure or a refusal in words, nothing else."""

import copy
from typing import Any

import pytest

from hyperpod_dpd.sizing.errors import SizingError, UnknownGeometry
from hyperpod_dpd.sizing.geometry import read_geometry
from hyperpod_dpd.sizing.kv_cache import bytes_per_token_per_rank
from tests.support import published_models

NAMES = [
    "Qwen2.5-72B-Instruct",
    "Qwen3-235B-A22B",
    "Qwen3.5-397B-A17B",
    "AI21-Jamba-1.5-Mini",
    "DeepSeek-V3.2",
    "DeepSeek-V4-Flash",
    "gemma-4-26B-A4B",
    "Llama-4-Maverick-17B-128E-Instruct",
    "Meta-Llama-3.1-405B-Instruct-FP8",
    "Kimi-K2-Instruct",
    "NVIDIA-Nemotron-3-Super-120B-A12B-FP8",
    "Nemotron-H-56B-Base-8K",
    "GLM-5",
]

NUMBERS: list[Any] = [0, 1, -1, 3, 10**15, 2.5, float("nan")]
SPOILS: list[Any] = [*NUMBERS, None, True, False, "", "8", "auto", [], [0], ["x"], [None], {}, {"a": 1}]

GEOMETRY_FIELDS = (
    "num_hidden_layers",
    "num_attention_heads",
    "num_key_value_heads",
    "head_dim",
    "kv_lora_rank",
    "qk_rope_head_dim",
)


def holders(config: dict[str, Any]) -> list[dict[str, Any]]:
    """The config and its nested objects."""
    nested = [inner for value in config.values() if isinstance(value, dict) for inner in holders(value)]
    return [config, *nested]


@pytest.mark.parametrize("name", NAMES)
def test_one_field_spoiled(name):
    config = published_models.config(name)
    outcomes = {"figure": 0, "refusal": 0}
    for place, holder in enumerate(holders(config)):
        for key in holder:
            for spoil in SPOILS:
                spoiled = copy.deepcopy(config)
                holders(spoiled)[place][key] = spoil
                try:
                    geometry = read_geometry(spoiled, name=name)
                    outcomes["figure"] += 1
                except UnknownGeometry as error:
                    assert str(error).strip(), (key, spoil)
                    outcomes["refusal"] += 1
                    continue
                try:
                    assert bytes_per_token_per_rank(geometry, tensor_parallel_size=1).bytes > 0, (key, spoil)
                except SizingError as error:
                    assert str(error).strip(), (key, spoil)
    assert outcomes["refusal"] > 20, outcomes


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("spoil", ["8", True, 2.5, -4, 0, [8], {"n": 8}])
def test_a_spoiled_dimension_is_never_swallowed(name, spoil):
    config = published_models.config(name)
    text = config.get("text_config", config)
    spoiled_one = False
    for field in GEOMETRY_FIELDS:
        if text.get(field) is None or (
            field in ("num_key_value_heads", "head_dim") and "kv_lora_rank" in text
        ):
            continue
        broken = copy.deepcopy(config)
        broken.get("text_config", broken)[field] = spoil
        with pytest.raises(UnknownGeometry):
            read_geometry(broken)
        spoiled_one = True
    assert spoiled_one
