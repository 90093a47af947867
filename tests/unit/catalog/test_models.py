"""Models: geometry as published, and a match that would rather be silent than wrong."""

from typing import Any

import pytest

from hyperpod_dpd.catalog import models
from tests.support import published_models

# Which published config proves which entry.
PROOF = {
    "llama-3.3-70b-instruct": "Llama-3.3-70B-Instruct",
    "llama-3.1-70b": "Meta-Llama-3.1-70B",
    "llama-3.1-70b-instruct": "Meta-Llama-3.1-70B",
    "llama-3.1-70b-instruct-fp8-nvidia": "Llama-3.1-70B-Instruct-FP8",
    "llama-3.1-8b": "Meta-Llama-3.1-8B",
    "llama-3.1-8b-instruct": "Meta-Llama-3.1-8B",
    "llama-3.1-405b": "Meta-Llama-3.1-405B",
    "llama-3.1-405b-instruct": "Meta-Llama-3.1-405B",
    "llama-3.1-405b-instruct-fp8": "Meta-Llama-3.1-405B-Instruct-FP8",
    "qwen2.5-72b-instruct": "Qwen2.5-72B-Instruct",
    "qwen3-32b": "Qwen3-32B",
    "qwen3-235b-a22b": "Qwen3-235B-A22B",
    "qwen3-235b-a22b-fp8": "Qwen3-235B-A22B-FP8",
    "mixtral-8x22b": "Mixtral-8x22B-v0.1",
    "deepseek-v3": "DeepSeek-V3",
    "deepseek-r1": "DeepSeek-R1",
    "kimi-k2-instruct": "Kimi-K2-Instruct",
    "mistral-medium-3.5-128b": "Mistral-Medium-3.5-128B",
    "deepseek-v3.1": "DeepSeek-V3",
    "deepseek-v3.1-nvfp4": "DeepSeek-V3.1-NVFP4",
    "deepseek-v3.2": "DeepSeek-V3.2",
    "kimi-k2.5": "Kimi-K2.5",
    "gpt-oss-120b": "gpt-oss-120b",
    "gpt-oss-20b": "gpt-oss-20b",
    "glm-5": "GLM-5",
    "glm-5-fp8": "GLM-5-FP8",
    "minimax-m2.5": "MiniMax-M2.5",
    "minimax-m2.7": "MiniMax-M2.7",
    "qwen3-coder-480b-a35b-instruct": "Qwen3-Coder-480B-A35B-Instruct",
}


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("meta-llama-3-3-70b", "llama-3.3-70b-instruct"),
        ("Llama-3.3-70B-Instruct", "llama-3.3-70b-instruct"),
        ("LLAMA_3_3_70B_INSTRUCT", "llama-3.3-70b-instruct"),
        ("meta-llama/Llama-3.3-70B-Instruct", "llama-3.3-70b-instruct"),
        ("meta-llama-Llama-3.3-70B-Instruct", "llama-3.3-70b-instruct"),
        ("models/Llama-3.3-70B-Instruct/", "llama-3.3-70b-instruct"),
        (
            "s3://a-bucket/models--meta-llama--Llama-3.3-70B-Instruct/snapshots/0f1e2d",
            "llama-3.3-70b-instruct",
        ),
        ("unsloth/Llama-3.3-70B-Instruct", "llama-3.3-70b-instruct"),
        ("Llama-3.3-70B-Instruct-bf16", "llama-3.3-70b-instruct"),
        ("llama31_8b", "llama-3.1-8b"),
        ("models/Llama-3.1-8B-Instruct", "llama-3.1-8b-instruct"),
        ("meta-llama/Meta-Llama-3.1-405B", "llama-3.1-405b"),
        ("meta-llama/Llama-3.1-405B-Instruct-FP8", "llama-3.1-405b-instruct-fp8"),
        ("meta-llama/Meta-Llama-3.1-405B-Instruct-FP8", "llama-3.1-405b-instruct-fp8"),
        ("nvidia/Llama-3.1-70B-Instruct-FP8", "llama-3.1-70b-instruct-fp8-nvidia"),
        ("Qwen/Qwen3-235B-A22B-FP8", "qwen3-235b-a22b-fp8"),
        ("qwen3-235b-a22b", "qwen3-235b-a22b"),
        ("deepseek-ai/DeepSeek-R1", "deepseek-r1"),
        ("mixtral-8x22b", "mixtral-8x22b"),
    ],
)
def test_what_a_name_means(text: str, key: str) -> None:
    found = models.match(text)
    assert found is not None and found.key == key


@pytest.mark.parametrize(
    "text",
    [
        "",
        "///",
        "my-model",
        "llama-70b",
        "llama-3-70b",
        "models/llama-3-8b-instruct",
        "llama-3-3-70b-fp8",
        "Llama-3.3-70B-Instruct-FP8-dynamic",
        "Llama-3.3-70B-Instruct/fp8",
        "weights-fp8/Llama-3.3-70B-Instruct",
        "unsloth/Llama-3.3-70B-Instruct-bnb-4bit",
        "llama-3.3-70b-instruct-awq",
        "adapters-lora/llama-3.3-70b-instruct",
        "Llama-3.1-405B-Instruct-FP8",
        "nvidia/Llama-3.1-405B-Instruct-FP8",
        "Llama-3.1-70B-Instruct-FP8",
        "Qwen3-235B-A22B-FP8",
        "Qwen3-235B-A22B-Instruct-2507",
        "Qwen2.5-72B",
        "DeepSeek-R1-Distill-Llama-70B",
        "deepseek-v3.9",
        "deepseek-v3-0324",
        "deepseek15b",
        "llama-3.3-70b/llama-3.1-8b",
        "llama-3.3-70b-and-llama-3.1-8b",
        "xllama-3.3-70b",
        "llama-3.3-70b-instruct-v2",
    ],
)
def test_what_stays_unmatched(text: str) -> None:
    assert models.match(text) is None


@pytest.mark.parametrize("model", models.all(), ids=lambda model: model.key)
def test_a_model_is_found_by_its_key_its_id_and_nothing_else_has_its_names(model: models.Model) -> None:
    assert models.get(model.key) is model
    assert models.match(model.hugging_face_id) is model
    if model.match == "name":
        assert models.match(model.name) is model
        assert all(models.match(alias) is model for alias in model.aliases)


def test_keys_are_unique_and_an_unknown_key_is_none() -> None:
    assert len(set(models.keys())) == len(models.keys())
    assert models.get("llama") is None


def test_every_model_has_a_proof() -> None:
    assert set(PROOF) == set(models.keys())


@pytest.mark.parametrize("key", PROOF)
def test_geometry_is_that_of_the_published_config(key: str) -> None:
    model = models.get(key)
    assert model is not None
    config = published_models.config(PROOF[key])
    text: dict[str, Any] = {**config, **config.get("text_config", {})}
    assert model.architecture == config["architectures"][0]
    assert model.layers == text["num_hidden_layers"]
    assert model.attention_heads == text["num_attention_heads"]
    assert model.kv_heads == text["num_key_value_heads"]
    assert model.hidden_size == text["hidden_size"]
    assert model.intermediate_size == text["intermediate_size"]
    assert model.vocabulary == text["vocab_size"]
    assert model.max_position_tokens == text["max_position_embeddings"]
    assert model.multimodal == ("vision_config" in config)
    assert (model.kv_lora_rank, model.qk_rope_head_dim) == (
        text.get("kv_lora_rank"),
        text.get("qk_rope_head_dim"),
    )
    assert model.attention == ("mla" if text.get("kv_lora_rank") else "gqa")
    experts = text.get("num_experts") or text.get("num_local_experts") or text.get("n_routed_experts")
    assert model.mixture_of_experts is bool(experts)
    if model.attention == "gqa":
        assert model.head_dim == text.get("head_dim", text["hidden_size"] // text["num_attention_heads"])


@pytest.mark.parametrize(
    ("key", "layers", "kv_heads", "head_dim", "billion"),
    [
        ("llama-3.3-70b-instruct", 80, 8, 128, 70.55),
        ("llama-3.1-405b-instruct", 126, 8, 128, 405.85),
        ("qwen3-235b-a22b", 94, 4, 128, 235.09),
        ("mistral-medium-3.5-128b", 88, 8, 128, 128),
    ],
)
def test_numbers_of_the_reference(
    key: str, layers: int, kv_heads: int, head_dim: int, billion: float
) -> None:
    model = models.get(key)
    assert model is not None
    assert (model.layers, model.kv_heads, model.head_dim) == (layers, kv_heads, head_dim)
    assert model.parameters_billion == billion


@pytest.mark.parametrize(
    "key", ["llama-3.3-70b-instruct", "qwen2.5-72b-instruct", "qwen3-32b", "llama-3.1-405b"]
)
def test_parameters_of_a_dense_model_follow_from_its_geometry(key: str) -> None:
    model = models.get(key)
    assert model is not None and model.head_dim is not None
    width = model.hidden_size
    attention = 2 * width * model.head_dim * (model.attention_heads + model.kv_heads)
    per_layer = attention + 3 * width * model.intermediate_size
    total = 2 * model.vocabulary * width + model.layers * per_layer
    assert total / 1e9 == pytest.approx(model.parameters_billion, abs=0.01)
    assert model.active_parameters_billion == model.parameters_billion


def test_an_open_kv_dtype_is_left_open() -> None:
    found = models.get("llama-3.1-70b-instruct-fp8-nvidia")
    assert found is not None and found.kv_dtype is None and "kv_dtype" in found.unconfirmed
    weights_only = models.get("llama-3.1-405b-instruct-fp8")
    assert weights_only is not None
    assert (weights_only.weights_dtype, weights_only.kv_dtype) == ("fp8", "bfloat16")


def test_llama_needs_a_token() -> None:
    found = models.get("llama-3.3-70b-instruct")
    assert found is not None and found.gated is True and "gated" not in found.unconfirmed
