"""The PD buffer of an endpoint, which both roles share, as its variables set it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.sizing.pd_buffer import PdBuffer
from hyperpod_dpd.view.page import CHUNK_SIZE as CHUNK_SIZE
from hyperpod_dpd.view.page import chunk_tokens
from hyperpod_dpd.view.page import whole_number as whole_number

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView
    from hyperpod_dpd.view.role import RoleView

BUFFER_SIZE = "PD_BUFFER_SIZE"


@dataclass(frozen=True, slots=True)
class BufferView:
    """``bytes`` per rank; the documented default where ``given`` is False. ``chunk_tokens`` make one page."""

    bytes: int
    given: bool
    chunk_tokens: int

    def cut(self, page_bytes: int) -> PdBuffer:
        """The buffer in pages of that size."""
        return PdBuffer(bytes=self.bytes, page_bytes=page_bytes, chunk_tokens=self.chunk_tokens)


def buffer_of(endpoint: EndpointView) -> BufferView | None:
    """None where the size is no number, or comes from a Secret or the like."""
    variable = endpoint.environment.get(BUFFER_SIZE)
    chunk = chunk_tokens(endpoint.environment)
    if variable is None:
        return BufferView(engine_defaults.documented().pd_buffer_bytes, False, chunk)
    size = whole_number(variable.value)
    return BufferView(size, True, chunk) if size else None


def role_buffer(endpoint: EndpointView, role: RoleView) -> PdBuffer | None:
    """The buffer in pages of one rank of ``role``; None when either size is not known. Needs the model."""
    buffer, page = buffer_of(endpoint), endpoint.model.page_bytes(role)
    return buffer.cut(page) if buffer and page else None


def longest_tokens(endpoint: EndpointView, length: int | None) -> int | None:
    """``--max-model-len``, or what the engine takes in its place: the model's own limit (needs the model).

    A length below 1, which vLLM refuses, counts as none.
    """
    return length if length is not None and length > 0 else endpoint.model.geometry.max_position_tokens
