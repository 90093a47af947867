"""How many nodes a set of pods needs, when a pod's GPUs must all be on one node."""

from collections import Counter
from collections.abc import Mapping


def nodes_needed(pods: Mapping[int, int], *, node_gpus: int) -> int | None:
    """Nodes of ``node_gpus`` GPUs that hold all pods, given as the number of pods by the GPUs of one pod.

    Largest first, each on the fullest node that has room. The work does not grow with the number of pods,
    which is whatever a document says. None when one pod alone asks for more GPUs than a node has.
    """
    free: Counter[int] = Counter()
    """Number of nodes by their free GPUs."""
    for gpus, left in sorted(pods.items(), reverse=True):
        if gpus <= 0 or left <= 0:
            continue
        if gpus > node_gpus:
            return None
        for room in sorted(room for room in free if room >= gpus):
            left -= _place(free, room=room, gpus=gpus, pods=left)
        free[node_gpus] += -(-left // (node_gpus // gpus))
        _place(free, room=node_gpus, gpus=gpus, pods=left)
    return free.total()


def total_gpus(pods: Mapping[int, int]) -> int:
    """GPUs of all pods, given as for ``nodes_needed``."""
    return sum(gpus * number for gpus, number in pods.items())


def _place(free: Counter[int], *, room: int, gpus: int, pods: int) -> int:
    """Puts pods of one size on the nodes with ``room`` free GPUs, node by node; how many found a place."""
    each = room // gpus
    full, rest = divmod(min(pods, free[room] * each), each)
    free[room] -= full + (rest > 0)
    free[room - each * gpus] += full
    if rest:
        free[room - rest * gpus] += 1
    return full * each + rest
