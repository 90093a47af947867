"""A model named by its key and the same model given by its files come to the same figures, in every verb."""

import json

import pytest

from hyperpod_dpd.catalog import models
from hyperpod_dpd.sizing.geometry import read_geometry
from hyperpod_dpd.sizing.kv_cache import bytes_per_token_per_rank
from hyperpod_dpd.sizing.model_input import catalogue_geometry, read_model
from tests.support.published_models import QUANT_FILES, config
from tests.unit.catalog.test_models import PROOF


@pytest.mark.parametrize("key", PROOF)
def test_key_and_files_agree(key):
    by_key = catalogue_geometry(key)
    by_files = read_geometry(config(PROOF[key]), quant_config=QUANT_FILES.get(PROOF[key]))
    assert by_key.parameters == by_files.parameters
    assert by_key.kv_dtype.bits == by_files.kv_dtype.bits
    for size in (1, 8):
        mine = bytes_per_token_per_rank(by_key, tensor_parallel_size=size)
        theirs = bytes_per_token_per_rank(by_files, tensor_parallel_size=size)
        assert (mine.bytes, mine.bound, mine.least, mine.most) == (
            theirs.bytes,
            theirs.bound,
            theirs.least,
            theirs.most,
        )
    assert (by_key.is_moe, by_key.is_multimodal, by_key.draft_layers) == (
        by_files.is_moe,
        by_files.is_multimodal,
        by_files.draft_layers,
    )


@pytest.mark.parametrize("key", [key for key in models.keys() if key != "mistral-medium-3.5-128b"])
def test_the_catalogue_says_how_many_weights_are_counted(key):
    entry, counted = models.get(key), catalogue_geometry(key).parameters
    assert entry is not None and counted is not None
    assert entry.parameters_billion == pytest.approx(counted.total / 1e9, abs=0.01)


@pytest.mark.parametrize(
    ("key", "gigabytes"),
    [
        # 235.09 billion at 16 bits; 44 GB when the experts were lost on the way.
        ("qwen3-235b-a22b", 470.2),
        # 4.2 billion of embeddings and head at 16 bits, the rest at 8.
        ("llama-3.1-405b-instruct-fp8", 410.1),
        # The published size of the int4 checkpoint.
        ("kimi-k2.5", 594.2),
    ],
)
def test_weights_of_a_key(key, gigabytes):
    parameters = catalogue_geometry(key).parameters
    assert parameters is not None and parameters.stored_bytes / 1e9 == pytest.approx(gigabytes, abs=0.1)


def test_a_quantisation_file_of_the_catalogue_narrows_the_cache():
    geometry = catalogue_geometry("llama-3.1-70b-instruct-fp8-nvidia")
    assert bytes_per_token_per_rank(geometry, tensor_parallel_size=8).bytes == 20_480


def test_a_folder_brings_its_quantisation_file(tmp_path):
    name = "Llama-3.1-70B-Instruct-FP8"
    (tmp_path / "config.json").write_text(json.dumps(config(name)))
    (tmp_path / "hf_quant_config.json").write_text(json.dumps(QUANT_FILES[name]))
    given = read_model(str(tmp_path))
    assert given.quant_config == QUANT_FILES[name]
