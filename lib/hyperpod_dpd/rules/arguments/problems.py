"""What lib/hyperpod_dpd/iec found odd about the arguments, handed to the rules by kind, each place once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import vllm_flags
from hyperpod_dpd.view.engine import runs_vllm

if TYPE_CHECKING:
    from hyperpod_dpd.document import Path
    from hyperpod_dpd.iec.arguments import ArgumentProblem
    from hyperpod_dpd.view.endpoint import EndpointView


def problems(endpoint: EndpointView, *kinds: str) -> Iterator[ArgumentProblem]:
    """Problems of one of ``kinds`` in the shared arguments, in a role's own, and of the merge of both.

    Arguments of another engine are not judged.
    """
    seen: set[tuple[str, Path, str | None]] = set()
    for role in endpoint.roles:
        for problem in role.arguments.problems:
            key = (problem.kind, problem.path, problem.flag)
            if problem.kind in kinds and key not in seen and runs_vllm(endpoint):
                seen.add(key)
                yield problem


def runs_read_release(endpoint: EndpointView) -> bool:
    """Whether the image's vLLM is the release whose parser the catalogue has."""
    inside = endpoint.image.version("vllm")
    return inside is not None and str(inside.version) == vllm_flags.RELEASE


def runs_another_release(endpoint: EndpointView) -> bool:
    """Whether the image's vLLM is known to be another one, whose parser may differ."""
    return endpoint.image.version("vllm") is not None and not runs_read_release(endpoint)
