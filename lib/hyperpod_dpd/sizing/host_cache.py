"""Host memory and disk that LMCache's local tiers take: its limits are per worker, a pod's limit is for all
of them."""

from hyperpod_dpd.sizing.errors import SizingError


def pod_cache_bytes(*, per_worker_bytes: int, tensor_parallel_size: int) -> int:
    """Bytes all workers of one pod may take together for LMCACHE_MAX_LOCAL_CPU_SIZE or ..._DISK_SIZE."""
    if per_worker_bytes < 0 or tensor_parallel_size < 1:
        raise SizingError(
            f"a cache size must not be negative and there is at least 1 worker: found {per_worker_bytes} and "
            f"{tensor_parallel_size}"
        )
    return per_worker_bytes * tensor_parallel_size


def exceeds_limit(*, per_worker_bytes: int, tensor_parallel_size: int, limit_bytes: int) -> bool:
    """True when the workers together may outgrow the pod's limit, and the pod be evicted."""
    return (
        pod_cache_bytes(per_worker_bytes=per_worker_bytes, tensor_parallel_size=tensor_parallel_size)
        > limit_bytes
    )
