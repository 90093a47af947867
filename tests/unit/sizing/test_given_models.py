"""Every published model of the table, against figures whose derivation stands beside them."""

import pytest

from hyperpod_dpd.sizing.errors import UnknownGeometry
from hyperpod_dpd.sizing.geometry import read_geometry
from hyperpod_dpd.sizing.kv_cache import bytes_per_token_per_rank
from hyperpod_dpd.sizing.pd_buffer import PdBuffer
from tests.support.published_models import QUANT_FILES, config, names

EIGHT_GIB = 8 * 2**30
CHUNK = 256

# Tensor-parallel size 8, 16-bit cache, 256-token chunks, 8 GiB buffer; transfers at 6,000 and 16,384 tokens.
# name: (attention, bytes per token and rank, pages or None, transfers or None)
EXACT = {
    "Llama-3.3-70B-Instruct": ("grouped-query", 40_960, 819, (34, 12)),
    "Meta-Llama-3.1-70B": ("grouped-query", 40_960, 819, (34, 12)),
    "Qwen2.5-72B-Instruct": ("grouped-query", 40_960, 819, (34, 12)),
    # 126 layers x 1 head x 128 x 2 x 2; weights alone are quantised in the FP8 copy.
    "Meta-Llama-3.1-405B": ("grouped-query", 64_512, 520, (21, 8)),
    "Meta-Llama-3.1-405B-Instruct-FP8": ("grouped-query", 64_512, 520, (21, 8)),
    # Four KV heads on eight ranks: one whole head each, not half of one.
    "Qwen3-235B-A22B": ("grouped-query", 48_128, 697, (29, 10)),
    "Qwen3-235B-A22B-FP8": ("grouped-query", 48_128, 697, (29, 10)),
    "Qwen3-VL-235B-A22B-Instruct": ("grouped-query", 48_128, 697, (29, 10)),
    # 61 x (512 + 64) x 2 on every rank.
    "DeepSeek-V3": ("multi-head-latent", 70_272, 477, (19, 7)),
    "DeepSeek-R1": ("multi-head-latent", 70_272, 477, (19, 7)),
    "Kimi-K2-Instruct": ("multi-head-latent", 70_272, 477, (19, 7)),
    "Kimi-K2.5": ("multi-head-latent", 70_272, 477, (19, 7)),
    # 62 x 1 head x 128 x 2 x 2.
    "MiniMax-M2.5": ("grouped-query", 31_744, None, None),
    "MiniMax-M2.7": ("grouped-query", 31_744, None, None),
    "Qwen3-Coder-480B-A35B-Instruct": ("grouped-query", 31_744, None, None),
    "Mistral-Medium-3.5-128B": ("grouped-query", 45_056, 744, (31, 11)),
    "Mixtral-8x22B-v0.1": ("grouped-query", 28_672, None, None),
    "Llama-4-Maverick-17B-128E-Instruct": ("grouped-query", 24_576, None, None),
    "Meta-Llama-3.1-8B": ("grouped-query", 16_384, 2048, None),
    "Qwen3-32B": ("grouped-query", 32_768, 1024, None),
}

# name: (attention, bytes, least, most)
BOUNDED = {
    # 10 attention layers x 1 head x 128 x 2 x 2; at most every one of 118 layers.
    "Nemotron-H-56B-Base-8K": ("hybrid", 5_120, 5_120, 118 * 512),
    # 8 x 1 x 128 x 2 x 2 (two KV heads, replicated).
    "NVIDIA-Nemotron-3-Super-120B-A12B-FP8": ("hybrid", 4_096, 4_096, 88 * 512),
    # Six stars in the pattern: 6 x 1 x 128 x 2 x 2.
    "NVIDIA-Nemotron-3-Nano-30B-A3B-BF16": ("hybrid", 3_072, 3_072, 52 * 512),
    # Layers 4, 12, 20, 28: 4 x 1 x 128 x 2 x 2.
    "AI21-Jamba-1.5-Mini": ("hybrid", 2_048, 2_048, 32 * 512),
    # 15 full layers x 1 head x 256 x 2 x 2.
    "Qwen3.5-397B-A17B": ("hybrid", 15_360, 15_360, 60 * 1024),
    # 25 sliding x 1 x 256 x 2 x 2 = 25,600 and 5 full x 1 x 512 x 2 x 2 = 10,240; never the naive 30,720.
    # Least: only the full ones grow. Most: all 30 as wide as the widest.
    "gemma-4-26B-A4B": ("sliding-window", 35_840, 10_240, 30 * 2048),
    # Latent part 78 x 576 x 2; the indexer adds 78 x (128 + 4) at most.
    "GLM-5": ("multi-head-latent", 89_856, 89_856, 89_856 + 78 * 132),
    "GLM-5-FP8": ("multi-head-latent", 89_856, 89_856, 89_856 + 78 * 132),
    # Every other layer slides: all count at most, half of them at least (1 head x 64 x 2 x 2 each).
    "gpt-oss-120b": ("sliding-window", 9_216, 4_608, 9_216),
    "gpt-oss-20b": ("sliding-window", 6_144, 3_072, 6_144),
    "DeepSeek-V3.2": ("multi-head-latent", 70_272, 70_272, 70_272 + 61 * 132),
}


@pytest.mark.parametrize("name", EXACT)
def test_exact_models(name):
    attention, expected, pages, transfers = EXACT[name]
    geometry = read_geometry(config(name), name=name)
    kv = bytes_per_token_per_rank(geometry, tensor_parallel_size=8, kv_cache_dtype="bfloat16")
    assert (geometry.attention, kv.bytes, kv.exact) == (attention, expected, True)
    buffer = PdBuffer(bytes=EIGHT_GIB, page_bytes=kv.page_bytes(chunk_tokens=CHUNK), chunk_tokens=CHUNK)
    if pages is not None:
        assert buffer.pages == pages
    if transfers is not None:
        assert (buffer.in_flight_transfers(6000), buffer.in_flight_transfers(16_384)) == transfers


@pytest.mark.parametrize("name", EXACT)
def test_exact_models_have_a_16_bit_cache_by_themselves(name):
    geometry = read_geometry(config(name))
    kv = bytes_per_token_per_rank(geometry, tensor_parallel_size=8)
    assert (kv.bytes, kv.exact) == (EXACT[name][1], True)


@pytest.mark.parametrize("name", BOUNDED)
def test_models_whose_figure_is_bounded(name):
    attention, expected, least, most = BOUNDED[name]
    geometry = read_geometry(config(name))
    kv = bytes_per_token_per_rank(geometry, tensor_parallel_size=8)
    assert (geometry.attention, kv.bytes, kv.least, kv.most) == (attention, expected, least, most)
    assert not kv.exact
    assert kv.notes


def test_every_published_config_is_in_a_table():
    others = {"DeepSeek-V4-Flash", "Llama-3.1-70B-Instruct-FP8", "DeepSeek-V3.1-NVFP4"}
    assert set(names()) == set(EXACT) | set(BOUNDED) | others


def test_compressed_attention_is_refused():
    with pytest.raises(UnknownGeometry, match=r"compress_ratios.*geometry is unknown"):
        read_geometry(config("DeepSeek-V4-Flash"))


def test_eight_bit_cache_declared_in_a_second_file():
    name = "Llama-3.1-70B-Instruct-FP8"
    with_file = read_geometry(config(name), quant_config=QUANT_FILES[name], name=name)
    kv = bytes_per_token_per_rank(with_file, tensor_parallel_size=8)
    assert (kv.bytes, kv.dtype.bits) == (20_480, 8)
    assert any("20480" in note and "40960" in note for note in kv.notes)


def test_a_quantised_name_without_the_second_file_asks_for_the_dtype():
    name = "Llama-3.1-70B-Instruct-FP8"
    kv = bytes_per_token_per_rank(read_geometry(config(name), name=name), tensor_parallel_size=8)
    assert kv.bytes == 40_960
    assert any("--kv-cache-dtype" in note for note in kv.notes)
    assert any("20480" in note for note in kv.notes)


def test_hybrid_with_a_second_file():
    name = "NVIDIA-Nemotron-3-Super-120B-A12B-FP8"
    geometry = read_geometry(config(name), quant_config=QUANT_FILES[name])
    kv = bytes_per_token_per_rank(geometry, tensor_parallel_size=8)
    assert (kv.bytes, kv.exact, kv.least) == (4_096, False, 2_048)  # a bound counts the wider of two dtypes
    settled = bytes_per_token_per_rank(geometry, tensor_parallel_size=8, kv_cache_dtype="fp8")
    assert settled.bytes == 2_048


@pytest.mark.parametrize(
    ("name", "billions"),
    [
        ("Meta-Llama-3.1-8B", 8.030),
        ("Meta-Llama-3.1-70B", 70.554),
        ("Meta-Llama-3.1-405B", 405.853),
        ("Qwen2.5-72B-Instruct", 72.706),
        ("Qwen3-32B", 32.762),
        ("Qwen3-235B-A22B", 235.094),
        ("DeepSeek-V3", 671.026),
        ("Kimi-K2-Instruct", 1026.41),
        ("Mixtral-8x22B-v0.1", 140.621),
        ("Llama-4-Maverick-17B-128E-Instruct", 400.7),
    ],
)
def test_parameters_come_out_as_published(name, billions):
    parameters = read_geometry(config(name)).parameters
    assert parameters is not None
    assert parameters.total / 1e9 == pytest.approx(billions, rel=2e-4)


def test_weights_of_405b_in_16_and_8_bits():
    full = read_geometry(config("Meta-Llama-3.1-405B"))
    small = read_geometry(config("Meta-Llama-3.1-405B-Instruct-FP8"))
    assert full.parameters.stored_bytes == pytest.approx(811e9, rel=2e-3)
    # Embeddings and head (4.2 billion) stay at 16 bits: a little more than the 406 GB of all weights at 8.
    assert small.parameters.stored_bytes == pytest.approx(410e9, rel=2e-3)
