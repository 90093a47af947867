"""Configs of real models, read from the shared case collection beside the repository when it is there."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
MODELS = ROOT.parent / "shared" / "cases" / "models"


@pytest.fixture(scope="session")
def given_config() -> Callable[..., dict[str, Any]]:
    """Reads <name>.config.json (or another suffix) of the collection; skips where that is absent."""

    def read(name: str, suffix: str = "config.json") -> dict[str, Any]:
        path = MODELS / f"{name}.{suffix}"
        if not path.is_file():
            pytest.skip(f"the shared case collection is not beside the repository ({path.name})")
        loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return loaded

    return read


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
