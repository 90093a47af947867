"""A model's config that many tests start from."""

from typing import Any

import pytest


@pytest.fixture
def llama_70b() -> dict[str, Any]:
    """The geometry of Llama 3.x 70B, written out so that the core figures are tested everywhere."""
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "hidden_size": 8192,
        "intermediate_size": 28672,
        "max_position_embeddings": 131072,
        "num_attention_heads": 64,
        "num_hidden_layers": 80,
        "num_key_value_heads": 8,
        "tie_word_embeddings": False,
        "torch_dtype": "bfloat16",
        "vocab_size": 128256,
    }
