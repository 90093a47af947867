"""`dpd init` takes a model as people have it, and its settings follow from the model's size."""

import json
from pathlib import Path

import pytest
import yaml

from tests.support.command import dpd
from tests.support.published_models import QUANT_FILES, config

WHERE = ("--account", "123456789012", "--region", "us-west-2")


def engine(folder: Path, name: str) -> dict[str, object]:
    document = yaml.safe_load((folder / f"{name}.yaml").read_text(encoding="utf-8"))
    (endpoint,) = document["endpoints"].values()
    found: dict[str, object] = endpoint["engine"]
    return found


@pytest.mark.parametrize(
    "model",
    [
        "llama-3.3-70b-instruct",
        "openai/gpt-oss-120b",
        "qwen3-235b-a22b-fp8",
        "MiniMaxAI/MiniMax-M2.5",
        "mixtral-8x22b",
    ],
)
def test_a_model_of_the_catalogue_gives_a_document_without_errors(model: str, tmp_path: Path) -> None:
    told = dpd("init", "mine", "--environments", str(tmp_path), "--model", model, *WHERE)
    assert told.status == 0 and "left unused" in told.out
    assert dpd("check", str(tmp_path / "mine.yaml")).status == 0


def test_a_config_and_a_folder_are_named_relative_to_the_document(tmp_path: Path) -> None:
    name = "Llama-3.1-70B-Instruct-FP8"
    folder = tmp_path / "models" / "Own"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps(config(name)))
    (folder / "hf_quant_config.json").write_text(json.dumps(QUANT_FILES[name]))
    where = tmp_path / "environments"
    for given in (folder, folder / "config.json"):
        document = f"e{len(str(given))}"
        told = dpd("init", document, "--environments", str(where), "--model", str(given), *WHERE)
        assert told.status == 0, told.err
        text = (where / f"{document}.yaml").read_text()
        assert 'config: "../models/Own/config.json"' in text and "name: own" in text
        assert dpd("check", str(where / f"{document}.yaml")).status == 0


def test_the_length_follows_from_the_memory_that_the_weights_leave(tmp_path: Path) -> None:
    for name, model in (("small", "llama-3.3-70b-instruct"), ("large", "llama-3.1-405b-instruct-fp8")):
        assert dpd("init", name, "--environments", str(tmp_path), "--model", model, *WHERE).status == 0
    small, large = engine(tmp_path, "small"), engine(tmp_path, "large")
    assert small["max_model_len_tokens"] == 32_768
    assert isinstance(large["max_model_len_tokens"], int) and large["max_model_len_tokens"] < 32_768


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    told = dpd("init", "mine", "--environments", str(tmp_path), "--model", "deepseek-v3", *WHERE)
    assert told.status == 2
    assert "more GPU memory" in told.err and not list(tmp_path.iterdir())


def test_heads_that_no_eight_ranks_share_take_fewer_gpus(tmp_path: Path) -> None:
    given = config("Meta-Llama-3.1-70B") | {
        "num_attention_heads": 60,
        "num_key_value_heads": 4,
        "head_dim": 128,
    }
    (tmp_path / "odd.json").write_text(json.dumps(given))
    told = dpd("init", "mine", "--environments", str(tmp_path), "--model", str(tmp_path / "odd.json"), *WHERE)
    assert told.status == 0, told.err
    assert engine(tmp_path, "mine")["tensor_parallel_size"] == 4 and "4 GPUs of a node" in told.out
