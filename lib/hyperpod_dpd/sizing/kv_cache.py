"""Bytes one token leaves in the KV cache of one rank, and the pages in which LMCache moves them."""

from dataclasses import dataclass

from hyperpod_dpd.sizing import kv_dtype
from hyperpod_dpd.sizing.errors import SizingError, UnevenSplit
from hyperpod_dpd.sizing.findings import APPROXIMATE, EXACT, LOWER, UPPER
from hyperpod_dpd.sizing.geometry import Geometry
from hyperpod_dpd.sizing.kv_dtype import KvDtype
from hyperpod_dpd.sizing.layer_groups import LATENT, LayerGroup
from hyperpod_dpd.sizing.layer_kinds import SLIDING

# vLLM's packed latent of sparse attention: 512 8-bit elements, four 32-bit scales, 64 16-bit rotary elements.
_SPARSE_LATENT_ELEMENTS = 512 + 64
_SPARSE_LATENT_BYTES = 512 + 4 * 4 + 64 * 2


@dataclass(frozen=True, slots=True)
class KvPerToken:
    """Bytes per token on one rank. `least` and `most` enclose the truth where it is bounded, None where it is
    not."""

    bytes: int
    exact: bool
    bound: str
    notes: tuple[str, ...]
    dtype: KvDtype
    tensor_parallel_size: int
    least: int | None
    most: int | None

    def page_bytes(self, *, chunk_tokens: int) -> int:
        """Bytes of one page: LMCache moves whole chunks, a partial chunk takes a page."""
        return chunk_tokens * self.bytes


def bytes_per_token_per_rank(
    geometry: Geometry, *, tensor_parallel_size: int, kv_cache_dtype: str | None = None
) -> KvPerToken:
    """Bytes that one token of context occupies on each of `tensor_parallel_size` ranks.

    Heads are divided over the ranks and replicated once there are more ranks than KV heads; a latent is whole
    on every rank. Source: vLLM's KV head count per rank and its MLA cache; planning.md section 3.
    Raises UnevenSplit when the heads cannot be divided, UnknownKvDtype for a dtype whose size is not known.
    """
    if (
        isinstance(tensor_parallel_size, bool)
        or not isinstance(tensor_parallel_size, int)
        or tensor_parallel_size < 1
    ):
        raise SizingError(
            f"tensor-parallel size must be a whole number from 1 up, found {tensor_parallel_size!r}"
        )
    dtype = kv_dtype.chosen(geometry.kv_dtype, kv_cache_dtype)
    if geometry.bound != EXACT:
        dtype = kv_dtype.widest(dtype)
    _check_split(geometry.attention_heads, tensor_parallel_size)
    notes = [*geometry.notes, *dtype.notes]
    packed = _is_packed(geometry, dtype)
    if packed:
        notes.append(
            f"an 8-bit sparse latent is packed with its scales: {_SPARSE_LATENT_BYTES} bytes per layer and "
            "token"
        )
    sizes = [
        (group, group.count * _SPARSE_LATENT_BYTES)
        if packed and group.kind == LATENT
        else (
            group,
            group.count * _elements(group, geometry.attention_heads, tensor_parallel_size) * dtype.bits // 8,
        )
        for group in geometry.groups
    ]
    total = sum(size for _, size in sizes)
    if any(group.kind != LATENT and tensor_parallel_size > group.kv_heads for group in geometry.groups):
        notes.append(
            f"the model has fewer KV heads than the {tensor_parallel_size} ranks: each rank keeps one whole "
            "head, so "
            "dividing the total by the ranks would be too little"
        )
    if dtype.alternative_bits is not None:
        notes.append(
            f"{total} bytes per token and rank at {dtype.bits} bits ({dtype.source}), "
            f"{total * dtype.alternative_bits // dtype.bits} at {dtype.alternative_bits} bits"
        )
    bound = _bound(geometry, dtype)
    least, most = _limits(geometry, dtype, sizes, bound, tensor_parallel_size)
    if least is not None and dtype.alternative_bits is not None and dtype.alternative_bits < dtype.bits:
        least = least * dtype.alternative_bits // dtype.bits
    return KvPerToken(
        bytes=total,
        exact=bound == EXACT,
        bound=bound,
        notes=tuple(dict.fromkeys(notes)),
        dtype=dtype,
        tensor_parallel_size=tensor_parallel_size,
        least=least,
        most=most,
    )


def _check_split(attention_heads: int, tensor_parallel_size: int) -> None:
    if attention_heads % tensor_parallel_size:
        raise UnevenSplit(
            f"{attention_heads} attention heads cannot be divided over {tensor_parallel_size} ranks: "
            f"use a tensor-parallel size that divides {attention_heads}"
        )


def _elements(group: LayerGroup, attention_heads: int, tensor_parallel_size: int) -> int:
    """Elements one layer of a group caches per token on one rank."""
    if group.kind == LATENT:
        return group.key_dim
    return heads_per_rank(group, attention_heads, tensor_parallel_size) * (group.key_dim + group.value_dim)


def _bound(geometry: Geometry, dtype: KvDtype) -> str:
    if dtype.certain:
        return geometry.bound
    if dtype.alternative_bits is None and geometry.bound in (EXACT, UPPER):
        return UPPER
    return APPROXIMATE


def _limits(
    geometry: Geometry,
    dtype: KvDtype,
    sizes: list[tuple[LayerGroup, int]],
    bound: str,
    tensor_parallel_size: int,
) -> tuple[int | None, int | None]:
    """The least and the most a token can take, where the reasons for doubt leave an end at all.

    Least: windowed layers stop growing. Most: an engine, or LMCache's page, that gives every layer of a
    hybrid or uneven model the largest shape; for a sparse latent, the indexer on top.
    """
    total = sum(size for _, size in sizes)
    growing = sum(size for group, size in sizes if group.kind != SLIDING)
    widest = max(
        heads_per_rank(group, geometry.attention_heads, tensor_parallel_size)
        * 2
        * max(group.key_dim, group.value_dim)
        if group.kind != LATENT
        else group.key_dim
        for group in geometry.groups
    )
    shapes = {
        (group.kind == LATENT, group.kv_heads, group.key_dim, group.value_dim) for group in geometry.groups
    }
    uneven = len(shapes) > 1 or any(
        group.kind != LATENT and group.key_dim != group.value_dim for group in geometry.groups
    )
    uniform = max(total, geometry.layers * widest * dtype.bits // 8)
    indexer = geometry.indexer_bytes_per_layer * sum(group.count for group in geometry.groups)
    least: int | None = None
    most: int | None = None
    if geometry.bound == EXACT:
        least, most = total, total
    elif geometry.bound == UPPER:
        least, most = (growing if growing < total else None), total
    elif geometry.bound == LOWER:
        least, most = total, (total + indexer if indexer else None)
    elif geometry.is_hybrid or uneven:
        least, most = growing, uniform
    if bound != geometry.bound and dtype.alternative_bits is not None and most is not None:
        most = most * dtype.alternative_bits // dtype.bits
    return least, most


def heads_per_rank(group: LayerGroup, attention_heads: int, tensor_parallel_size: int) -> int:
    """KV heads each rank keeps; UnevenSplit when vLLM would refuse the split."""
    _check_split(attention_heads, tensor_parallel_size)
    if group.kv_heads % tensor_parallel_size and tensor_parallel_size % group.kv_heads:
        raise UnevenSplit(
            f"{group.kv_heads} KV heads and a tensor-parallel size of {tensor_parallel_size} do not divide "
            "each "
            f"other: use a size that divides {group.kv_heads}, or a multiple of it"
        )
    return max(1, group.kv_heads // tensor_parallel_size)


def pages_for_tokens(tokens: int, *, chunk_tokens: int) -> int:
    """Pages that `tokens` tokens take: every started chunk takes one."""
    if tokens < 0 or chunk_tokens < 1:
        raise SizingError(
            f"tokens must not be negative and a chunk has at least 1: found {tokens} and {chunk_tokens}"
        )
    return -(-tokens // chunk_tokens)


def transfer_bytes(tokens: int, *, bytes_per_token: int, chunk_tokens: int) -> int:
    """Bytes one prompt moves per rank: whole pages, as the decoder's own log line counts them."""
    return pages_for_tokens(tokens, chunk_tokens=chunk_tokens) * chunk_tokens * bytes_per_token


def _is_packed(geometry: Geometry, dtype: KvDtype) -> bool:
    if dtype.name == kv_dtype.SPARSE_LATENT:
        if not any(
            group.kind == LATENT and group.key_dim == _SPARSE_LATENT_ELEMENTS for group in geometry.groups
        ):
            raise SizingError(
                f"KV cache dtype {dtype.name} is for sparse latent attention of {_SPARSE_LATENT_ELEMENTS} "
                "elements "
                "only; use fp8 or auto for this model"
            )
        return True
    sparse = geometry.indexer_bytes_per_layer > 0
    latent = any(
        group.kind == LATENT and group.key_dim == _SPARSE_LATENT_ELEMENTS for group in geometry.groups
    )
    return sparse and latent and dtype.bits == 8
