"""Pages, alignment and transfers: the published tables to the last digit, and the laws behind them."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperpod_dpd.sizing.errors import SizingError
from hyperpod_dpd.sizing.geometry import read_geometry
from hyperpod_dpd.sizing.host_cache import exceeds_limit, pod_cache_bytes
from hyperpod_dpd.sizing.kv_cache import bytes_per_token_per_rank, pages_for_tokens, transfer_bytes
from hyperpod_dpd.sizing.pd_buffer import PdBuffer, smallest_buffer_bytes, wire_seconds

GIB = 2**30
MIB = 2**20
CHUNK = 256
PAGE = 10_485_760


def buffer_of(gib: int, page_bytes: int = PAGE) -> PdBuffer:
    return PdBuffer(bytes=gib * GIB, page_bytes=page_bytes, chunk_tokens=CHUNK)


@pytest.mark.parametrize(
    ("size", "gib", "pages", "lost_mib", "capacity", "transfers"),
    [
        (8, 8, 819, 2, 209_664, (34, 25, 12)),
        (8, 16, 1_638, 4, 419_328, (68, 51, 25)),
        (8, 32, 3_276, 8, 838_656, (136, 102, 51)),
        (4, 8, 409, 12, 104_704, (17, 12, 6)),
        (2, 8, 204, 32, 52_224, (8, 6, 3)),
    ],
)
def test_table_of_the_endpoint_reference(llama_70b, size, gib, pages, lost_mib, capacity, transfers):
    kv = bytes_per_token_per_rank(read_geometry(llama_70b), tensor_parallel_size=size)
    buffer = buffer_of(gib, kv.page_bytes(chunk_tokens=CHUNK))
    assert (buffer.pages, buffer.lost_bytes, buffer.capacity_tokens) == (pages, lost_mib * MIB, capacity)
    assert tuple(buffer.in_flight_transfers(tokens) for tokens in (6000, 8192, 16_384)) == transfers


@pytest.mark.parametrize(
    ("gib", "tokens", "transfers"),
    [(8, 4096, 51), (8, 4097, 48), (8, 6000, 34), (8, 16_128, 13), (16, 4096, 102), (32, 4096, 204)],
)
def test_table_of_the_planning_reference(gib, tokens, transfers):
    assert buffer_of(gib).in_flight_transfers(tokens) == transfers


def test_aligned_default_buffer():
    buffer = buffer_of(8)
    assert (buffer.aligned_bytes, buffer.is_aligned) == (8_587_837_440, False)
    assert PdBuffer(bytes=8_587_837_440, page_bytes=PAGE, chunk_tokens=CHUNK).is_aligned


def test_the_log_line_of_6035_tokens():
    """24 chunks of 256 x 40,960 bytes are 0.234375 GiB, logged as 0.2344; unrounded it would be 0.2302."""
    assert pages_for_tokens(6035, chunk_tokens=CHUNK) == 24
    moved = transfer_bytes(6035, bytes_per_token=40_960, chunk_tokens=CHUNK)
    assert (moved, Fraction(moved, GIB)) == (251_658_240, Fraction(234_375, 1_000_000))
    assert f"{moved / GIB:.4f}" == "0.2344"
    assert f"{6035 * 40_960 / GIB:.4f}" == "0.2302"


@pytest.mark.parametrize(
    ("bytes_per_token", "buffer_bytes", "remainder"),
    # A 0.5B model in a reported failure: 24 layers x 2 KV heads x 64 x 2 x 2 = 12,288 bytes, 3 MiB pages.
    [(12_288, 2_147_483_648, 2_097_152), (12_288, 2_013_265_920, 0)],
)
def test_reported_alignment_failure(bytes_per_token, buffer_bytes, remainder):
    buffer = PdBuffer(bytes=buffer_bytes, page_bytes=CHUNK * bytes_per_token, chunk_tokens=CHUNK)
    assert (buffer.page_bytes, buffer.lost_bytes) == (3_145_728, remainder)
    assert remainder or buffer.pages == 640


@pytest.mark.parametrize(
    ("bytes_per_token", "tokens", "holds"),
    [
        (40_960, 131_072, True),  # 70B over eight ranks: 512 of 819 pages
        (81_920, 131_072, False),  # over four: 512 of 409
        (64_512, 131_072, True),  # 405B: 512 of 520
        (70_272, 131_072, False),  # DeepSeek-V3: 512 of 477
        (70_272, 163_840, False),
    ],
)
def test_a_prompt_larger_than_the_buffer(bytes_per_token, tokens, holds):
    assert buffer_of(8, CHUNK * bytes_per_token).can_hold(tokens) is holds


def test_smallest_buffer():
    small = smallest_buffer_bytes(page_bytes=PAGE, chunk_tokens=CHUNK, max_prompt_tokens=131_072)
    assert small == 5 * GIB
    both = smallest_buffer_bytes(
        page_bytes=PAGE, chunk_tokens=CHUNK, max_prompt_tokens=131_072, transfers=32, prompt_tokens=6000
    )
    assert both == 32 * 24 * PAGE


def test_wire_time_of_8000_tokens():
    """32 pages of 10 MiB at 50 GB/s take 6.7 ms; at a TCP fallback of 0.3 GB/s 1.1 s."""
    fast = wire_seconds(prompt_tokens=8000, page_bytes=PAGE, chunk_tokens=CHUNK, bytes_per_second=50 * 10**9)
    slow = wire_seconds(prompt_tokens=8000, page_bytes=PAGE, chunk_tokens=CHUNK, bytes_per_second=3 * 10**8)
    assert fast == Fraction(335_544_320, 50 * 10**9)
    assert (round(float(fast) * 1000, 1), round(float(slow), 1)) == (6.7, 1.1)


def test_local_tiers_count_per_worker():
    """A disk limit of 640 GiB per worker is 5,120 GiB for the eight of a pod."""
    assert pod_cache_bytes(per_worker_bytes=640 * GIB, tensor_parallel_size=8) == 5_120 * GIB
    assert exceeds_limit(per_worker_bytes=640 * GIB, tensor_parallel_size=8, limit_bytes=5_119 * GIB)
    assert not exceeds_limit(per_worker_bytes=640 * GIB, tensor_parallel_size=8, limit_bytes=5_120 * GIB)


sizes = st.integers(0, 2**45)
pages = st.integers(1, 2**32)
chunks = st.integers(1, 4096)
tokens = st.integers(1, 2**24)


@given(sizes, pages, chunks, tokens)
def test_laws_of_a_buffer(size, page_bytes, chunk_tokens, prompt):
    buffer = PdBuffer(bytes=size, page_bytes=page_bytes, chunk_tokens=chunk_tokens)
    assert buffer.aligned_bytes == buffer.pages * page_bytes <= size
    assert 0 <= buffer.lost_bytes < page_bytes
    assert buffer.can_hold(prompt) == (buffer.in_flight_transfers(prompt) >= 1)
    assert buffer.can_hold(prompt) == (prompt <= buffer.capacity_tokens)
    again = PdBuffer(bytes=buffer.aligned_bytes, page_bytes=page_bytes, chunk_tokens=chunk_tokens)
    assert (again.pages, again.lost_bytes) == (buffer.pages, 0)


@given(sizes, st.integers(0, 2**40), pages, chunks, tokens, st.integers(0, 5000))
def test_more_buffer_or_shorter_prompts_never_hold_fewer(
    size, more, page_bytes, chunk_tokens, prompt, longer
):
    small = PdBuffer(bytes=size, page_bytes=page_bytes, chunk_tokens=chunk_tokens)
    large = PdBuffer(bytes=size + more, page_bytes=page_bytes, chunk_tokens=chunk_tokens)
    assert large.in_flight_transfers(prompt) >= small.in_flight_transfers(prompt)
    assert small.in_flight_transfers(prompt) >= small.in_flight_transfers(prompt + longer)


@given(pages, chunks, tokens, st.integers(1, 200), tokens)
def test_the_smallest_buffer_is_just_large_enough(page_bytes, chunk_tokens, longest, transfers, typical):
    size = smallest_buffer_bytes(
        page_bytes=page_bytes,
        chunk_tokens=chunk_tokens,
        max_prompt_tokens=longest,
        transfers=transfers,
        prompt_tokens=typical,
    )
    enough = PdBuffer(bytes=size, page_bytes=page_bytes, chunk_tokens=chunk_tokens)
    assert enough.is_aligned
    assert enough.can_hold(longest)
    assert enough.in_flight_transfers(typical) >= transfers
    less = PdBuffer(bytes=size - 1, page_bytes=page_bytes, chunk_tokens=chunk_tokens)
    assert not (less.can_hold(longest) and less.in_flight_transfers(typical) >= transfers)


@given(st.integers(0, 7), st.sampled_from([1, 2, 4, 8, 16, 32, 64]))
def test_ranks_never_add_bytes(kv_power, size):
    """Doubling the ranks halves the bytes per rank until each keeps one head, and never below."""
    config = {
        "model_type": "llama",
        "hidden_size": 16_384,
        "num_attention_heads": 128,
        "num_hidden_layers": 10,
        "num_key_value_heads": 2**kv_power,
        "torch_dtype": "bfloat16",
    }
    kv = bytes_per_token_per_rank(read_geometry(config), tensor_parallel_size=size)
    assert kv.bytes == 10 * max(1, 2**kv_power // size) * 128 * 2 * 2


@pytest.mark.parametrize(
    "arguments",
    [
        {"bytes": -1, "page_bytes": 1, "chunk_tokens": 1},
        {"bytes": 1, "page_bytes": 0, "chunk_tokens": 1},
        {"bytes": 1, "page_bytes": 1, "chunk_tokens": 0},
        {"bytes": "8GiB", "page_bytes": 1, "chunk_tokens": 1},
        {"bytes": True, "page_bytes": 1, "chunk_tokens": 1},
    ],
)
def test_impossible_buffers(arguments):
    with pytest.raises(SizingError, match="must be a whole number"):
        PdBuffer(**arguments)


@pytest.mark.parametrize("size", [0, -8, True, 2.0, "8"])
def test_impossible_tensor_parallel_sizes(llama_70b, size):
    with pytest.raises(SizingError, match="tensor-parallel size"):
        bytes_per_token_per_rank(read_geometry(llama_70b), tensor_parallel_size=size)
