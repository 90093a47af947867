"""A model's config.json in today's common spelling, to be changed by a test."""

from typing import Any


def plain(**fields: Any) -> dict[str, Any]:
    """A config in today's common spelling, changed by `fields`."""
    base = {
        "model_type": "llama",
        "hidden_size": 4096,
        "num_attention_heads": 32,
        "num_hidden_layers": 32,
        "num_key_value_heads": 8,
        "max_position_embeddings": 131072,
        "torch_dtype": "bfloat16",
    }
    return {key: value for key, value in {**base, **fields}.items() if value is not ...}
