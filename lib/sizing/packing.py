"""How many nodes a set of pods needs, when a pod's GPUs must all be on one node."""

from collections.abc import Iterable


def nodes_needed(pod_gpus: Iterable[int], *, node_gpus: int) -> int | None:
    """Nodes of ``node_gpus`` GPUs that hold all pods (largest first, first node that has room).

    None when one pod alone asks for more GPUs than a node has.
    """
    free: list[int] = []
    for gpus in sorted(pod_gpus, reverse=True):
        if gpus > node_gpus:
            return None
        for index, room in enumerate(free):
            if room >= gpus:
                free[index] = room - gpus
                break
        else:
            free.append(node_gpus - gpus)
    return len(free)
